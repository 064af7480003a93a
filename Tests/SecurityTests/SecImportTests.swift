import LocalAuthTestKit
import LocalAuthTestSupport
import Security
import Testing

@Suite(
  .enabled(if: OpenSSLProgram.isInstalled, "needs the openssl program")
)
struct SecImportTests {
  private let program = OpenSSLProgram()
  private let device: TestDevice

  init() throws { device = try TestDevice(fingers: [.rightIndex], passcode: "1234") }

  private func file(_ passphrase: String = "hunter2", _ options: [String] = []) throws -> [UInt8] {
    _ = try certificate(program, "root")
    _ = try certificate(program, "ann", issuer: "root")
    return try program.bundle(
      "ann",
      passphrase: passphrase,
      ["-certfile", "root.pem", "-name", "a name"] + options
    )
  }

  @Test(arguments: [[], ["-legacy"]])
  func fileHasAnIdentityWithTheCertificatesUpToTheRoot(_ options: [String]) throws {
    let (status, items) = imported(
      try file("hunter2", options),
      [kSecImportExportPassphrase: "hunter2"]
    )
    #expect(status == errSecSuccess)
    #expect(items?.count == 1)
    let item = try #require(items?.first)
    let identity = try #require(item[kSecImportItemIdentity] as? SecIdentity)
    let chain = try #require(item[kSecImportItemCertChain] as? [SecCertificate])
    #expect(chain.map { SecCertificateCopySubjectSummary($0) } == ["ann", "root"])
    #expect(try certificate(of: identity) == chain[0])
    #expect(item[kSecImportItemLabel] as? String == "ann")
    let attributes = SecKeyCopyAttributes(try privateKey(of: identity)) as? [String: Any]
    #expect(item[kSecImportItemKeyID] as? Data == attributes?[kSecAttrApplicationLabel] as? Data)
    device.use { #expect(count(kSecClassCertificate) == 0) }
  }

  @Test func everyWrongInputHasItsOneStatus() throws {
    let good = try file()
    let right: [String: Any] = [kSecImportExportPassphrase: "hunter2"]
    let nothing: [[String: Any]]? = nil
    for (options, status) in [
      ([:], errSecAuthFailed), ([kSecImportExportPassphrase: ""], errSecAuthFailed),
      ([kSecImportExportPassphrase: "hunter3"], errSecAuthFailed),
      ([kSecImportExportPassphrase: 7], errSecParam),
      ([kSecImportExportPassphrase: Data("hunter2".utf8)], errSecParam),
    ] as [([String: Any], OSStatus)] {
      let answer = imported(good, options)
      #expect(answer.status == status)
      #expect(answer.items?.count == nothing?.count)
    }
    for bad in [
      [], [0x30], Array(good.dropLast()), good + [0], program.read("ann.der"),
      program.read("ann.pem"), [UInt8](repeating: 0x30, count: 2_000_000),
    ] {
      #expect(imported(bad, right).status == errSecDecode)
    }
    _ = try certificate(program, "ed", ["ed25519"])
    let other = try program.bundle("ed", passphrase: "hunter2")
    #expect(imported(other, right).status == errSecDecode)
  }

  @Test func codeOfEveryStyleIsUnderstood() throws {
    let file = try file()
    var items: CFArray?
    let options: NSDictionary = [kSecImportExportPassphrase as NSString: "hunter2"]
    #expect(SecPKCS12Import(NSData(data: Data(file)), options, &items) == noErr)
    let first = try #require((items! as NSArray).firstObject as? NSDictionary)
    let identity = first[kSecImportItemIdentity as String] as! SecIdentity
    var made: SecCertificate?
    SecIdentityCopyCertificate(identity, &made)
    let typed = try #require(items as? [[String: AnyObject]])
    let chain = typed[0][kSecImportItemCertChain as String] as! [SecCertificate]
    #expect(chain.first == made)
    #expect(CFGetTypeID(typed[0][kSecImportItemIdentity as String]) == SecIdentityGetTypeID())
    let mutable = NSMutableDictionary()
    mutable[kSecImportExportPassphrase] = "hunter2" as NSString
    #expect(SecPKCS12Import(Data(file) as CFData, mutable as CFDictionary, &items) == noErr)
    #expect(SecPKCS12Import(Data(file) as CFData, [7: "x"] as CFDictionary, &items) == errSecParam)
  }

  @Test func emptyPassphraseIsNone() throws {
    let file = try file("")
    #expect(imported(file, [:]).status == errSecSuccess)
    #expect(imported(file, [kSecImportExportPassphrase: ""]).status == errSecSuccess)
    #expect(imported(file, [kSecImportExportPassphrase: "x"]).status == errSecAuthFailed)
  }

  @Test func certificatesOfNoIdentityComeLast() throws {
    let lone = try certificate(program, "lone")
    _ = try file()
    let bundle = try program.bundle(
      "ann",
      passphrase: "x",
      ["-certfile", "lone.pem"]
    )
    let (_, items) = imported(bundle, [kSecImportExportPassphrase: "x"])
    #expect(items?.count == 2)
    #expect(items?.last?[kSecImportItemCertChain] as? [SecCertificate] == [lone])
    #expect(items?.last?[kSecImportItemIdentity] == nil)
  }

  @Test func isAddedToTheKeychainOnceWhereTheOptionsSaySo() throws {
    let file = try file()
    device.use {
      let options: [String: Any] = [
        kSecImportExportPassphrase: "hunter2", kSecUseDataProtectionKeychain: true,
        kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock, kSecImportToMemoryOnly: false,
      ]
      for _ in 0..<2 {
        #expect(imported(file, options).status == errSecSuccess)
        #expect(count(kSecClassIdentity) == 1)
        #expect(count(kSecClassCertificate) == 2)
        #expect(count(kSecClassKey) == 1)
      }
      #expect(
        count(kSecClassKey, [kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock]) == 1
      )
      var wrong = options
      wrong[kSecAttrAccessGroup] = "theirs"
      let answer = imported(file, wrong)
      #expect(answer.status == errSecMissingEntitlement)
      #expect(answer.items?.count == 1)
    }
  }

  @Test func staysInMemoryWhereTheOptionsSaySo() throws {
    let file = try file()
    device.use {
      let options: [String: Any] = [
        kSecImportExportPassphrase: "hunter2", kSecUseDataProtectionKeychain: true,
        kSecImportToMemoryOnly: true,
      ]
      #expect(imported(file, options).status == errSecSuccess)
      #expect(count(kSecClassIdentity) == 0)
      #expect(count(kSecClassKey) == 0)
    }
  }

  @Test func importedKeySignsForItsCertificate() throws {
    _ = try certificate(program, "rsa", OpenSSLProgram.rsa)
    let file = try program.bundle("rsa", passphrase: "x", ["-legacy"])
    let items = imported(file, [kSecImportExportPassphrase: "x"]).items
    let identity = try #require(items?.first?[kSecImportItemIdentity] as? SecIdentity)
    let message = Data("a message".utf8)
    let signature = try sign(message, .rsaSignatureMessagePKCS1v15SHA512, privateKey(of: identity))
    program.write(Array(message), to: "message")
    program.write(Array(signature), to: "signature")
    try program.check(["pkey", "-in", "rsa.key", "-pubout", "-out", "public.pem"])
    try program.check(
      ["dgst", "-sha512", "-verify", "public.pem", "-signature", "signature", "message"]
    )
  }
}
