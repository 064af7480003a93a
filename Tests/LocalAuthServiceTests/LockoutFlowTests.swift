import LocalAuthCore
import LocalAuthService
import Synchronization
import Testing

@Suite struct LockoutFlowTests {
  @Test func theThirdMissLocksAndOnlyThePasscodeOpens() throws {
    let rig = Rig()
    rig.makeDevice()
    #expect(try rig.outcome(script: "miss,miss,miss")?.code == .biometryLockout)
    #expect(try rig.outcome(script: "match")?.code == .biometryLockout)
    #expect(try rig.outcome("device-owner", script: "passcode:1234") == .success)
    #expect(try rig.outcome(script: "match") == .success)
  }

  @Test func thePasscodeOpensTheSensorsOwnLockToo() throws {
    let rig = Rig()
    rig.makeDevice()
    #expect(try rig.outcome(script: "lockout,match")?.code == .biometryLockout)
    #expect(try rig.outcome(script: "match")?.code == .biometryLockout)
    #expect(try rig.outcome("passcode", script: "passcode:1234") == .success)
    #expect(try rig.outcome(script: "match") == .success)
  }

  @Test func missesCountAcrossEvaluations() throws {
    let rig = Rig()
    rig.makeDevice()
    for _ in 1...2 {
      let hearing = try rig.evaluate(script: "miss,cancel")
      rig.run()
      #expect(hearing.result?.outcome.code == .userCancel)
    }
    #expect(try rig.outcome(script: "miss")?.code == .biometryLockout)
  }

  @Test func aMatchBeginsTheCountAnew() throws {
    let rig = Rig()
    rig.makeDevice()
    #expect(try rig.outcome(script: "miss,miss,match") == .success)
    #expect(try rig.status().attemptsLeft == 3)
  }

  @Test func aPoorSampleIsNoMiss() throws {
    let rig = Rig()
    rig.makeDevice()
    let hearing = try rig.evaluate(script: "retry:partial,retry:dirty,retry:too-fast,match")
    rig.run()
    #expect(hearing.result?.outcome == .success)
    #expect(hearing.result?.attempts == 1)
    #expect(hearing.result?.scriptEventsLeft == 0)
  }

  @Test func theThirdMissMovesDeviceOwnerToThePasscode() throws {
    let rig = Rig()
    rig.makeDevice()
    let hearing = try rig.evaluate("device-owner", script: "miss,miss,miss,passcode:1234")
    rig.run()
    #expect(hearing.result?.outcome == .success)
    #expect(hearing.result?.method == "passcode")
    #expect(hearing.result?.attempts == 4)
  }

