import Foundation
import Security
import Testing

@Suite struct NamesTests {
  /// A constant's name with what stands behind it, in the order of the file.
  private typealias Declarations = [String: [[String]]]

  private func declarations(
    in folder: String,
    _ pattern: some RegexComponent<(Substring, Substring, Substring)>
  ) throws -> Declarations {
    try SourceText.files(in: folder).compactMapValues { text in
      let found = text.matches(of: pattern).map { [String($0.output.1), String($0.output.2)] }
      return found.isEmpty ? nil : found
    }
  }

  @Test func everyConstantHasATwinThatIsAnObject() throws {
    let strings = try declarations(
      in: "LocalAuthSecurity",
      #/public let (kSec\w+): CFString = "([^"]*)"/#
    )
    let objects = try declarations(
      in: "LocalAuthSecurityObjects",
      #/@_disfavoredOverload public var (\w+): NSString \{\s+LocalAuthSecurity\.(\w+) as NSString\s+\}/#
    )
    #expect(strings.values.joined().count == 175)
    #expect(strings.mapValues { $0.map(\.[0]) } == objects.mapValues { $0.map(\.[0]) })
    for twin in objects.values.joined() { #expect(twin[0] == twin[1]) }
  }

  @Test func everyConstantIsDeclaredInTheFormThatTheTestsRead() throws {
    for (file, text) in try SourceText.files(in: "LocalAuthSecurity") {
      for match in text.matches(of: #/public (let|var) (kSec\w+)(: CFString = ")?/#) {
        if match.output.2 == "kSecRandomDefault" { continue }
        #expect(match.output.3 != nil, "\(file): \(match.output.2)")
      }
    }
  }

  @Test func noTwoAttributesHaveTheSameName() throws {
    let text = try #require(
      try SourceText.files(in: "LocalAuthSecurity")["ItemAttributes.swift"]
    )
    let names = text.matches(of: #/= "([^"]*)"/#).map { String($0.output.1) }
    let twice = Dictionary(grouping: names) { $0 }.filter { $0.value.count > 1 }.keys.sorted()
    // A key's type and an item's type are one attribute; so are the two spellings of a reference.
    #expect(twice == ["persistref", "type"])
  }

  @Test func aTwinIsTheSameText() {
    let pairs: [(String, NSString)] = [
      (kSecClass, kSecClass), (kSecAttrAccount, kSecAttrAccount),
      (kSecAttrAccessibleWhenUnlocked, kSecAttrAccessibleWhenUnlocked),
      (kSecAttrProtocolSSH, kSecAttrProtocolSSH), (kSecMatchLimitAll, kSecMatchLimitAll),
      (kSecAttrTokenIDSecureEnclave, kSecAttrTokenIDSecureEnclave),
      (kSecImportItemIdentity, kSecImportItemIdentity),
    ]
    for (text, object) in pairs { #expect(text as NSString == object) }
  }

  @Test func macsOwnConstantsHaveApplesValues() {
    #expect(kSecAttrAccess == "acls")
    #expect(kSecAttrKeyType3DES == "17")
    #expect(kSecAttrKeyTypeAES == "2147483649")
    #expect(kSecAttrKeyTypeECDSA == kSecAttrKeyTypeEC)
    #expect(kSecAttrPRFHmacAlgSHA256 == "hsha256")
    #expect(kSecMatchSubjectStartsWith == "m_SubjectStartsWith")
    #expect(kSecUseKeychain == "u_Keychain")
    #expect(kSecPrivateKeyAttrs == "private")
    #expect(kSecPublicKeyAttrs == "public")
    #expect(kSecImportExportPassphrase == "passphrase")
    #expect(kSecSharedPassword == "spwd")
  }
}
