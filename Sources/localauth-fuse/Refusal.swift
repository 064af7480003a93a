import Glibc
import LocalAuthFiles

/// Why a request of the kernel is refused: an error number, which the program that asked sees.
struct Refusal: Error, Hashable {
  let code: Int32

  init(_ code: Int32) { self.code = code }

  /// The failure of the system call that was made last.
  static var ofLastCall: Refusal { Refusal(errno) }

  /// What a program sees of a file that cannot be used; the keys that are gone look as Apple's do.
  init(_ failure: FileFailure) {
    switch failure {
    case .file(.locked): code = EPERM
    case .file(.busy): code = EBUSY
    case .file(.system(_, let number)): code = number
    case .file(.readOnly): code = EROFS
    case .anotherDevice: code = EKEYREJECTED
    case .immutable: code = EPERM
    case .foreignOwner, .othersCanWrite, .closedDirectory, .serviceState: code = EACCES
    default: code = EIO
    }
  }

  /// Runs `body` and turns the failure of a file into what a program sees.
  static func translating<Value: ~Copyable>(
    _ body: () throws(FileFailure) -> Value
  ) throws(Refusal) -> Value {
    do throws(FileFailure) { return try body() } catch { throw Refusal(error) }
  }

  /// Throws the failure of the call that returned `status`, if it failed.
  static func check(_ status: Int32) throws(Refusal) {
    guard status >= 0 else { throw ofLastCall }
  }

  /// The same for a function of ours, which returns an error number negated.
  @discardableResult
  static func checkShim(_ status: Int32) throws(Refusal) -> Int32 {
    guard status >= 0 else { throw Refusal(-status) }
    return status
  }
}
