import LocalAuthSecret
import Testing

@testable import LocalAuthCrypto

/// A secret of these bytes.
func secret(_ bytes: [UInt8]) -> Secret {
  var secret = Secret(capacity: bytes.count)
  for byte in bytes { _ = secret.append(byte) }
  return secret
}

/// A secret of this text.
func secret(_ text: String) -> Secret { secret(Array(text.utf8)) }

/// The bytes of a secret that is none.
func bytes(of secret: borrowing Secret) -> [UInt8] {
  // SAFETY: the bytes are copied while they are lent.
  unsafe secret.withUnsafeBytes { unsafe Array($0) }
}

/// The bytes that hexadecimal digits stand for.
func hex(_ digits: String) -> [UInt8] {
  var bytes: [UInt8] = []
  var rest = digits[...]
  while let byte = UInt8(rest.prefix(2), radix: 16) {
    bytes.append(byte)
    rest = rest.dropFirst(2)
  }
  return bytes
}

/// A key that every test can make again.
func testKey(_ first: UInt8 = 0) throws -> DeviceKey {
  let key = DeviceKey(secret((0..<32).map { $0 &+ first }))
  return try #require(key)
}

@Suite struct DeviceKeyTests {
  @Test func aKeyComesBackAsItWasGiven() throws {
    let copied = unsafe try testKey().withUnsafeBytes { unsafe Array($0) }
    #expect(copied == Array(0..<32))
  }

  @Test(arguments: [0, 1, 16, 31, 33, 64]) func everyOtherSizeIsRefused(_ size: Int) {
    #expect(DeviceKey(secret([UInt8](repeating: 7, count: size))) == nil)
  }

  @Test func aFileOfZerosIsNoKey() {
    #expect(DeviceKey(secret([UInt8](repeating: 0, count: 32))) == nil)
  }

  @Test func generatedKeysDifferAndCanBeLoaded() {
    let keys = (0..<20).map { _ in unsafe DeviceKey.generate().withUnsafeBytes { unsafe Array($0) }
    }
    #expect(Set(keys).count == 20)
    #expect(keys.allSatisfy { $0.count == 32 && DeviceKey(secret($0)) != nil })
  }

  /// Computed with Python's hashlib.blake2b(digest_size=32, key=key, salt=number as 16 bytes,
  /// person=context padded to 16 bytes), which is what crypto_kdf is defined as.
  @Test func derivedKeysNeverChange() throws {
    let key = try testKey()
    #expect(
      bytes(of: key.derive(.records))
        == hex("f54dcb632abcb58329c47e687cf6f0bd0f49ffaed6a4d4e77229b4e68cf952a2")
    )
    #expect(
      bytes(of: key.derive(.keybags))
        == hex("960cd76974ea578d03177c3ad064f61da9b51ebecb935ae75f0156baf195ace2")
    )
  }
}