  @Test func wrongPasscodesAreThrottledByTheTable() throws {
    let rig = Rig()
    rig.makeDevice()
    #expect(
      try rig.outcome("passcode", script: "passcode:0,passcode:0,passcode:0")?.code
        == .authenticationFailed
    )
    let fourth = try #require(try rig.outcome("passcode", script: "passcode:0"))
    #expect(fourth.code == .passcodeThrottled)
    #expect(fourth.retryAfter == .seconds(60))
    #expect(try rig.outcome("passcode", script: "passcode:1234")?.code == .passcodeThrottled)
    rig.clock.pass(.seconds(60))
    #expect(try rig.outcome("passcode", script: "passcode:1234") == .success)
  }

  @Test func aRebootStartsTheThrottleOverAndAsksForThePasscode() throws {
    let rig = Rig()
    rig.makeDevice()
    _ = try rig.outcome("passcode", script: "passcode:0,passcode:0,passcode:0")
    _ = try rig.outcome("passcode", script: "passcode:0")
    rig.clock.pass(.seconds(50))
    rig.engine.reboot("sim", caller: rig.caller) { _ in }
    rig.run()
    #expect(try rig.outcome("passcode")?.retryAfter == .seconds(60))
    rig.clock.pass(.seconds(61))
    #expect(try rig.outcome(script: "match")?.code == .biometryLockout)
    #expect(try rig.outcome("passcode", script: "passcode:1234") == .success)
    #expect(try rig.outcome(script: "match") == .success)
  }

  @Test func aWallClockSetBackGainsNothing() throws {
    let rig = Rig()
    rig.makeDevice()
    _ = try rig.outcome("passcode", script: "passcode:0,passcode:0,passcode:0")
    _ = try rig.outcome("passcode", script: "passcode:0")
    rig.clock.moment.wall.milliseconds -= 365 * 86_400_000
    #expect(try rig.outcome("passcode")?.retryAfter == .seconds(60))
    rig.clock.moment.wall.milliseconds += 2 * 365 * 86_400_000
    #expect(try rig.outcome("passcode")?.retryAfter == .seconds(60))
  }

  @Test func anUntrustedRecordNeedsThePasscodeAndIsGuardedWhenItIsProven() throws {
    let source = Rig()
    source.makeDevice()
    var state = source.store.state
    state.distrusted = state.devices.map(\.identity)
    let rig = Rig(state: state)
    #expect(try rig.outcome(script: "match")?.code == .biometryLockout)
    rig.store.commits.withLock { $0.removeAll() }
    #expect(try rig.outcome("passcode", script: "passcode:1234") == .success)
    #expect(rig.store.commits.withLock { $0.map(\.kind) } == [.guarded, .guarded])
    #expect(try rig.outcome(script: "match") == .success)
  }

  @Test func anAccountsUntrustedRecordIsGuardedWhenItIsProvenThroughAnotherDevice() throws {
    let source = Rig()
    source.makeDevice(passcode: nil, pam: "one")
    // The account has a record of its own once something was counted on it.
    source.engine.unlock("sim", passcode: .of("guess"), caller: source.caller) { _ in }
    while source.store.finishNext(.success(())) { source.engine.completionsArrived() }
    source.pam.conversations.last?.say(.prompt(text: "Password:", echoes: false))
    source.pam.conversations.last?.say(.ended(.miss))
    source.run()
    var state = source.store.state
    let account = try #require(source.store.account)
    state.devices.append(account)
    state.distrusted = [account.identity]
    let rig = Rig(state: state)
    rig.run()
    rig.store.commits.withLock { $0.removeAll() }
    rig.engine.unlock("sim", passcode: .of("right"), caller: rig.caller) { _ in }
    while rig.store.finishNext(.success(())) { rig.engine.completionsArrived() }
    rig.pam.conversations.last?.say(.prompt(text: "Password:", echoes: false))
    rig.pam.conversations.last?.say(.ended(.proven(finger: nil, generation: nil)))
    rig.run()
    let ofAccount = rig.store.commits.withLock { commits in
      commits.filter { commit in
        commit.changes.contains { change in
          guard case .device(let record) = change else { return false }
          return record.identity == account.identity
        }
      }
    }
    #expect(ofAccount.map(\.kind) == [.guarded, .guarded])
  }

  @Test func underTheAppleProfileTheThirdMissFailsAndTheFifthLocks() throws {
    let rig = Rig()
    rig.makeDevice(lockout: "apple")
    #expect(try rig.outcome(script: "miss,miss,miss")?.code == .authenticationFailed)
    #expect(try rig.outcome(script: "miss,miss")?.code == .biometryLockout)
  }

  @Test func underTheAndroidProfileTheFifthMissRefusesForHalfAMinute() throws {
    let rig = Rig()
    rig.makeDevice(lockout: "android")
    let outcome = try #require(try rig.outcome(script: "miss,miss,miss,miss,miss"))
    #expect(outcome.code == .biometryLockout)
    #expect(outcome.retryAfter == .seconds(30))
    rig.clock.pass(.seconds(30))
    #expect(try rig.outcome(script: "match") == .success)
  }
}
