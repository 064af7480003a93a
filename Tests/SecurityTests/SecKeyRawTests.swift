import LocalAuthTestKit
import Security
import Testing

/// The older functions, which take memory instead of data.
@Suite struct SecKeyRawTests {
  private let digest = [UInt8](repeating: 3, count: 32)

  private func sign(_ key: SecKey, _ padding: SecPadding, room: Int = 512) -> (OSStatus, [UInt8]) {
    var signature = [UInt8](repeating: 0, count: room)
    var size = room
    let status = SecKeyRawSign(key, padding, digest, digest.count, &signature, &size)
    return (status, Array(signature.prefix(size)))
  }

  @Test(arguments: 0..<4)
  func signatureIsGenuineForItsKeyAndDigest(_ index: Int) throws {
    let key = SampleKeys.all[index]
    let half = try publicHalf(key)
    for padding in index == 0 ? [.PKCS1, .PKCS1SHA256, []] : [.PKCS1, .sigRaw, []] as [SecPadding] {
      let (status, signature) = sign(key, padding)
      #expect(status == errSecSuccess)
      #expect(
        SecKeyRawVerify(half, padding, digest, 32, signature, signature.count) == errSecSuccess
      )
      #expect(
        SecKeyRawVerify(half, padding, digest, 31, signature, signature.count) != errSecSuccess
      )
      var changed = signature
      changed[signature.count - 1] ^= 1
      #expect(SecKeyRawVerify(half, padding, digest, 32, changed, changed.count) == errSSLCrypto)
      #expect(sign(half, padding).0 == errSecParam)
      // One of a curve is some bytes longer or shorter each time.
      #expect(sign(key, padding, room: signature.count - 16).0 == errSecParam)
      #expect(sign(key, padding, room: 0).0 == errSecParam)
    }
  }

  @Test func personWhoCancelsIsAStatusOfTheKeychain() throws {
    let device = try TestDevice(fingers: [.rightIndex], passcode: "1234")
    try device.use {
      let control = try thrown {
        SecAccessControlCreateWithFlags(
          nil,
          kSecAttrAccessibleWhenUnlocked,
          [.privateKeyUsage, .userPresence],
          $0
        )
      }
      let attributes: [CFString: Any] = [kSecAttrIsPermanent: true, kSecAttrAccessControl: control]
      let key = try newKey(
        kSecAttrKeyTypeECSECPrimeRandom,
        256,
        [
          kSecAttrTokenID as String: kSecAttrTokenIDSecureEnclave,
          kSecPrivateKeyAttrs as String: attributes,
        ]
      )
      try device.sensor.script("cancel")
      #expect(sign(key, []).0 == errSecUserCanceled)
    }
  }

  @Test func rawSignatureOfACurveHasTwoHalves() {
    #expect(sign(SampleKeys.curves[2], .sigRaw).1.count == 132)
  }

  @Test func paddingsThatAKeyDoesNotHaveAreRefused() {
    #expect(sign(SampleKeys.rsa, .PKCS1MD5).0 == errSecParam)
    #expect(sign(SampleKeys.rsa, .sigRaw).0 == errSecParam)
    #expect(sign(SampleKeys.rsa, .PKCS1SHA512).0 == errSecParam)
  }

  @Test(arguments: [[], .PKCS1, .OAEP] as [SecPadding])
  func whatIsEncryptedIsDecrypted(_ padding: SecPadding) throws {
    let half = try publicHalf(SampleKeys.rsa)
    let plaintext: [UInt8] = [9, 8, 7]
    var block = [UInt8](repeating: 0, count: 256)
    var size = block.count
    #expect(SecKeyEncrypt(half, padding, plaintext, 3, &block, &size) == errSecSuccess)
    #expect(size == 256)
    var opened = [UInt8](repeating: 0, count: 256)
    var count = opened.count
    #expect(SecKeyDecrypt(SampleKeys.rsa, padding, block, 256, &opened, &count) == errSecSuccess)
    #expect(Array(opened.prefix(count)) == plaintext)
    var none = 2
    #expect(SecKeyDecrypt(SampleKeys.rsa, padding, block, 256, &opened, &none) == errSecParam)
    size = 255
    #expect(SecKeyEncrypt(half, padding, plaintext, 3, &block, &size) == errSecParam)
    #expect(SecKeyEncrypt(half, .sigRaw, plaintext, 3, &block, &size) == errSecParam)
    #expect(
      SecKeyEncrypt(SampleKeys.curves[0], padding, plaintext, 3, &block, &size) == errSecParam
    )
  }
}
