import Foundation
import LocalAuthTestKit
import LocalAuthentication
import NotesCore
import Security
import Testing

@testable import NotesDevice

/// Accounts and logins, on a device whose finger and passcode the tests have.
@Suite struct LoginTests {
  @Test func aFirstStartMakesAnAccountAndALaterOneAsksForAFinger() throws {
    let phone = try Phone()
    try phone.use { app in
      app.start()
      #expect(app.session.view == .firstStart)
      app.createAccount(name: "ann", password: Secret(copying: "open sesame".utf8))
      #expect(app.session.view == .notes(name: "ann"))
    }
    try phone.restart()
    try phone.device.sensor.match()
    try phone.use { app in
      app.start()
      #expect(app.session.view == .notes(name: "ann"))
    }
    #expect(phone.device.prompts.count == 1, "the keychain believes what the context has proven")
  }

  @Test func whatOpensTheAccountIsBoundToTheDeviceAndAsks() throws {
    let phone = try Phone.ofAnn()
    let backup = try phone.device.backUp(password: "a password of twelve")
    #expect(backup.items == 1)
    #expect(backup.leftOut == ["accessControl": 1, "passcodeSet": 2])
  }

  @Test func aWrongPasswordSaysSoCountsAndDoesNotTellNameFromPassword() throws {
    let phone = try Phone.ofAnn()
    try phone.use { app in
      app.logOut()
      var views: [Session.View] = []
      for (name, password) in [("ann", "barley"), ("bob", "open sesame"), ("bob", "barley")] {
        app.logIn(name: name, password: Secret(copying: password.utf8))
        views.append(app.session.view)
      }
      #expect(
        views == (1...3).map { .login(name: "ann", touch: .ready, .wrong(times: $0)) }
      )
    }
    // Ending the app gives no attempt back.
    try phone.restart()
    try phone.device.sensor.script("fallback")
    try phone.use { app in
      app.start()
      app.logIn(name: "ann", password: Secret(copying: "barley".utf8))
      #expect(app.session.view == .login(name: "ann", touch: .ready, .wrong(times: 4)))
      app.logIn(name: "ann", password: Secret(copying: "open sesame".utf8))
      #expect(app.session.isOpen)
      app.logOut()
      app.logIn(name: "ann", password: Secret(copying: "barley".utf8))
      #expect(app.session.view == .login(name: "ann", touch: .ready, .wrong(times: 1)))
    }
  }

  @Test func fallbackLeadsToThePassword() throws {
    let phone = try Phone.ofAnn()
    try phone.restart()
    try phone.device.sensor.script("fallback")
    try phone.use { app in
      app.start()
      #expect(app.session.view == .login(name: "ann", touch: .ready, nil))
      app.logIn(name: "ann", password: Secret(copying: "open sesame".utf8))
      #expect(app.session.isOpen)
    }
  }

  /// `apple` locks fingers after five misses, and ends a prompt after three.
  @Test(arguments: [LockoutProfileName.threeStrikes, .apple])
  func threeMissesLeadToThePasscodeAndThenFingersCountAgain(
    _ lockout: LockoutProfileName
  ) throws {
    let phone = try Phone.ofAnn(lockout: lockout)
    try phone.restart()
    try phone.device.sensor.script("miss, miss, miss")
    try phone.device.sensor.script("passcode:2468")
    try phone.use { app in
      app.start()
      #expect(app.session.isOpen)
      app.logOut()
      #expect(app.session.view == .login(name: "ann", touch: .ready, .loggedOut))
    }
  }

  @Test func tooManyWrongPasscodesSayHowLongNoneIsJudgedAndThePasswordOpens() throws {
    let phone = try Phone.ofAnn()
    try phone.restart()
    try phone.device.sensor.miss(times: 3)
    try phone.device.sensor.script("passcode:1111, passcode:1112, passcode:1113")
    try phone.use { app in
      app.start()
      #expect(app.session.view == .login(name: "ann", touch: .lockedOut, .wrongPasscode))
      try phone.device.sensor.script("passcode:1114")
      app.logInByTouch()
      let wait = Touch.throttled(.seconds(60))
      #expect(app.session.view == .login(name: "ann", touch: wait, .wrongPasscode))
      try phone.device.clock.advance(by: .seconds(20))
      app.logInByTouch()
      let rest = Touch.throttled(.seconds(40))
      #expect(app.session.view == .login(name: "ann", touch: rest, nil))
      app.logIn(name: "ann", password: Secret(copying: "open sesame".utf8))
      #expect(app.session.isOpen)
      app.logOut()
      #expect(app.session.view == .login(name: "ann", touch: rest, .loggedOut))
      try phone.device.clock.advance(by: .seconds(40))
      app.logInByTouch()
      #expect(app.session.view == .login(name: "ann", touch: .lockedOut, nil))
      try phone.device.sensor.script("passcode:2468")
      app.logInByTouch()
      #expect(app.session.isOpen)
    }
  }

  @Test func afterTheLastWrongPasscodeNoneIsJudgedAndThePasswordOpens() throws {
    let phone = try Phone.ofAnn()
    try phone.restart()
    try phone.device.sensor.miss(times: 3)
    try phone.device.sensor.script("cancel")
    try phone.use { app in
      app.start()
      for number in 1...10 {
        try phone.device.sensor.script("passcode:900\(number), cancel")
        app.logInByTouch()
        try phone.device.clock.advance(by: .seconds(9 * 3600))
        // A look says that there is another try.
        app.start()
      }
      guard case .login(_, .throttled(nil), _) = app.session.view else {
        Issue.record("\(app.session.view)")
        return
      }
      app.logIn(name: "ann", password: Secret(copying: "open sesame".utf8))
      #expect(app.session.isOpen)
    }
  }

  /// The app asks by `LAContext`; the item asks too, whoever reads it.
  @Test func whatATouchOpensAsksByItselfWhereNobodyHasProvenAnything() throws {
    let phone = try Phone.ofAnn()
    try phone.use { app in
      let profile = try #require(try app.accounts.readProfile())
      let item = app.accounts.touch(of: profile.identifier)
      let silent = LAContext()
      silent.interactionNotAllowed = true
      #expect(throws: AppItem.Failure.locked) { try item.data(silent) }
      try phone.device.sensor.miss(times: 3)
      #expect(throws: AppItem.Failure.refused) { try item.data() }
      try phone.device.sensor.script("passcode:2468")
      #expect(try app.accounts.passcode(of: profile.identifier).data() != nil)
      try phone.device.sensor.match()
      #expect(try item.data() != nil)
    }
    #expect(!phone.device.prompts.isEmpty)
  }

  @Test func changedFingersOpenNothingUntilThePasswordIsTyped() throws {
    let phone = try Phone.ofAnn()
    try phone.restart()
    try phone.device.sensor.enroll(.leftIndex)
    try phone.use { app in
      app.start()
      #expect(app.session.view == .login(name: "ann", touch: .gone, nil))
      app.logIn(name: "ann", password: Secret(copying: "open sesame".utf8))
      #expect(app.session.isOpen)
      app.logOut()
      try phone.device.sensor.script("match:left-index")
      app.logInByTouch()
      #expect(app.session.isOpen)
    }
  }

  @Test func aPasscodeThatWasRemovedTakesTheTouchAlongUntilThePasswordIsTyped() throws {
    let phone = try Phone.ofAnn()
    try phone.restart()
    try phone.device.removePasscode()
    try phone.use { app in
      app.start()
      #expect(app.session.view == .login(name: "ann", touch: .noPasscode, nil))
    }
    try phone.device.setPasscode("1357")
    try phone.restart()
    try phone.use { app in
      app.start()
      #expect(app.session.view == .login(name: "ann", touch: .gone, nil))
      app.logIn(name: "ann", password: Secret(copying: "open sesame".utf8))
      app.logOut()
      try phone.device.sensor.match()
      app.logInByTouch()
      #expect(app.session.isOpen)
    }
  }

  @Test func aDeviceWithoutFingersTakesThePassword() throws {
    let phone = try Phone([])
    try phone.use { app in
      app.start()
      app.createAccount(name: "ann", password: Secret(copying: "open sesame".utf8))
      app.logOut()
      #expect(app.session.view == .login(name: "ann", touch: .unusable, .loggedOut))
      app.logIn(name: "ann", password: Secret(copying: "open sesame".utf8))
      #expect(app.session.isOpen)
    }
  }

  @Test func aDeviceWithoutPasscodeIsNeverLockedSaysSoAndTakesThePassword() throws {
    let phone = try Phone([], passcode: nil)
    try phone.use { app in
      app.start()
      app.createAccount(name: "ann", password: Secret(copying: "open sesame".utf8))
      #expect(app.session.view == .notes(name: "ann", hasPasscode: false))
      _ = app.write(Secret(copying: "a note".utf8))
      app.save()
      #expect(throws: (any Error).self) { try phone.device.lock() }
      try phone.device.reboot()
    }
    try phone.restart()
    try phone.use { app in
      app.start()
      #expect(app.session.view == .login(name: "ann", touch: .noPasscode, nil))
      app.logIn(name: "ann", password: Secret(copying: "open sesame".utf8))
      #expect(app.text(1) == "a note")
      // A passcode and a finger open the account after the next login.
      try phone.device.setPasscode("2468")
      try phone.device.sensor.enroll(.rightIndex)
      app.logOut()
      #expect(app.session.view == .login(name: "ann", touch: .gone, .loggedOut))
      app.logIn(name: "ann", password: Secret(copying: "open sesame".utf8))
      #expect(app.session.view == .notes(name: "ann"))
      app.logOut()
      #expect(app.session.view == .login(name: "ann", touch: .ready, .loggedOut))
    }
  }

  @Test func oneChangeIsOneUpdateAndTheReferenceStays() throws {
    let phone = try Phone.ofAnn()
    try phone.device.use {
      let item = AppItem("a", of: "test", accessible: kSecAttrAccessibleWhenUnlocked)
      try item.put(Data("one".utf8))
      let before = try Item(of: item)
      try phone.device.clock.advance(by: .seconds(10))
      try item.put(Data("two".utf8))
      let after = try Item(of: item)
      #expect(after.reference == before.reference)
      #expect(after.created == before.created)
      #expect(after.changed == before.changed.addingTimeInterval(10))
      #expect(try item.data() == Data("two".utf8))
      // What deletes and adds makes another item.
      try item.delete()
      try item.put(Data("two".utf8))
      #expect(try Item(of: item).reference != before.reference)
    }
  }
}
