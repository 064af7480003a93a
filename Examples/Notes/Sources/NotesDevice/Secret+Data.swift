import Foundation
import LocalAuthFiles

extension Secret {
  /// Lends the bytes as `Data` without a copy; `body` must not keep it.
  borrowing func withData<Value>(_ body: (Data) -> Value) -> Value {
    withUnsafeBytes { bytes in
      guard let start = UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count > 0 else {
        return body(Data())
      }
      return body(Data(bytesNoCopy: start, count: bytes.count, deallocator: .none))
    }
  }
}
