import Foundation
import LocalAuthFiles
import LocalAuthTestKit
import NotesCore
import Security
import Testing

@testable import NotesDevice

/// What becomes of the app when the device is locked, unlocked and restarted.
@Suite struct LockTests {
  @Test func beforeTheFirstUnlockNobodySignsInAnewAndNoKeyIsTouched() async throws {
    let phone = try Phone.ofAnn()
    let number = phone.identifier()
    try phone.device.reboot()
    try phone.restart()
    await phone.hears { $0 == .beforeFirstUnlock }
    try phone.use { app in
      app.start()
      #expect(app.session.view == .grey(.beforeFirstUnlock))
      app.createAccount(name: "eve", password: Secret(copying: "eve's password".utf8))
      app.logIn(name: "ann", password: Secret(copying: "open sesame".utf8))
      try app.reset()
      #expect(app.deviceIdentifier() == nil)
      #expect(app.session.view == .grey(.beforeFirstUnlock))
    }
    try phone.device.unlock()
    await phone.hears { $0 == .available }
    try phone.device.sensor.match()
    try phone.use { app in
      app.heard(.didBecomeAvailable)
      #expect(app.session.view == .notes(name: "ann"), "it resumes by itself")
      #expect(app.deviceIdentifier() == number)
    }
  }

  /// The keychain says "not found" of an item that never was, whatever the device's state.
  @Test func notFoundIsNotBelievedOfALockedDevice() async throws {
    let phone = try Phone()
    try phone.device.lock()
    await phone.hears { $0 != .available }
    try phone.use { app throws in
      #expect(try app.accounts.readProfile() == nil)
      app.start()
      #expect(app.session.view == .grey(.locked))
      #expect(!app.session.takesNewAccount)
    }
  }

  @Test func aLockMakesADraftOfUnsavedTextAndTheNextLoginBringsItBack() async throws {
    let phone = try Phone.ofAnn()
    try phone.use { _ = $0.write(Secret(copying: "half a".utf8)) }
    try phone.device.lock()
    await phone.hears { $0 != .available }
    try phone.use { app in
      app.heard(.willBecomeUnavailable)
      #expect(app.session.view == .grey(.locked))
      #expect(app.drafts.numbers() == [1] && !app.hasUnsavedText)
    }
    try phone.device.clock.advance(by: .seconds(11))
    await phone.hears { $0 == .locked }
    #expect(failure { _ = try phone.app.drafts.text(1) } == .locked)
    try phone.device.unlock()
    await phone.hears { $0 == .available }
    try phone.device.sensor.match()
    try phone.use { app in
      app.heard(.didBecomeAvailable)
      #expect(app.unsavedText == "half a")
      app.save()
      #expect(app.drafts.numbers() == [] && app.text(1) == "half a")
    }
  }

  /// The device is locked for good before the app hears of it: the file of class A fails, the draft does not.
  @Test func aLockDuringASaveLosesNothing() async throws {
    let phone = try Phone.ofAnn()
    try phone.use { app in
      _ = app.write(Secret(copying: "first".utf8))
      app.save()
      _ = app.write(Secret(copying: "second".utf8))
    }
    try phone.device.lock()
    try phone.device.clock.advance(by: .seconds(11))
    await phone.hears { $0 == .locked }
    try phone.use { app in
      app.save()
      #expect(app.session.view == .grey(.locked))
      #expect(app.notes.numbers() == [1])
      #expect(app.drafts.numbers() == [1])
    }
    try phone.device.unlock()
    await phone.hears { $0 == .available }
    try phone.device.sensor.match()
    try phone.use { app in
      app.heard(.didBecomeAvailable)
      #expect(app.unsavedText == "second")
      #expect(app.text(1) == "first")
    }
  }

  @Test func theInboxFillsWhileTheDeviceIsLocked() async throws {
    let phone = try Phone.ofAnn()
    try phone.device.reboot()
    try phone.restart()
    await phone.hears { $0 == .beforeFirstUnlock }
    for text in ["one", "two"] {
      try NotesApp.receive(
        Secret(copying: text.utf8),
        home: phone.home,
        device: phone.device.device
      )
    }
    #expect(failure { _ = try phone.app.inbox.text(1) } == .locked)
    try phone.device.unlock()
    await phone.hears { $0 == .available }
    try phone.device.sensor.match()
    try phone.use { app in
      app.start()
      #expect(app.cameIn == 2 && app.inbox.numbers() == [])
      #expect(app.numbers.map { app.text($0) } == ["one", "two"])
      try NotesApp.receive(
        Secret(copying: "three".utf8),
        home: phone.home,
        device: phone.device.device
      )
      app.fetch()
      #expect(app.numbers.map { app.text($0) } == ["one", "two", "three"])
      app.logOut()
      app.fetch()
      #expect(app.inbox.numbers() == [] && app.notes.numbers() == [1, 2, 3])
    }
  }

  @Test func settingsCanBeReadOnALockedDevice() async throws {
    let phone = try Phone.ofAnn()
    try phone.use { try $0.setIdle(seconds: 60) }
    try phone.device.lock()
    try phone.device.clock.advance(by: .seconds(11))
    try phone.restart()
    await phone.hears { $0 == .locked }
    #expect(phone.app.session.idleLimit == .seconds(60))
  }

  @Test func whoeverIsAskedWhileTheDeviceIsLockedLogsInNobody() async throws {
    let phone = try Phone.ofAnn()
    try phone.restart()
    let device = phone.device
    let answer = AnswerBox()
    let asked = Thread {
      try? phone.use { app in
        app.start()
        #expect(!app.session.isOpen)
        // The news waited for its turn.
        app.heard(.willBecomeUnavailable)
      }
      answer.set(phone.app.session.view)
    }
    asked.start()
    while try !device.status().isPrompting { await Task.yield() }
    try device.lock()
    #expect(await answer.value() == .grey(.locked))
  }
}

/// What another thread found.
private final class AnswerBox: @unchecked Sendable {
  private let (stream, continuation) = AsyncStream<Session.View>.makeStream()

  func set(_ view: Session.View) { continuation.yield(view) }

  func value() async -> Session.View? { await stream.first { _ in true } }
}
