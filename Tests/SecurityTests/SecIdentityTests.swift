import LocalAuthTestKit
import LocalAuthTestSupport
import Security
import Testing

@Suite(
  .enabled(if: OpenSSLProgram.isInstalled, "needs the openssl program")
)
struct SecIdentityTests {
  private let program = OpenSSLProgram()
  private let device: TestDevice

  init() throws { device = try TestDevice(fingers: [.rightIndex], passcode: "1234") }

  private static var all: [String: Any] {
    [kSecClass: kSecClassIdentity, kSecReturnRef: true, kSecMatchLimit: kSecMatchLimitAll]
  }

  private func identities(_ more: [String: Any] = [:]) -> [SecIdentity] {
    copy(Self.all.merging(more) { _, new in new }).result as? [SecIdentity] ?? []
  }

  @Test func isACertificateAndTheKeyThatItIsAbout() throws {
    let one = try identity(program, "one")
    let other = try identity(program, "other", OpenSSLProgram.rsa)
    let mine = try certificate(of: one)
    let key = try privateKey(of: one)
    let again = try #require(SecIdentityCreate(nil, mine, key))
    #expect(again == one)
    #expect(again.hash == one.hash)
    #expect(one != other)
    #expect(CFGetTypeID(one) == SecIdentityGetTypeID())
    let (others, othersKey) = (try certificate(of: other), try privateKey(of: other))
    #expect(SecIdentityCreate(nil, mine, othersKey) == nil)
    #expect(SecIdentityCreate(nil, others, key) == nil)
    let half = try #require(SecKeyCopyPublicKey(key))
    #expect(SecIdentityCreate(nil, mine, half) == nil)
  }

