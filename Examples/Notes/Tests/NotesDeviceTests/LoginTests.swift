import Foundation
import LocalAuthTestKit
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

  @Test func threeMissesLeadToThePasscodeAndThenFingersCountAgain() throws {
    let phone = try Phone.ofAnn()
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
      #expect(app.session.view == .login(name: "ann", touch: .unusable, nil))
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

  @Test func aDeviceWithoutSensorTakesThePassword() throws {
    let phone = try Phone([], passcode: nil)
    try phone.use { app in
      app.start()
      app.createAccount(name: "ann", password: Secret(copying: "open sesame".utf8))
      app.logOut()
      #expect(app.session.view == .login(name: "ann", touch: .unusable, .loggedOut))
      app.logIn(name: "ann", password: Secret(copying: "open sesame".utf8))
      #expect(app.session.isOpen)
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

/// What the keychain says of an item.
struct Item {
  let reference: Data
  let created: Date
  let changed: Date

  init(of item: AppItem) throws {
    let query: [String: Any] = [
      kSecClass as String: kSecClassGenericPassword,
      kSecAttrService as String: "test",
      kSecAttrAccount as String: item.account,
      kSecReturnAttributes as String: true,
      kSecReturnPersistentRef as String: true,
    ]
    var found: CFTypeRef?
    #expect(SecItemCopyMatching(query as CFDictionary, &found) == errSecSuccess)
    let attributes = try #require(found as? [String: Any])
    reference = try #require(attributes[kSecValuePersistentRef as String] as? Data)
    created = try #require(attributes[kSecAttrCreationDate as String] as? Date)
    changed = try #require(attributes[kSecAttrModificationDate as String] as? Date)
  }
}
