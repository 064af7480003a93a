import CommonCrypto
import LocalAuthTestSupport
import Testing

/// The bytes that `hex` spells.
func bytes(_ hex: String) -> [UInt8] {
  let digits = Array(hex.utf8)
  return stride(from: 0, to: digits.count, by: 2).map {
    UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16) ?? 0
  }
}

func hex(_ bytes: some Sequence<UInt8>) -> String {
  bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}

extension SeededGenerator {
  mutating func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &self) }
  }

  /// `data` in parts of random sizes, some of them empty.
  mutating func parts(of data: [UInt8], upTo most: Int) -> [[UInt8]] {
    var parts: [[UInt8]] = []
    var rest = data[...]
    while !rest.isEmpty {
      let size = Int.random(in: 0...most, using: &self)
      parts.append(Array(rest.prefix(size)))
      rest = rest.dropFirst(size)
    }
    return parts
  }
}

/// One cipher with a key that fits.
struct CipherCase: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let algorithm: CCAlgorithm
  let keySize: Int
  let block: Int

  init(_ name: String, _ algorithm: Int, key: Int, block: Int) {
    testDescription = name
    self.algorithm = CCAlgorithm(algorithm)
    keySize = key
    self.block = block
  }

  static let blocks = [
    CipherCase("AES-128", kCCAlgorithmAES, key: kCCKeySizeAES128, block: kCCBlockSizeAES128),
    CipherCase("AES-192", kCCAlgorithmAES, key: kCCKeySizeAES192, block: kCCBlockSizeAES128),
    CipherCase("AES-256", kCCAlgorithmAES, key: kCCKeySizeAES256, block: kCCBlockSizeAES128),
    CipherCase("DES", kCCAlgorithmDES, key: kCCKeySizeDES, block: kCCBlockSizeDES),
    CipherCase("3DES", kCCAlgorithm3DES, key: kCCKeySize3DES, block: kCCBlockSize3DES),
    CipherCase("CAST", kCCAlgorithmCAST, key: kCCKeySizeMaxCAST, block: kCCBlockSizeCAST),
    CipherCase("RC2", kCCAlgorithmRC2, key: kCCKeySizeMaxRC2, block: kCCBlockSizeRC2),
    CipherCase(
      "Blowfish",
      kCCAlgorithmBlowfish,
      key: kCCKeySizeMaxBlowfish,
      block: kCCBlockSizeBlowfish
    ),
  ]
  static let rc4 = CipherCase("RC4", kCCAlgorithmRC4, key: kCCKeySizeMaxRC4, block: 1)
}

/// `CCCrypt` with as much room as Apple says is always enough.
func crypt(
  _ operation: Int,
  _ algorithm: Int,
  options: Int = 0,
  key: [UInt8],
  iv: [UInt8]? = nil,
  _ data: [UInt8]
) -> (status: CCCryptorStatus, result: [UInt8]) {
  var result = [UInt8](repeating: 0xee, count: data.count + 16)
  var moved = -1
  let status = CCCrypt(
    CCOperation(operation),
    CCAlgorithm(algorithm),
    CCOptions(options),
    key,
    key.count,
    iv,
    data,
    data.count,
    &result,
    result.count,
    &moved
  )
  return (status, moved < 0 ? [] : Array(result.prefix(moved)))
}

/// A cryptor that is released with its last holder.
final class Cryptor {
  let ref: CCCryptorRef

  init?(
    _ operation: Int,
    mode: Int,
    _ algorithm: CCAlgorithm,
    padding: Int = ccNoPadding,
    key: [UInt8],
    iv: [UInt8]? = nil
  ) {
    var ref: CCCryptorRef?
    CCCryptorCreateWithMode(
      CCOperation(operation),
      CCMode(mode),
      algorithm,
      CCPadding(padding),
      iv,
      key,
      key.count,
      nil,
      0,
      0,
      0,
      &ref
    )
    guard let ref else { return nil }
    self.ref = ref
  }

  deinit { CCCryptorRelease(ref) }

  func update(_ data: [UInt8], room: Int? = nil) -> (status: CCCryptorStatus, result: [UInt8]) {
    output(room ?? data.count + 16) { CCCryptorUpdate(ref, data, data.count, $0, $1, $2) }
  }

  func final(room: Int = 16) -> (status: CCCryptorStatus, result: [UInt8]) {
    output(room) { CCCryptorFinal(ref, $0, $1, $2) }
  }

  /// All of `parts` and the end.
  func run(_ parts: [[UInt8]]) -> [UInt8] {
    parts.flatMap { update($0).result } + final().result
  }

  private func output(
    _ room: Int,
    _ body: (UnsafeMutableRawPointer?, Int, UnsafeMutablePointer<Int>) -> CCCryptorStatus
  ) -> (status: CCCryptorStatus, result: [UInt8]) {
    var result = [UInt8](repeating: 0xee, count: room + 16)
    var moved = -1
    let status = result.withUnsafeMutableBytes { body($0.baseAddress, room, &moved) }
    // Nothing is written beyond the room.
    guard result.suffix(16).allSatisfy({ $0 == 0xee }) else { return (status, []) }
    return (status, status == kCCSuccess ? Array(result.prefix(moved)) : [UInt8(moved)])
  }
}
