import LocalAuthCore
import LocalAuthPolicies
import Testing

@Suite struct UserPoliciesTests {
  private static let reservation =
    "allowed: urn:localauth:acr:user, or one that no policy of this machine carries"

  private func directory(_ path: String, _ files: [(String, String)]) -> PolicyDirectory {
    PolicyDirectory(
      path: path,
      files: files.map { .init(path: $0.0, contents: .bytes(Array($0.1.utf8))) }
    )
  }

  private func catalog(
    system: [(String, String)] = [],
    _ files: (String, String)...
  ) -> PolicyCatalog {
    PolicyCatalog(system: directory("/etc/p", system), user: directory("/home/p", files))
  }

  private func policy(_ name: String, _ more: String = "") -> String {
    #"{"name": "\#(name)", "summary": "s", "requirement": "biometry"\#(more)}"#
  }

  @Test func addsANameUnderUser() {
    let catalog = catalog(("policy/mine.json", policy("mine")))
    #expect(catalog.policy(named: "user/mine").value?.name == "user/mine")
    #expect(catalog.policy(named: "user/mine").value?.acr == PolicyCatalog.userACR)
    #expect(catalog.origin(of: "user/mine") == .user("/home/p/policy/mine.json"))
    #expect(catalog.policy(named: "mine").value == nil)
  }

