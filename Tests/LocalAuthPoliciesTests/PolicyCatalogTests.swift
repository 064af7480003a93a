import LocalAuthCore
import LocalAuthPolicies
import LocalAuthSensor
import Testing

@Suite struct PolicyCatalogTests {
  private static let finger = #"{"name": "biometrics", "summary": "s", "requirement": "biometry"}"#

  private func directory(_ path: String, _ files: [(String, String)]) -> PolicyDirectory {
    PolicyDirectory(
      path: path,
      files: files.map { .init(path: $0.0, contents: .bytes(Array($0.1.utf8))) }
    )
  }

  private func system(_ files: (String, String)...) -> PolicyCatalog {
    PolicyCatalog(system: directory("/etc/localauth/policies", files))
  }

  private func policy(_ name: String, _ more: String = "") -> String {
    #"{"name": "\#(name)", "summary": "s", "requirement": "biometry"\#(more)}"#
  }

  @Test func anOverrideReplacesTheShippedPolicy() {
    let catalog = system(("policy/biometrics.json", policy("biometrics", #", "acr": "mine""#)))
    #expect(catalog.policy(named: "biometrics").value?.acr == "mine")
    #expect(
      catalog.origin(of: "biometrics") == .system("/etc/localauth/policies/policy/biometrics.json")
    )
    #expect(catalog.source(of: "biometrics")?.contains("mine") == true)
    #expect(catalog.names == PolicyCatalog().names)
  }

  @Test func aNewNameIsAdded() {
    let catalog = system(("policy/deploy.json", policy("deploy")))
    #expect(catalog.policy(named: "deploy").value?.acr == "urn:localauth:acr:deploy")
    #expect(catalog.names.contains("deploy"))
    #expect(catalog.origin(of: "deploy")?.word == "system")
    #expect(catalog.origin(of: "passcode") == .shipped("policy/passcode.json"))
  }

  @Test func aBrokenOverrideNeverFallsBackToWhatIsShipped() {
    let catalog = system(("policy/biometrics.json", policy("biometrics", #", "fallbck": 1"#)))
    #expect(
      catalog.policy(named: "biometrics").message?.hasPrefix(
        "/etc/localauth/policies/policy/biometrics.json:1:67: unknown key \"fallbck\"; allowed: "
      )
        == true
    )
    #expect(catalog.problems.count == 1)
    for name in catalog.names where name != "biometrics" {
      #expect(catalog.policy(named: name).value != nil, "\(name)")
    }
  }

  @Test func anUnreadableOverrideNeverFallsBackToWhatIsShipped() {
    for kind in PolicyKind.allCases {
      let path = "\(kind.rawValue)/apple.json"
      let catalog = PolicyCatalog(
        system: PolicyDirectory(
          path: "/etc/p",
          files: [.init(path: path, contents: .unreadable("Permission denied"))]
        )
      )
      let found =
        switch kind {
        case .policy: catalog.policy(named: "apple").message
        case .lockout: catalog.lockoutProfile(named: "apple").message
        case .passcodeDelay: catalog.passcodeDelays(named: "apple").message
        case .sensor: catalog.sensorProfile(named: "apple").message
        }
      #expect(found == "/etc/p/\(path): cannot be read: Permission denied")
    }
  }

  @Test func anUnreadableDirectoryMakesEverythingUnusable() {
    let catalog = PolicyCatalog(
      system: PolicyDirectory(path: "/etc/p", failure: "Permission denied")
    )
    let message = "/etc/p: cannot be read: Permission denied"
    for name in catalog.names { #expect(catalog.policy(named: name).message == message) }
    #expect(catalog.lockoutProfile(named: "three-strikes").message == message)
    #expect(catalog.passcodeDelays(named: "apple").message == message)
    #expect(catalog.sensorProfile(named: "standard").message == message)
    #expect(catalog.sensorProfiles.isEmpty)
    #expect(catalog.problems.map(\.description) == [message])
  }

  @Test func aFileMustSayTheNameThatItIsCalledBy() {
    let catalog = system(("policy/passcode.json", Self.finger))
    #expect(
      catalog.policy(named: "passcode").message
        == "/etc/localauth/policies/policy/passcode.json:1:10: \"name\" cannot be \"biometrics\"; "
        + "allowed: passcode, as the file is called"
    )
    #expect(catalog.origin(of: "biometrics")?.word == "shipped")
  }

  @Test func profilesAndTablesAreOverriddenToo() {
    let catalog = system(
      ("lockout/three-strikes.json", #"{"name": "three-strikes", "summary": "s", "locksAt": 2}"#),
      ("lockout/one.json", #"{"name": "one", "summary": "s", "locksAt": 1}"#),
      ("passcode-delay/apple.json", #"{"name": "apple", "summary": "s", "locksAt": 4}"#)
    )
    #expect(catalog.lockoutProfile(named: "three-strikes").value?.delays.locksAt == 2)
    #expect(catalog.lockoutProfile(named: "one").value?.delays.locksAt == 1)
    #expect(catalog.passcodeDelays(named: "apple").value?.delays.locksAt == 4)
    #expect(catalog.origin(of: "apple", kind: .lockout)?.word == "shipped")
    #expect(catalog.problems.isEmpty)
  }

  @Test func aBrokenProfileOverrideNeverFallsBack() {
    let catalog = system(("lockout/three-strikes.json", "{"))
    #expect(
      catalog.lockoutProfile(named: "three-strikes").message
        == "/etc/localauth/policies/lockout/three-strikes.json:1:2: "
        + "the text ends too early; complete the value"
    )
  }

  @Test func sensorsAreOverriddenToo() {
    let rates = #""source": "o", "calibration": {"dPrime": 5, "falseMatch": 0.001}"#
    let catalog = system(
      ("sensor/standard.json", #"{"name": "standard", "summary": "s", \#(rates)}"#),
      ("sensor/mine.json", #"{"name": "mine", "summary": "s", \#(rates)}"#)
    )
    #expect(catalog.sensorProfile(named: "standard").value?.model.scores.separation == 5)
    #expect(catalog.sensorProfiles.contains { $0.name == "mine" })
    #expect(catalog.origin(of: "mine", kind: .sensor)?.word == "system")
    #expect(catalog.problems.isEmpty)
  }

  @Test func aBrokenSensorOverrideNeverFallsBack() {
    let catalog = system(("sensor/standard.json", "{}"))
    #expect(
      catalog.sensorProfile(named: "standard").message
        == "/etc/localauth/policies/sensor/standard.json:1:1: the key \"name\" is missing; "
        + "it is required here"
    )
    #expect(!catalog.sensorProfiles.contains { $0.name == "standard" })
  }

  @Test func aPolicyMayNameAProfileOfTheSameDirectory() {
    let catalog = system(
      ("policy/strict.json", policy("strict", #", "lockout": "one""#)),
      ("lockout/one.json", #"{"name": "one", "summary": "s", "locksAt": 1}"#)
    )
    #expect(catalog.policy(named: "strict").value?.lockout == "one")
  }

  @Test func aPolicyThatNamesNoProfileOrABrokenOneCannotBeUsed() {
    let catalog = system(
      ("policy/a.json", policy("a", #", "lockout": "none""#)),
      ("policy/b.json", policy("b", #", "lockout": "apple""#)),
      ("lockout/apple.json", "7")
    )
    #expect(
      catalog.policy(named: "a").message
        == "/etc/localauth/policies/policy/a.json:1:69: there is no lockout profile \"none\"; "
        + "allowed: android, apple, faillock, fido, nist-800-63b, three-strikes and tpm"
    )
    #expect(
      catalog.policy(named: "b").message
        == "/etc/localauth/policies/lockout/apple.json:1:1: \"lockout profile\" must be an object"
    )
  }

  @Test func aSystemPolicyDoesNotCarryTheACROfUsers() {
    let catalog = system(
      ("policy/a.json", policy("a", #", "acr": "urn:localauth:acr:USER""#)),
      ("policy/user.json", policy("user"))
    )
    #expect(
      catalog.policy(named: "a").message
        == "/etc/localauth/policies/policy/a.json:1:65: \"acr\" cannot be "
        + "\"urn:localauth:acr:USER\"; allowed: any that users' own policies do not carry"
    )
    #expect(catalog.policy(named: "user").value == nil)
  }

  @Test(arguments: [
    "biometrics.json", "policy/biometrics.jsn", "policy/Biometrics.json", "policy/.json.json",
    "policies/biometrics.json", "policy/old/biometrics.json", "/policy/biometrics.json",
    "policy/biometrics.json~", "policy/a b.json", "policy/",
  ])
  func aMisplacedFileIsSaidAndNotRead(_ path: String) {
    let catalog = system((path, Self.finger))
    let isHidden = path == "policy/.json.json"
    #expect(catalog.problems.count == (isHidden ? 0 : 1))
    #expect(catalog.origin(of: "biometrics")?.word == "shipped")
    if let problem = catalog.problems.first {
      #expect(
        problem.description
          == "/etc/localauth/policies/\(path): this file is not read; allowed: policy/NAME.json, "
          + "lockout/NAME.json, passcode-delay/NAME.json and sensor/NAME.json with NAME of 1 to 64 of "
          + "a-z, 0-9 and '-', beginning with a letter or digit"
      )
    }
  }

  @Test func aNameThatIsNotThereIsAnsweredWithThoseThatAre() {
    #expect(
      PolicyCatalog().policy(named: "bio\nmetrics").message
        == "there is no policy \"bio\\u{a}metrics\"; allowed: biometrics, "
        + "biometrics-and-passcode, device-owner, device-owner-parallel, passcode, second-factor "
        + "and work-laptop"
    )
    #expect(
      PolicyCatalog().lockoutProfile(named: "").message
        == "there is no lockout profile \"\"; allowed: android, apple, faillock, fido, "
        + "nist-800-63b, three-strikes and tpm"
    )
    #expect(
      PolicyCatalog().passcodeDelays(named: "x").message
        == "there is no passcode delay table \"x\"; allowed: apple, apple-2023 and gatekeeper"
    )
    #expect(
      PolicyCatalog().sensorProfile(named: "x").message
        == "there is no sensor profile \"x\"; allowed: android-class-3, fido, goats, nist, standard, "
        + "v-smart-convenient, v-smart-medium and v-smart-secure"
    )
    #expect(PolicyCatalog().source(of: "x") == nil)
    #expect(PolicyCatalog().origin(of: "x", kind: .passcodeDelay) == nil)
  }

  @Test func veryManyNamesAreNotAllListed() {
    let files = (0..<50).map { ("policy/p\($0).json", policy("p\($0)")) }
    let catalog = PolicyCatalog(system: directory("/etc/p", files))
    #expect(catalog.policy(named: "x").message?.hasSuffix(" and 26 more") == true)
  }

  @Test(arguments: [
    (PolicyKind.policy, #"{"name": "mine", "summary": "s", "requirement": "passcode"}"#),
    (.lockout, #"{"name": "mine", "summary": "s", "locksAt": 3}"#),
    (.passcodeDelay, #"{"name": "mine", "summary": "s", "locksAt": 3}"#),
    (
      .sensor,
      #"{"name": "mine", "summary": "s", "source": "s", "calibration": {"dPrime": 6, "falseMatch": 0.1}}"#
    ),
  ])
  func aFileIsCheckedAsWhatItIsCalled(_ kind: PolicyKind, _ text: String) {
    let (catalog, bytes) = (PolicyCatalog(), Array(text.utf8))
    func problem(_ name: String) -> String? {
      catalog.problem(in: bytes, file: "F", kind: kind, called: name)?.description
    }
    #expect(PolicyCatalog.name(in: bytes, kind: kind) == "mine")
    #expect(PolicyCatalog.name(in: [], kind: kind) == nil)
    #expect(problem("mine.json") == nil)
    #expect(
      problem("other.json")
        == "F:1:10: \"name\" cannot be \"mine\"; allowed: other, as the file is called"
    )
    for name in ["mine", "Mine.json", ".mine.json"] {
      #expect(problem(name)?.hasPrefix("F: this file is not read; allowed: ") == true, "\(name)")
    }
    let bad = catalog.problem(in: [], file: "F", kind: kind, called: "mine.json")
    #expect(bad?.description == "F:1:1: the text ends too early; complete the value")
  }
}
