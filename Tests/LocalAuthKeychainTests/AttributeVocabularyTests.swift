import LocalAuthKeychain
import Testing

@Suite struct AttributeVocabularyTests {
  @Test func everyProtocolAndAuthenticationTypeHasFourLetters() {
    for word in InternetProtocol.allCases { #expect(word.rawValue.utf8.count == 4) }
    for word in InternetAuthentication.allCases { #expect(word.rawValue.utf8.count == 4) }
  }

  @Test func theProtocolsAreApples() {
    let words: Set = [
      "ftp ", "ftpa", "http", "irc ", "nntp", "pop3", "smtp", "sox ", "imap", "ldap", "atlk",
      "afp ", "teln", "ssh ", "ftps", "htps", "htpx", "htsx", "ftpx", "smb ", "rtsp", "rtsx",
      "daap", "eppc", "ipp ", "ntps", "ldps", "tels", "imps", "ircs", "pops",
    ]
    #expect(Set(InternetProtocol.allCases.map(\.rawValue)) == words)
    #expect(InternetProtocol.https.rawValue == "htps")
  }

  @Test func theAuthenticationTypesAreApples() {
    let words: Set = ["ntlm", "msna", "dpaa", "rpaa", "http", "httd", "form", "dflt"]
    #expect(Set(InternetAuthentication.allCases.map(\.rawValue)) == words)
    #expect(InternetAuthentication.httpDigest.rawValue == "httd")
  }

  @Test func aProtocolIsTakenAsTheTextItIs() throws {
    let stored = try item(["class": .text("inet"), "ptcl": .text("htps"), "port": .text("")])
    #expect(stored.value(of: .protocol) == .text("htps"))
    #expect(stored.value(of: .port) == .text(""))
  }

  @Test func keyClassesAndTypesGivenAsApplesTextsAreNumbers() throws {
    let stored = try item(["class": .text("keys"), "kcls": .text("1"), "type": .text("73")])
    #expect(stored.value(of: .keyClass) == .number(KeyClass.private.rawValue))
    #expect(stored.value(of: .type) == .number(KeyType.ellipticCurve.rawValue))
  }
}
