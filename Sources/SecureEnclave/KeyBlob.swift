import Foundation
import LocalAuthPKI

/// What a program stores to reach a key again: a reference to its keychain item, and its public
/// half.
///
/// It holds no secret, and is useless on another device, because the key is not there.
struct KeyBlob {
  /// The reference to the item.
  let reference: Data
  /// The public half, `04 || X || Y`, which must match the item's.
  let point: Data

  /// The magic bytes and the version of this format.
  private static let header = Data("LAEK\u{1}".utf8)
  private static let pointSize = 65
  private static let referenceSize = 20
  private static let size = header.count + referenceSize + pointSize + checksumSize
  private static let checksumSize = 32

  /// Creates the blob of a key.
  init(reference: Data, point: Data) {
    self.reference = reference
    self.point = point
  }

  /// Reads a blob from `bytes`; nil if they are anything else or damaged.
  init?(_ bytes: Data) {
    guard bytes.count == Self.size, bytes.starts(with: Self.header),
      bytes.suffix(Self.checksumSize) == Self.checksum(of: bytes.dropLast(Self.checksumSize))
    else { return nil }
    let rest = bytes.dropFirst(Self.header.count)
    reference = Data(rest.prefix(Self.referenceSize))
    point = Data(rest.dropFirst(Self.referenceSize).prefix(Self.pointSize))
  }

  /// The blob as the program stores it.
  var bytes: Data {
    let content = Self.header + reference + point
    return content + (Self.checksum(of: content) ?? Data())
  }

  /// Distinguishes a damaged blob from a missing key; it need not resist forgery.
  private static func checksum(of content: Data) -> Data? {
    (try? HashFunction.sha256.digest(of: [UInt8](content))).map { Data($0) }
  }
}