  @Test(arguments: [OpenSSLProgram.rsa, OpenSSLProgram.p256])
  func isAddedAsTwoItemsAndFoundAsOne(_ kind: [String]) throws {
    let one = try identity(program, "one", kind)
    try device.use {
      #expect(add([kSecValueRef: one]) == errSecSuccess)
      #expect(count(kSecClassCertificate) == 1)
      #expect(count(kSecClassKey) == 1)
      #expect(count(kSecClassIdentity) == 1)
      #expect(identities() == [one])
      let found = try #require(identities().first)
      let message = Data("a message".utf8)
      let algorithm: SecKeyAlgorithm =
        kind == OpenSSLProgram.rsa
        ? .rsaSignatureMessagePSSSHA256 : .ecdsaSignatureMessageX962SHA256
      let signature = try sign(message, algorithm, privateKey(of: found))
      let key = try #require(SecCertificateCopyKey(try certificate(of: one)))
      #expect(
        SecKeyVerifySignature(key, algorithm, message as CFData, signature as CFData, nil)
      )
    }
  }

  @Test func eachHalfIsAddedOnceAndOnlyBothAreADuplicate() throws {
    let one = try identity(program, "one")
    for half in [try certificate(of: one), try privateKey(of: one)] as [AnyObject] {
      try TestDevice().use {
        #expect(add([kSecValueRef: half]) == errSecSuccess)
        #expect(add([kSecValueRef: one]) == errSecSuccess)
        #expect(add([kSecValueRef: one, kSecClass: kSecClassIdentity]) == errSecDuplicateItem)
        #expect(identities() == [one])
      }
    }
  }

  @Test func whatIsAskedForOfANewOneComesInItsShape() throws {
    let one = try identity(program, "one")
    let half = try certificate(of: one)
    for hasCertificate in [false, true] {
      try TestDevice().use {
        if hasCertificate { #expect(add([kSecValueRef: half]) == 0) }
        var result: CFTypeRef?
        let item: [String: Any] = [kSecValueRef: one, kSecReturnPersistentRef: true]
        #expect(SecItemAdd(item as CFDictionary, &result) == errSecSuccess)
        let reference = try #require(result as? Data)
        #expect(reference.prefix(4) == Data("idnt".utf8))
        let query: [String: Any] = [kSecValuePersistentRef: reference, kSecReturnRef: true]
        #expect(copy(query).result as? SecIdentity == one)
        #expect(delete([kSecValuePersistentRef: reference]) == errSecSuccess)
        #expect(count(kSecClassCertificate) + count(kSecClassKey) == 0)
      }
    }
    try device.use {
      var result: CFTypeRef?
      let item: [String: Any] = [
        kSecValueRef: one, kSecReturnRef: true, kSecReturnAttributes: true,
      ]
      #expect(SecItemAdd(item as CFDictionary, &result) == errSecSuccess)
      let found = try #require(result as? [String: Any])
      #expect(found[kSecValueRef] as? SecIdentity == one)
      #expect(found[kSecClass] as? String == kSecClassIdentity)
      #expect(found[kSecAttrLabel] as? String == "one")
      #expect(found[kSecValueData] == nil)
    }
  }

  @Test func keychainHasTheKeyForACertificate() throws {
    let one = try identity(program, "one", OpenSSLProgram.rsa)
    let (half, key) = (try certificate(of: one), try privateKey(of: one))
    device.use {
      var found: SecIdentity?
      #expect(SecIdentityCreateWithCertificate(nil, half, &found) == errSecItemNotFound)
      #expect(found == nil)
      #expect(add([kSecValueRef: key]) == 0)
      #expect(SecIdentityCreateWithCertificate(nil, half, &found) == errSecSuccess)
      #expect(found == one)
    }
  }

  @Test func severalComeInTheOrderOfTheirCertificatesEachWithItsKey() throws {
    let names = ["one", "two", "three", "four"]
    let all = try names.map { try identity(program, $0) }
    let keys = try all.map { try privateKey(of: $0) }
    let der = SecCertificateCopyData(try certificate(of: all[3])) as Data
    device.use {
      // The keys in another order.
      for key in keys.reversed() { #expect(add([kSecValueRef: key]) == 0) }
      for one in all { #expect(add([kSecValueRef: one]) == 0) }
      #expect(identities() == all)
      #expect(identities([kSecMatchLimit: 2]).count == 2)
      #expect(identities([kSecAttrLabel: "three"]) == [all[2]])
      #expect(copy([kSecClass: kSecClassIdentity, kSecReturnRef: true]).result is SecIdentity)
      let query: [String: Any] = [kSecValueRef: all[1], kSecReturnAttributes: true]
      #expect((copy(query).result as? [String: Any])?[kSecAttrLabel] as? String == "two")
      let data: [String: Any] = [kSecValueRef: all[3], kSecReturnData: true]
      #expect(copy(data).result as? Data == der)
    }
  }

  @Test func keyStaysAsLongAsACertificateHasIt() throws {
    let one = try identity(program, "one")
    try program.check(
      ["req", "-x509", "-key", "one.key", "-subj", "/CN=renewed", "-outform", "DER", "-out", "r"]
    )
    let renewed = try #require(
      SecCertificateCreateWithData(nil, Data(program.read("r")) as CFData)
    )
    try device.use {
      #expect(add([kSecValueRef: one]) == 0)
      #expect(add([kSecValueRef: renewed]) == 0)
      #expect(identities().count == 2)
      #expect(delete([kSecValueRef: one]) == errSecSuccess)
      let left = try #require(SecIdentityCreate(nil, renewed, privateKey(of: one)))
      #expect(identities() == [left])
      #expect(delete([kSecValueRef: one]) == errSecItemNotFound)
      #expect(delete([kSecValueRef: left]) == errSecSuccess)
      #expect(count(kSecClassCertificate) + count(kSecClassKey) == 0)
      #expect(delete([kSecValueRef: one]) == errSecItemNotFound)
    }
  }

  @Test func deletingTheClassLeavesWhatIsInNoIdentity() throws {
    let one = try identity(program, "one")
    let lone = try certificate(program, "lone")
    let key = try privateKey(of: try identity(program, "other"))
    device.use {
      #expect(add([kSecValueRef: one]) == 0)
      #expect(add([kSecValueRef: lone]) == 0)
      #expect(add([kSecValueRef: key]) == 0)
      #expect(delete([kSecClass: kSecClassIdentity]) == errSecSuccess)
      #expect(delete([kSecClass: kSecClassIdentity]) == errSecItemNotFound)
      #expect(count(kSecClassCertificate) == 1)
      #expect(count(kSecClassKey) == 1)
    }
  }

  @Test func changeIsOneOfBothHalves() throws {
    let one = try identity(program, "one")
    let two = try identity(program, "two")
    device.use {
      #expect(add([kSecValueRef: one]) == 0)
      #expect(add([kSecValueRef: two]) == 0)
      let changes = [kSecAttrLabel: "new"] as CFDictionary
      #expect(SecItemUpdate([kSecValueRef: one] as CFDictionary, changes) == errSecSuccess)
      #expect(count(kSecClassCertificate, [kSecAttrLabel: "new"]) == 1)
      #expect(count(kSecClassKey, [kSecAttrLabel: "new"]) == 1)
      #expect(SecItemUpdate([kSecClass: kSecClassIdentity] as CFDictionary, changes) == 0)
      #expect(count(kSecClassKey, [kSecAttrLabel: "new"]) == 2)
      #expect(identities([kSecAttrLabel: "new"]).count == 2)
    }
  }

  @Test func protectedKeyTakesOneProof() throws {
    let one = try identity(program, "one")
    try device.use {
      let control = try #require(
        SecAccessControlCreateWithFlags(
          nil,
          kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly,
          .biometryAny,
          nil
        )
      )
      let (half, key) = (try certificate(of: one), try privateKey(of: one))
      #expect(add([kSecValueRef: half]) == 0)
      #expect(add([kSecValueRef: key, kSecAttrAccessControl: control]) == 0)
      let silent = Self.all.merging(
        [kSecUseAuthenticationUI: kSecUseAuthenticationUIFail]
      ) { _, new in new }
      #expect(copy(silent).status == errSecInteractionNotAllowed)
      try device.sensor.script("match")
      #expect(identities() == [one])
      try device.sensor.script("miss, miss, miss")
      #expect(copy(Self.all).status == errSecAuthFailed)
      #expect(delete([kSecValueRef: one]) == errSecSuccess)
    }
  }

  @Test func keyThatTheKeychainMadeMakesAnIdentityToo() throws {
    try device.use {
      let parameters: [String: Any] = [
        kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256,
        kSecAttrTokenID: kSecAttrTokenIDSecureEnclave,
        kSecPrivateKeyAttrs: [kSecAttrIsPermanent: true],
      ]
      let key = try thrown { SecKeyCreateRandomKey(parameters as CFDictionary, $0) }
      let point = try external(try #require(SecKeyCopyPublicKey(key)))
      let made = try issued(to: point)
      let identity = try #require(SecIdentityCreate(nil, made, key))
      #expect(add([kSecValueRef: identity]) == errSecSuccess)
      let found = try #require(identities().first)
      #expect(found == identity)
      let signature = try sign(Data([1]), .ecdsaSignatureMessageX962SHA256, privateKey(of: found))
      let half = try #require(SecCertificateCopyKey(made))
      let message = Data([1]) as CFData
      #expect(
        SecKeyVerifySignature(
          half,
          .ecdsaSignatureMessageX962SHA256,
          message,
          signature as CFData,
          nil
        )
      )
    }
  }

  /// A certificate that another key signed, for the key with this point.
  private func issued(to point: Data) throws -> SecCertificate {
    _ = try certificate(program, "root")
    let info: [UInt8] = [
      0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x08,
      0x2a,
      0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
    ]
    program.write(info + point, to: "public.der")
    try program.check(["pkey", "-pubin", "-inform", "DER", "-in", "public.der", "-out", "public"])
    try program.check(
      [
        "x509", "-new", "-subj", "/CN=kept", "-force_pubkey", "public", "-CA", "root.pem", "-CAkey",
        "root.key", "-outform", "DER", "-out", "kept.der",
      ]
    )
    let der = Data(program.read("kept.der")) as CFData
    return try #require(SecCertificateCreateWithData(nil, der))
  }
}