  @Test func neverShadowsAPolicyOfTheMachine() {
    let catalog = catalog(
      ("policy/biometrics.json", policy("biometrics", #", "reuseLimit": "0s""#))
    )
    #expect(catalog.policy(named: "biometrics").value?.reuseLimit == .seconds(300))
    #expect(catalog.origin(of: "biometrics")?.word == "shipped")
    #expect(catalog.policy(named: "user/biometrics").value?.reuseLimit == .zero)
  }

  @Test func theNameInTheFileIsBare() {
    let catalog = catalog(("policy/mine.json", policy("user/mine")))
    #expect(
      catalog.policy(named: "user/mine").message
        == "/home/p/policy/mine.json:1:10: \"name\" cannot be \"user/mine\"; allowed: "
        + "1 to 64 of a-z, 0-9 and '-', beginning with a letter or digit; "
        + "'user/' is put before it by itself"
    )
  }

  @Test(arguments: [
    "urn:localauth:acr:biometrics", "urn:localauth:acr:anything", "URN:LocalAuth:acr:passcode",
    "urn:corp:high", "URN:corp:high",
  ])
  func carriesNoACROfTheMachine(_ acr: String) {
    let catalog = catalog(
      system: [("policy/high.json", policy("high", #", "acr": "urn:corp:high""#))],
      ("policy/mine.json", policy("mine", #", "acr": "\#(acr)""#))
    )
    #expect(
      catalog.policy(named: "user/mine").message
        == "/home/p/policy/mine.json:1:68: \"acr\" cannot be \"\(acr)\"; \(Self.reservation)"
    )
  }

  @Test func mayCarryAnACRThatNothingElseHas() {
    for acr in [PolicyCatalog.userACR, "urn:home:casual"] {
      let catalog = catalog(("policy/mine.json", policy("mine", #", "acr": "\#(acr)""#)))
      #expect(catalog.policy(named: "user/mine").value?.acr == acr)
    }
  }

  @Test func mayNameALockoutProfileButNotDefineOne() {
    let catalog = catalog(
      ("policy/mine.json", policy("mine", #", "lockout": "apple""#)),
      ("policy/other.json", policy("other", #", "lockout": "easy""#)),
      ("lockout/easy.json", #"{"name": "easy", "summary": "s", "locksAt": 100}"#),
      ("passcode-delay/apple.json", #"{"name": "apple", "summary": "s", "locksAt": 100}"#)
    )
    #expect(catalog.policy(named: "user/mine").value?.lockout == "apple")
    #expect(catalog.policy(named: "user/other").message?.contains("no lockout profile") == true)
    #expect(catalog.lockoutProfileNames == PolicyCatalog().lockoutProfileNames)
    #expect(catalog.passcodeDelays(named: "apple").value?.delays.locksAt == 10)
    #expect(
      catalog.problems.first?.description
        == "/home/p/lockout/easy.json: this file is not read; allowed: policy/NAME.json with NAME "
        + "of 1 to 64 of a-z, 0-9 and '-', beginning with a letter or digit"
    )
  }

  @Test func aBrokenFileSpoilsNothingElse() {
    let catalog = catalog(
      ("policy/good.json", policy("good")),
      ("policy/bad.json", "{}"),
      ("policy/.bad.json.swp", "x")
    )
    #expect(catalog.policy(named: "user/good").value != nil)
    #expect(
      catalog.policy(named: "user/bad").message
        == "/home/p/policy/bad.json:1:1: the key \"name\" is missing; it is required here"
    )
    #expect(catalog.problems.count == 1)
    #expect(catalog.policy(named: "biometrics").value != nil)
  }

  @Test func whatCannotBeReadIsSaid() {
    let catalog = PolicyCatalog(
      user: PolicyDirectory(
        path: "/home/p",
        files: [.init(path: "policy/a.json", contents: .unreadable("I/O error"))],
        failure: "Permission denied"
      )
    )
    #expect(
      catalog.policy(named: "user/b").message == "/home/p: cannot be read: Permission denied"
    )
    #expect(catalog.policy(named: "biometrics").value != nil)
    #expect(catalog.names.contains("user/"), "a list says it of all together")
    #expect(
      catalog.problems.map(\.description) == [
        "/home/p: cannot be read: Permission denied",
        "/home/p/policy/a.json: cannot be read: I/O error",
      ]
    )
  }

  @Test func checksAFileWithoutAddingIt() {
    let catalog = PolicyCatalog()
    let bytes = Array(policy("draft", #", "acr": "urn:localauth:acr:passcode""#).utf8)
    #expect(catalog.check(bytes, file: "x.json").value?.name == "draft")
    #expect(
      catalog.check(bytes, file: "x.json", asUser: true).message
        == "x.json:1:69: \"acr\" cannot be \"urn:localauth:acr:passcode\"; \(Self.reservation)"
    )
    let missing = Array(policy("draft", #", "lockout": "none""#).utf8)
    #expect(catalog.check(missing, file: "x.json").value == nil)
    #expect(!catalog.names.contains("draft"))
  }

  @Test func saysWhatIsWrongWithAFileOfAnyKind() {
    let catalog = PolicyCatalog()
    let profile = Array(#"{"name": "easy", "summary": "s", "locksAt": 9}"#.utf8)
    for kind in [PolicyKind.lockout, .passcodeDelay] {
      #expect(catalog.problem(in: profile, file: "x", kind: kind) == nil)
      #expect(
        catalog.problem(in: profile, file: "x", kind: kind, asUser: true)?.description
          .hasPrefix("x: this file is not read; allowed: policy/NAME.json") == true
      )
      #expect(
        catalog.problem(in: [], file: "x", kind: kind)?.description
          == "x:1:1: the text ends too early; complete the value"
      )
    }
    #expect(catalog.problem(in: profile, file: "x", kind: .policy) != nil)
    #expect(
      catalog.problem(in: profile, file: "x", kind: .sensor)?.description
        .hasPrefix("x:1:34: unknown key \"locksAt\"") == true
    )
    let sensor = Array((catalog.source(of: "nist", kind: .sensor) ?? "").utf8)
    #expect(catalog.problem(in: sensor, file: "x", kind: .sensor) == nil)
    #expect(catalog.problem(in: Array(policy("p").utf8), file: "x", kind: .policy) == nil)
  }

  @Test func theFolderOfAFileSaysItsKind() {
    #expect(PolicyKind(ofFileAt: "/etc/localauth/policies/lockout/a.json") == .lockout)
    #expect(PolicyKind(ofFileAt: "passcode-delay/a.json") == .passcodeDelay)
    #expect(PolicyKind(ofFileAt: "sensor/a.json") == .sensor)
    for path in ["a.json", "", "/tmp/a.json", "lockout", "policy/a.json"] {
      #expect(PolicyKind(ofFileAt: path) == .policy, "\(path)")
    }
    for path in ["a.json", "./a.json", "", "/tmp/a.json", "lockout"] {
      #expect(PolicyKind(folderOfFileAt: path) == nil, "\(path)")
    }
    #expect(PolicyKind(folderOfFileAt: "policy/a.json") == .policy)
  }
}
