import LocalAuthTestKit
import LocalAuthTestSupport
import Security
import Testing

@Suite(
  .enabled(if: OpenSSLProgram.isInstalled, "needs the openssl program")
)
struct SecCertificateTests {
  private let program = OpenSSLProgram()
  private let device: TestDevice

  init() throws { device = try TestDevice(fingers: [.rightIndex], passcode: "1234") }

  // MARK: What it says

  @Test func saysWhatItIsMadeOf() throws {
    let der = try program.certify(
      "ann",
      subject: "/C=DE/O=Acme  Corp/CN=Ann",
      extensions: ["subjectAltName=email:a@b.c"]
    )
    let made = try #require(SecCertificateCreateWithData(nil, Data(der) as CFData))
    #expect(SecCertificateCopyData(made) as Data == Data(der))
    #expect(SecCertificateCopySubjectSummary(made) == "Ann")
    var name: CFString?
    #expect(SecCertificateCopyCommonName(made, &name) == errSecSuccess)
    #expect(name == "Ann")
    #expect(SecCertificateCopyCommonName(made, nil) == errSecSuccess)
    var addresses: CFArray?
    #expect(SecCertificateCopyEmailAddresses(made, &addresses) == errSecSuccess)
    #expect(addresses as? [String] == ["a@b.c"])
    #expect((SecCertificateCopySerialNumberData(made, nil) as Data?)?.count ?? 0 >= 1)
    let start = try #require(SecCertificateCopyNotValidBeforeDate(made) as Date?)
    let end = try #require(SecCertificateCopyNotValidAfterDate(made) as Date?)
    #expect(end.timeIntervalSince(start) == 30 * 86_400)
    #expect(abs(start.timeIntervalSinceNow) < 3_600)
    let subject = try #require(SecCertificateCopyNormalizedSubjectSequence(made) as Data?)
    #expect(subject.first == 0x30)
    #expect(subject.range(of: Data("ACME CORP".utf8)) != nil)
    #expect(SecCertificateCopyNormalizedIssuerSequence(made) as Data? == subject)
  }

  @Test func isEqualToOneOfTheSameBytes() throws {
    let made = try certificate(program, "a")
    let again = try #require(SecCertificateCreateWithData(nil, SecCertificateCopyData(made)))
    let other = try certificate(program, "b")
    #expect(made == again)
    #expect(made.hash == again.hash)
    #expect(made != other)
    #expect(CFEqual(made, again))
    #expect(!CFEqual(made, other))
    #expect(CFGetTypeID(made) == SecCertificateGetTypeID())
    #expect(CFGetTypeID(made) != SecKeyGetTypeID())
    #expect(CFGetTypeID(made) != SecIdentityGetTypeID())
    #expect(Set([made, again, other]).count == 2)
  }

