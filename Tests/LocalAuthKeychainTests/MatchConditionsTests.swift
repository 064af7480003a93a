import LocalAuthKeychain
import Testing

@Suite struct MatchConditionsTests {
  @Test func issuersAndPolicyAreUnimplementedForAnythingButCertificates() {
    for name in ["genp", "inet", "keys"] {
      let query: QueryDictionary = ["class": .text(name)]
      #expect(queryStatus(query.with("m_Issuers", .list([]))) == .unimplemented)
      #expect(queryStatus(query.with("m_Policy", .opaque)) == .unimplemented)
    }
    for name in ["cert", "idnt"] {
      let query: QueryDictionary = ["class": .text(name)]
      #expect(queryStatus(query.with("m_Issuers", .list([.data([1])]))) == .success)
      #expect(queryStatus(query.with("m_Policy", .opaque)) == .success)
    }
  }

  @Test func theHostIsUnimplementedForAnythingButInternetPasswords() {
    for name in ["genp", "cert", "keys", "idnt"] {
      let query: QueryDictionary = ["class": .text(name), "m_HostOrSubdomainOfHost": .text("a")]
      #expect(queryStatus(query) == .unimplemented)
    }
  }

  @Test func wrongTypesOfThemAreParameterFaults() {
    let certificate: QueryDictionary = ["class": .text("cert")]
    #expect(queryStatus(certificate.with("m_Issuers", .data([1]))) == .param)
    #expect(queryStatus(certificate.with("m_Issuers", .list([.text("CN")]))) == .param)
    #expect(queryStatus(certificate.with("m_Policy", .text("ssl"))) == .param)
    let password: QueryDictionary = ["class": .text("inet")]
    #expect(queryStatus(password.with("m_HostOrSubdomainOfHost", .number(1))) == .param)
  }

  @Test func caseInsensitiveIsIgnoredForGenericPasswords() throws {
    let stored = try item(["class": .text("genp"), "acct": .text("Anna")])
    let query: QueryDictionary = ["class": .text("genp"), "m_CaseInsensitive": .boolean(true)]
    #expect(try finds(query.with("acct", .text("Anna")), stored))
    #expect(try !finds(query.with("acct", .text("anna")), stored))
  }

  @Test func aHostMatchesItselfAndWhatIsBelowIt() throws {
    for (server, isFound) in [
      ("example.com", true), ("www.Example.com", true), ("a.b.example.com", true),
      ("notexample.com", false), ("example.org", false), ("", false),
    ] {
      let stored = try item(["class": .text("inet"), "srvr": .text(server)])
      let query: QueryDictionary = [
        "class": .text("inet"), "m_HostOrSubdomainOfHost": .text("example.com"),
      ]
      #expect(try finds(query, stored) == isFound, "\(server)")
    }
  }

  @Test func anIssuerMustBeOneOfThoseNamed() throws {
    let stored = try item(["class": .text("cert"), "issr": .data([1, 2])])
    let query: QueryDictionary = ["class": .text("cert")]
    #expect(try finds(query.with("m_Issuers", .list([.data([9]), .data([1, 2])])), stored))
    #expect(try !finds(query.with("m_Issuers", .list([.data([9])])), stored))
    #expect(try !finds(query.with("m_Issuers", .list([])), stored))
  }

  @Test func whatOnlyX509CanJudgeIsHandedOnAndNeverDropped() throws {
    let query: QueryDictionary = ["class": .text("cert"), "m_TrustedOnly": .boolean(true)]
    let parsed = try ItemQuery(query, groups: ownGroups)
    #expect(parsed.selection.conditions.certificate == [.matchTrustedOnly: .boolean(true)])
  }
}
