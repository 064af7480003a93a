import Foundation
import LocalAuthPKI

/// What a program keeps of a key: which item of the keychain it is, and its public half.
///
/// There is nothing secret in it. It opens nothing on another device, because the key is not there.
struct KeyBlob {
  /// The bytes that name the item.
  let reference: Data
  /// The public half, `04 || X || Y`, which the item must have.
  let point: Data

  /// What every blob of this form begins with.
  private static let header = Data("LAEK\u{1}".utf8)
  private static let pointSize = 65
  private static let referenceSize = 20
  private static let size = header.count + referenceSize + pointSize + checksumSize
  private static let checksumSize = 32

  /// The blob of a key.
  init(reference: Data, point: Data) {
    self.reference = reference
    self.point = point
  }

  /// The blob in `bytes`; nil for any other bytes, and where one bit is another.
  init?(_ bytes: Data) {
    guard bytes.count == Self.size, bytes.starts(with: Self.header),
      bytes.suffix(Self.checksumSize) == Self.checksum(of: bytes.dropLast(Self.checksumSize))
    else { return nil }
    let rest = bytes.dropFirst(Self.header.count)
    reference = Data(rest.prefix(Self.referenceSize))
    point = Data(rest.dropFirst(Self.referenceSize).prefix(Self.pointSize))
  }

  /// The blob as the program keeps it.
  var bytes: Data {
    let content = Self.header + reference + point
    return content + (Self.checksum(of: content) ?? Data())
  }

  /// Tells damage from a key that is not here; it is no seal, and need be none.
  private static func checksum(of content: Data) -> Data? {
    (try? HashFunction.sha256.digest(of: [UInt8](content))).map { Data($0) }
  }
}