  @Test(arguments: [OpenSSLProgram.rsa, OpenSSLProgram.p256])
  func keyVerifiesWhatItsOtherHalfSigned(_ kind: [String]) throws {
    let identity = try identity(program, "a", kind)
    let key = try #require(SecCertificateCopyKey(try certificate(of: identity)))
    let algorithm: SecKeyAlgorithm =
      kind == OpenSSLProgram.rsa
      ? .rsaSignatureMessagePKCS1v15SHA256 : .ecdsaSignatureMessageX962SHA256
    let message = Data("a message".utf8)
    let signature = try sign(message, algorithm, privateKey(of: identity))
    #expect(
      SecKeyVerifySignature(key, algorithm, message as CFData, signature as CFData, nil)
    )
  }

  @Test func keyOfAnotherKindIsNone() throws {
    let other = try certificate(program, "a", ["ed25519"])
    var key: SecKey?
    #expect(SecCertificateCopyKey(other) == nil)
    #expect(SecCertificateCopyPublicKey(other, &key) == errSecUnimplemented)
    #expect(key == nil)
  }

  @Test func functionsOfOlderSystemsAnswerTheSame() throws {
    let made = try certificate(program, "a")
    var key: SecKey?
    #expect(SecCertificateCopyPublicKey(made, &key) == errSecSuccess)
    #expect(key == SecCertificateCopyKey(made))
    #expect(SecCertificateCopyPublicKey(made) == key)
    let number = SecCertificateCopySerialNumberData(made, nil) as Data?
    #expect(SecCertificateCopySerialNumber(made) as Data? == number)
    #expect(SecCertificateCopySerialNumber(made, nil) as Data? == number)
  }

  @Test func whatIsNoCertificateIsNil() throws {
    let der = try program.certify("a", subject: "/CN=a")
    for data in [
      Data(), Data([0]), Data("-----BEGIN CERTIFICATE-----".utf8), Data(program.read("a.pem")),
      Data(der.dropLast()), Data(der.dropFirst()), Data(count: 1_000_000),
    ] {
      #expect(SecCertificateCreateWithData(nil, data as CFData) == nil)
    }
    let nameless = try certificate(program, "b", subject: "/")
    #expect(SecCertificateCopySubjectSummary(nameless) == nil)
    #expect(SecCertificateCopyCommonName(nameless, nil) == -26_276)
    var addresses: CFArray?
    #expect(SecCertificateCopyEmailAddresses(nameless, &addresses) == errSecSuccess)
    #expect(addresses as? [String] == [])
  }

  // MARK: As an item

  @Test func isAddedAsAnObjectWithWhatItSaysOfItself() throws {
    let made = try certificate(program, "Ann", subject: "/O=acme corp/CN=Ann")
    try device.use {
      #expect(add([kSecValueRef: made]) == errSecSuccess)
      #expect(add([kSecValueRef: made, kSecClass: kSecClassCertificate]) == errSecDuplicateItem)
      let query: [String: Any] = [kSecClass: kSecClassCertificate, kSecReturnAttributes: true]
      let found = try #require(copy(query).result as? [String: Any])
      #expect(found[kSecAttrLabel] as? String == "Ann")
      #expect(found[kSecAttrCertificateType] as? Int == 3)
      #expect(found[kSecAttrCertificateEncoding] as? Int == 3)
      let serial = SecCertificateCopySerialNumberData(made, nil) as Data?
      #expect(found[kSecAttrSerialNumber] as? Data == serial)
      let sequence = try #require(SecCertificateCopyNormalizedSubjectSequence(made) as Data?)
      #expect(found[kSecAttrSubject] as? Data == sequence.dropFirst(2))
      #expect(found[kSecAttrIssuer] as? Data == sequence.dropFirst(2))
      let key = try #require(SecCertificateCopyKey(made))
      let label = (SecKeyCopyAttributes(key) as? [String: Any])?[kSecAttrApplicationLabel]
      #expect(found[kSecAttrPublicKeyHash] as? Data == label as? Data)
      #expect(found[kSecAttrSubjectKeyID] as? Data == label as? Data)
      #expect(found[kSecAttrAccessible] as? String == kSecAttrAccessibleAlways)
      #expect(found[kSecValueData] == nil)
    }
  }

  @Test func whatTheDictionarySaysCountsMore() throws {
    let made = try certificate(program, "Ann")
    device.use {
      #expect(
        add([kSecValueRef: made, kSecAttrLabel: "mine", kSecAttrSubject: Data([1])]) == 0
      )
      let query: [String: Any] = [kSecAttrLabel: "mine", kSecClass: kSecClassCertificate]
      let result = copy(query.merging([kSecReturnAttributes: true]) { $1 }).result
      #expect((result as? [String: Any])?[kSecAttrSubject] as? Data == Data([1]))
    }
  }

  @Test func comesBackAsAnObjectInEveryShape() throws {
    let made = try certificate(program, "Ann")
    let other = try certificate(program, "Bob")
    device.use {
      var added: CFTypeRef?
      let item: [String: Any] = [kSecValueRef: made, kSecReturnRef: true]
      #expect(SecItemAdd(item as CFDictionary, &added) == errSecSuccess)
      #expect(added as? SecCertificate == made)
      #expect(add([kSecValueRef: other]) == errSecSuccess)

      let query: [String: Any] = [
        kSecClass: kSecClassCertificate, kSecReturnRef: true, kSecAttrLabel: "Ann",
      ]
      #expect(copy(query).result as? SecCertificate == made)
      let all: [String: Any] = [
        kSecClass: kSecClassCertificate, kSecReturnRef: true, kSecMatchLimit: kSecMatchLimitAll,
      ]
      #expect(copy(all).result as? [SecCertificate] == [made, other])
      let both = copy(query.merging([kSecReturnData: true]) { $1 }).result as? [String: Any]
      #expect(both?[kSecValueRef] as? SecCertificate == made)
      #expect(both?[kSecValueData] as? Data == SecCertificateCopyData(made) as Data)
      #expect(both?[kSecClass] as? String == kSecClassCertificate)
      #expect(both?[kSecAttrLabel] == nil)
      let data = copy([kSecValueRef: other, kSecReturnData: true]).result as? Data
      #expect(data == SecCertificateCopyData(other) as Data)
    }
  }

  @Test func isFoundChangedAndDeletedAsAnObject() throws {
    let made = try certificate(program, "Ann")
    let other = try certificate(program, "Bob")
    device.use {
      #expect(copy([kSecValueRef: made]).status == errSecItemNotFound)
      #expect(add([kSecValueRef: made]) == 0)
      #expect(add([kSecValueRef: other]) == 0)
      #expect(copy([kSecValueRef: made]).status == errSecSuccess)
      let changes: [String: Any] = [kSecAttrLabel: "new"]
      #expect(SecItemUpdate([kSecValueRef: made] as CFDictionary, changes as CFDictionary) == 0)
      #expect(count(kSecClassCertificate, [kSecAttrLabel: "new"]) == 1)
      #expect(count(kSecClassCertificate, [kSecAttrLabel: "Bob"]) == 1)
      #expect(delete([kSecValueRef: made]) == errSecSuccess)
      #expect(delete([kSecValueRef: made]) == errSecItemNotFound)
      #expect(count(kSecClassCertificate) == 1)
    }
  }

  @Test func isFoundByTheNameOfItsIssuerHoweverThatIsWritten() throws {
    let root = try certificate(program, "root", subject: "/O=Acme   Corp/CN=Root")
    let leaf = try certificate(program, "leaf", issuer: "root")
    let issuer = try #require(SecCertificateCopyNormalizedIssuerSequence(leaf) as Data?)
    let asWritten = Self.subject(in: SecCertificateCopyData(root) as Data)
    #expect(asWritten != issuer)
    let other = try certificate(program, "other")
    device.use {
      #expect(add([kSecValueRef: leaf]) == 0)
      #expect(add([kSecValueRef: other]) == 0)
      for name in [issuer, asWritten] {
        let query: [String: Any] = [
          kSecClass: kSecClassCertificate, kSecMatchIssuers: [name], kSecReturnRef: true,
          kSecMatchLimit: kSecMatchLimitAll,
        ]
        #expect(copy(query).result as? [SecCertificate] == [leaf])
      }
      let nobody: [String: Any] = [kSecClass: kSecClassCertificate, kSecMatchIssuers: [Data()]]
      #expect(copy(nobody).status == errSecItemNotFound)
    }
  }

  /// The first SEQUENCE around "Acme   Corp" whose content is a name: issuer or subject.
  private static func subject(in der: Data) -> Data {
    guard let place = der.range(of: Data("Acme   Corp".utf8)) else { return Data() }
    // SEQUENCE { SET { SEQUENCE { OBJECT of 3 bytes, text } } … } before the text.
    let start = place.lowerBound - 13
    return der[start..<start + 2 + Int(der[start + 1])]
  }

  @Test func whatIsWrongHasItsStatus() throws {
    let made = try certificate(program, "Ann")
    device.use {
      #expect(add([kSecValueRef: made, kSecClass: kSecClassKey]) == errSecParam)
      #expect(add([kSecValueRef: made, kSecValueData: Data([1])]) == errSecParam)
      #expect(add([kSecValueRef: made, kSecAttrService: "x"]) == errSecNoSuchAttr)
      #expect(add([kSecValueRef: "a certificate"]) == errSecParam)
      #expect(copy([kSecValueRef: NSNull(), kSecReturnRef: true]).status == errSecParam)
      let raw: [String: Any] = [kSecClass: kSecClassCertificate, kSecValueData: Data([1, 2])]
      #expect(add(raw) == errSecSuccess)
      let query: [String: Any] = [kSecClass: kSecClassCertificate, kSecReturnRef: true]
      #expect(copy(query).status == errSecDecode)
      #expect(copy(query).result == nil)
    }
  }
}
