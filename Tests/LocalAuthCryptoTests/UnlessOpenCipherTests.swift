import LocalAuthCore
import LocalAuthKeychain
import LocalAuthSecret
import Testing

@testable import LocalAuthCrypto

@Suite struct UnlessOpenCipherTests {
  private let label = DeviceLabel(DeviceIdentity(owner: 1000, name: "desk"))

  private func bytes(of key: SecretBox?) -> [UInt8]? {
    guard let key = key?.take() else { return nil }
    return Sample.bytes(key)
  }

  private func publicKey(of keys: borrowing ClassKeys) throws -> [UInt8] {
    let publicKey = UnlessOpenCipher.publicKey(keys)
    return try #require(publicKey)
  }

  private func opened(
    _ wrapped: WrappedFileKey,
    _ keys: borrowing ClassKeys,
    of label: DeviceLabel
  ) -> [UInt8]? {
    guard let key = UnlessOpenCipher.open(wrapped, keys, of: label) else { return nil }
    return Sample.bytes(key)
  }

  @Test func keyMadeWithThePublicHalfOpensWithTheClassKey() throws {
    let keys = ClassKeys.generate(for: .all)
    let publicKey = try publicKey(of: keys)
    let made = try #require(UnlessOpenCipher.makeKey(for: publicKey, of: label))
    let key = try #require(bytes(of: made.key))
    #expect(key.count == 32)
    #expect(opened(made.wrapped, keys, of: label) == key)
    let other = DeviceLabel(DeviceIdentity(owner: 1001, name: "desk"))
    #expect(opened(made.wrapped, keys, of: other) == nil)
    #expect(opened(made.wrapped, keys.sharing(.afterFirstUnlock), of: label) == nil)
    let strangers = ClassKeys.generate(for: .all)
    #expect(opened(made.wrapped, strangers, of: label) == nil)
  }

  @Test func noFlippedBitOpens() throws {
    let keys = ClassKeys.generate(for: .whenUnlocked)
    let publicKey = try publicKey(of: keys)
    let made = try #require(UnlessOpenCipher.makeKey(for: publicKey, of: label)).wrapped
    for bit in 0..<(made.bytes.count * 8) {
      var bytes = made.bytes
      bytes[bit / 8] ^= 1 << (bit % 8)
      let changed = WrappedFileKey(.completeUnlessOpen, identifier: made.identifier, bytes: bytes)
      #expect(opened(try #require(changed), keys, of: label) == nil, "bit \(bit)")
    }
    for size in [0, 31, 32, made.bytes.count - 1] {
      let bytes = Array(made.bytes.prefix(size))
      let cut = WrappedFileKey(.completeUnlessOpen, identifier: made.identifier, bytes: bytes)
      #expect(opened(try #require(cut), keys, of: label) == nil)
    }
    var identifier = made.identifier
    identifier[0] ^= 1
    let moved = WrappedFileKey(.completeUnlessOpen, identifier: identifier, bytes: made.bytes)
    #expect(opened(try #require(moved), keys, of: label) == nil)
  }

  /// Points of low order (RFC 7748, section 6.1): whoever has one agrees on zero with everybody.
  @Test(arguments: [
    [UInt8](repeating: 0, count: 32), [1] + [UInt8](repeating: 0, count: 31),
    [0xec] + [UInt8](repeating: 0xff, count: 30) + [0x7f],
  ])
  func pointOfLowOrderIsNoPublicKey(_ point: [UInt8]) throws {
    #expect(UnlessOpenCipher.makeKey(for: point, of: label) == nil)
    let keys = ClassKeys.generate(for: .whenUnlocked)
    let wrapped = WrappedFileKey(
      .completeUnlessOpen,
      identifier: [UInt8](repeating: 7, count: 16),
      bytes: point + [UInt8](repeating: 0, count: 60)
    )
    #expect(opened(try #require(wrapped), keys, of: label) == nil)
  }

  @Test func publicKeyOfAnotherLengthIsNone() {
    #expect(UnlessOpenCipher.makeKey(for: [1, 2, 3], of: label) == nil)
  }
}
