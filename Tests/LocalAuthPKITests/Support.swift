import LocalAuthPKI
import LocalAuthSecret
import LocalAuthTestSupport

/// Bytes that are written in hexadecimal digits, with whatever else between them.
func hex(_ text: String) -> [UInt8] {
  let digits = text.compactMap { $0.hexDigitValue.map(UInt8.init) }
  return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
}

func secret(_ bytes: [UInt8]) -> Secret {
  var secret = Secret(capacity: bytes.count)
  for byte in bytes { _ = secret.append(byte) }
  return secret
}

func bytes(_ secret: borrowing Secret) -> [UInt8] {
  // SAFETY: the bytes are copied while they are lent.
  unsafe secret.withUnsafeBytes { unsafe [UInt8]($0) }
}

/// Keys that tests use again and again: making one of RSA takes a while.
enum Keys {
  static let rsa = key(.rsa, 2048)
  static let otherRSA = key(.rsa, 2048)
  static let curves = NISTCurve.allCases.map { key(.ellipticCurve, $0.bits) }
  static var all: [ExternalPrivateKey] { [rsa] + curves }

  private static func key(_ type: ExternalKeyType, _ bits: Int) -> ExternalPrivateKey {
    do {
      return try ExternalPrivateKey.generate(type, bits: bits)
    } catch {
      fatalError("no key: \(error)")
    }
  }
}

/// `original` with up to four changes: bits, bytes, pieces that are gone or there twice.
func mutated(_ original: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
  var bytes = original
  for _ in 0..<Int.random(in: 1...4, using: &generator) where !bytes.isEmpty {
    let index = Int.random(in: 0..<bytes.count, using: &generator)
    switch Int.random(in: 0..<6, using: &generator) {
    case 0, 1: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
    case 2, 3: bytes[index] = UInt8.random(in: 0...255, using: &generator)
    case 4: bytes.removeSubrange(index..<min(index + 3, bytes.count))
    default: bytes.insert(contentsOf: bytes[index..<min(index + 5, bytes.count)], at: index)
    }
  }
  return bytes
}
