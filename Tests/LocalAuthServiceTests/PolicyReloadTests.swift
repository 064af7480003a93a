import LocalAuthCore
import LocalAuthKeychain
import LocalAuthPolicies
import LocalAuthService
import Testing

/// Policies, profiles and tables that change while the engine runs.
@Suite struct PolicyReloadTests {
  private func directory(_ files: [String: String]) -> PolicyDirectory {
    var directory = PolicyDirectory(path: "/etc/localauth/policies")
    directory.files = files.map { path, text in
      PolicyDirectory.File(path: path, contents: .bytes(Array(text.utf8)))
    }
    return directory
  }

  private func catalog(_ files: [String: String]) -> PolicyCatalog {
    PolicyCatalog(system: directory(files))
  }

  private func policy(_ requirement: String) -> [String: String] {
    [
      "policy/ours.json":
        "{\"name\": \"ours\", \"summary\": \"Ours.\", \"requirement\": \"\(requirement)\"}"
    ]
  }

  private func profile(_ misses: Int) -> [String: String] {
    [
      "lockout/ours.json":
        "{\"name\": \"ours\", \"summary\": \"Ours.\", \"locksAt\": \(misses)}"
    ]
  }

  @Test func nextEvaluationIsUnderWhatTheFileSaysNow() throws {
    let rig = Rig(system: directory(policy("passcode")))
    rig.makeDevice()
    #expect(try rig.outcome("ours", script: "match, cancel")?.code != .success)
    rig.engine.takeUp(catalog(policy("biometry")))
    #expect(try rig.outcome("ours", script: "match") == .success)
    rig.engine.takeUp(catalog([:]))
    #expect(throws: EngineError.self) { try rig.outcome("ours", script: "match") }
  }

  @Test func evaluationInProgressGoesOnUnderThePolicyThatItBeganWith() throws {
    let rig = Rig(system: directory(policy("biometry")))
    rig.makeDevice()
    let hearing = try rig.evaluate("ours")
    rig.run()
    rig.engine.takeUp(catalog(policy("passcode")))
    rig.touch(.rightIndex)
    rig.run()
    #expect(hearing.result?.outcome == .success)
  }

  @Test func deviceCountsByItsProfileAsTheFileSaysNow() throws {
    let rig = Rig(system: directory(profile(5)))
    rig.makeDevice(lockout: "ours")
    #expect(try rig.outcome(script: "miss, miss, cancel")?.code == .userCancel)
    #expect(try rig.status().attemptsLeft == 3)
    // What was counted stays counted.
    rig.engine.takeUp(catalog(profile(3)))
    #expect(try rig.status().attemptsLeft == 1)
    #expect(try rig.outcome(script: "miss, match")?.code == .biometryLockout)
  }

  @Test func profileWithAMistakeLeavesADeviceTheOneThatItHas() throws {
    let rig = Rig(system: directory(profile(5)))
    rig.makeDevice(lockout: "ours")
    rig.engine.takeUp(catalog(["lockout/ours.json": "{"]))
    #expect(try rig.status().attemptsLeft == 5)
    #expect(try rig.outcome(script: "match") == .success)
  }

  @Test func keysStayWhereTheyAre() throws {
    let rig = Rig()
    rig.makeDevice()
    rig.engine.unlock("sim", passcode: .of("1234"), caller: rig.caller) { _ in }
    rig.run()
    #expect(try rig.status().lockState == .unlocked)
    rig.engine.takeUp(catalog(policy("passcode")))
    #expect(try rig.status().lockState == .unlocked)
  }

  @Test func deviceThatCouldNotBeLoadedIsOnceItsProfileIsMended() throws {
    let first = Rig(system: directory(profile(5)))
    first.makeDevice(lockout: "ours")
    _ = try first.outcome(script: "miss, miss, cancel")
    first.run()
    let rig = Rig(state: first.store.state, system: directory(["lockout/ours.json": "{"]))
    rig.run()
    #expect(throws: EngineError.self) { try rig.status() }
    // A mistake of another kind is still one.
    rig.engine.takeUp(catalog([:]))
    #expect(throws: EngineError.self) { try rig.status() }
    rig.engine.takeUp(catalog(profile(5)))
    // Its counts are those that were stored.
    #expect(try rig.status().attemptsLeft == 3)
    #expect(try rig.outcome(script: "match") == .success)
  }

  @Test func successIsNotRememberedUnderAPolicyThatChanged() throws {
    let granting = { (maxAge: String) in
      [
        "policy/ours.json":
          "{\"name\": \"ours\", \"summary\": \"Ours.\", \"requirement\": \"biometry\", "
          + "\"grant\": {\"maxAge\": \"\(maxAge)\"}}"
      ]
    }
    let rig = Rig(system: directory(granting("5m")))
    rig.makeDevice()
    let shell = CallerScope(
      uid: 1000,
      bounds: .session(.init(id: 40, start: 7), terminal: 34816),
      program: .init(device: 1, inode: 2)
    )
    let grant = GrantRequest(caller: shell, maxAge: .seconds(60))
    _ = try rig.evaluate("ours", script: "match", grant: grant)
    rig.run()
    let again = try rig.evaluate("ours", isInteractive: false, grant: grant)
    rig.run()
    #expect(again.result?.outcome == .success)
    rig.engine.takeUp(catalog(granting("4m")))
    let changed = try rig.evaluate("ours", isInteractive: false, grant: grant)
    rig.run()
    #expect(changed.result?.outcome.code != .success)
  }
}
