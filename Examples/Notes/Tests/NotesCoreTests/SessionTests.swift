import NotesCore
import Testing

/// What the app does when, without a device.
@Suite struct SessionTests {
  private static let whole = Look.available(.whole(name: "ann", touch: .ready))

  /// A session of ann, who has logged in at the time 0.
  private func open(unsaved: Bool = false, touch: Touch = .ready) -> Session {
    var session = Session()
    _ = session.started()
    _ = session.looked(.available(.whole(name: "ann", touch: touch)))
    _ = session.answered(.opened(touch: touch), now: .zero)
    session.edited(hasUnsavedText: unsaved)
    return session
  }

  @Test func aFirstStartMakesAnAccount() {
    var session = Session()
    #expect(session.started() == [.look])
    #expect(session.looked(.available(.none)) == [])
    #expect(session.view == .firstStart && session.takesNewAccount)
    #expect(session.created(name: "ann", touch: .ready, now: .zero) == [.takeIn])
    #expect(session.view == .notes(name: "ann"))
    // Whoever logs out is not asked at once.
    #expect(session.loggedOut() == [.wipe, .look])
    #expect(session.looked(Self.whole) == [])
  }

  @Test(arguments: [Obstacle.beforeFirstUnlock, .locked, .unreachable])
  func whereTheDeviceCannotBeReadNobodySignsInAnew(_ obstacle: Obstacle) {
    var session = Session()
    _ = session.started()
    #expect(session.looked(.unavailable(obstacle)) == [])
    #expect(session.view == .grey(obstacle))
    #expect(!session.takesNewAccount && !session.takesPassword)
    #expect(session.created(name: "ann", touch: .ready, now: .zero) == [])
    #expect(session.answered(.opened(touch: .ready), now: .zero) == [])
    #expect(session.view == .grey(obstacle))
  }

  @Test func whatIsGreyResumesByItself() {
    var session = Session()
    _ = session.looked(.unavailable(.beforeFirstUnlock))
    #expect(session.didBecomeAvailable() == [.look])
    #expect(session.looked(Self.whole) == [.askForTouch])
  }

  @Test func anUnlockThatNobodyWaitedForChangesNothing() {
    var session = open()
    #expect(session.didBecomeAvailable() == [])
    #expect(session.isOpen)
  }

  // MARK: Logging in

  @Test func whoComesIsAskedForAFingerAndOnlyOnce() {
    var session = Session()
    _ = session.started()
    #expect(session.looked(Self.whole) == [.askForTouch])
    #expect(session.answered(.canceled, now: .zero) == [])
    #expect(session.view == .login(name: "ann", touch: .ready, .canceled))
    #expect(session.looked(Self.whole) == [])
    #expect(session.wantsTouch() == [.askForTouch])
    #expect(session.answered(.opened(touch: .ready), now: .zero) == [.takeIn])
  }

  @Test func whoWantsToTypeIsAskedForThePassword() {
    var session = Session()
    _ = session.looked(Self.whole)
    _ = session.answered(.fallback, now: .zero)
    #expect(session.view == .login(name: "ann", touch: .ready, nil))
    #expect(session.takesPassword && !session.takesNewAccount)
  }

  @Test func tooManyMissesAskForThePasscode() {
    var session = Session()
    _ = session.looked(Self.whole)
    #expect(session.answered(.lockedOut, now: .zero) == [.askForPasscode])
    #expect(session.answered(.opened(touch: .ready), now: .zero) == [.takeIn])
  }

  @Test func missesThatEndAPromptAskForThePasscodeAndWrongPasscodesForALook() {
    var session = Session()
    _ = session.looked(Self.whole)
    #expect(session.answered(.missed, now: .zero) == [.askForPasscode])
    #expect(session.answered(.missed, now: .zero) == [.look])
    #expect(session.view == .login(name: "ann", touch: .lockedOut, .wrongPasscode))
    #expect(session.takesPassword)
  }

  @Test(arguments: [Duration.seconds(60), nil])
  func aThrottledPasscodeIsNotAskedForAndThePasswordIsTaken(_ wait: Duration?) {
    var session = Session()
    _ = session.looked(.available(.whole(name: "ann", touch: .throttled(wait))))
    #expect(session.view == .login(name: "ann", touch: .throttled(wait), nil))
    #expect(session.wantsTouch() == [.look])
    #expect(session.takesPassword)
    _ = session.looked(.available(.whole(name: "ann", touch: .lockedOut)))
    #expect(session.wantsTouch() == [.askForPasscode])
  }

  @Test func whatNoPasscodeGuardsIsSaidWithTheNotes() {
    #expect(open(touch: .noPasscode).view == .notes(name: "ann", hasPasscode: false))
    #expect(open().view == .notes(name: "ann", hasPasscode: true))
    var session = Session()
    _ = session.looked(.available(.whole(name: "ann", touch: .noPasscode)))
    #expect(session.wantsTouch() == [])
  }

  @Test func aWrongPasswordIsSaidAndCounted() {
    var session = Session()
    _ = session.looked(.available(.whole(name: "ann", touch: .unusable)))
    for times in 1...3 {
      #expect(session.answered(.wrong(times: times), now: .zero) == [])
      #expect(session.view == .login(name: "ann", touch: .unusable, .wrong(times: times)))
    }
  }

  @Test func whatAFingerOpenedAndIsGoneIsMadeAgainAfterThePassword() {
    var session = Session()
    _ = session.looked(Self.whole)
    #expect(session.answered(.touchGone, now: .zero) == [])
    #expect(session.view == .login(name: "ann", touch: .gone, .touchGone))
    #expect(session.wantsTouch() == [])
    #expect(session.answered(.opened(touch: .gone), now: .zero) == [.renewTouch, .takeIn])
  }

  @Test func anAnswerAfterALockIsTooLate() {
    var session = Session()
    _ = session.looked(Self.whole)
    #expect(session.willBecomeUnavailable() == [])
    #expect(session.answered(.opened(touch: .ready), now: .zero) == [])
    #expect(session.view == .grey(.locked))
  }

  @Test func aNewPhoneNeedsANewPassword() {
    var session = Session()
    _ = session.looked(.available(.keyless(name: "ann")))
    #expect(session.view == .newPhone(name: "ann") && session.takesNewAccount)
  }

  // MARK: Between devices

  private static let doubted = Circle.troubled(.doubted(["an older copy was put back"]))

  @Test func whatIsNewBetweenDevicesIsToldOnceAndSoIsItsEnd() {
    var session = open()
    #expect(session.looked(at: .together) == nil)
    #expect(session.looked(at: Self.doubted) == .trouble(.doubted(["an older copy was put back"])))
    #expect(session.looked(at: Self.doubted) == nil)
    #expect(session.circle == Self.doubted)
    #expect(session.looked(at: .troubled(.removed)) == .trouble(.removed))
    #expect(session.looked(at: .together) == .over)
    #expect(session.looked(at: .none) == nil)
  }

  @Test func whatIsNewBetweenDevicesIsToldToWhoIsLoggedInAndAgainToWhoLogsInLater() {
    var session = open()
    _ = session.looked(at: Self.doubted)
    _ = session.loggedOut()
    #expect(session.looked(at: Self.doubted) == nil)
    _ = session.looked(Self.whole)
    _ = session.answered(.opened(touch: .ready), now: .zero)
    #expect(session.looked(at: Self.doubted) != nil)
  }

  // MARK: Logging out

  @Test(arguments: [false, true])
  func aLockKeepsTheDraftThenWipes(unsaved: Bool) {
    var session = open(unsaved: unsaved)
    #expect(session.willBecomeUnavailable() == (unsaved ? [.keepDraft, .wipe] : [.wipe]))
    #expect(session.view == .grey(.locked))
    #expect(session.willBecomeUnavailable() == [])
  }

  @Test func switchingAwayKeepsTheDraftThenWipes() {
    var session = open(unsaved: true)
    #expect(session.switchedAway() == [.keepDraft, .wipe, .look])
    #expect(session.looked(Self.whole) == [])
    #expect(session.view == .login(name: "ann", touch: .ready, .switchedAway))
    // Whoever comes back is asked at once.
    #expect(session.started() == [.look])
    #expect(session.looked(Self.whole) == [.askForTouch])
  }

  @Test func twoIdleMinutesLogOutAndAKeyBeginsThemAnew() {
    var session = open()
    #expect(session.idleEnd == .seconds(120))
    session.used(now: .seconds(119))
    #expect(session.timeReached(.seconds(238)) == [])
    #expect(session.timeReached(.seconds(239)) == [.wipe, .look])
    #expect(session.looked(Self.whole) == [])
    #expect(session.view == .login(name: "ann", touch: .ready, .idle))
    #expect(session.idleEnd == nil)
  }

  @Test func aLockDuringASaveMakesADraftOfTheText() {
    var session = open(unsaved: true)
    #expect(session.saved(.locked) == [.keepDraft, .wipe])
    #expect(session.view == .grey(.locked))
  }

  @Test func aTextThatCouldNotBeSavedIsStillUnsaved() {
    var session = open(unsaved: true)
    #expect(session.saved(.failed("the disk is full")) == [])
    #expect(session.loggedOut() == [.keepDraft, .wipe, .look])
  }

  @Test func savedTextIsNoDraft() {
    var session = open(unsaved: true)
    #expect(session.saved(.saved) == [])
    #expect(session.loggedOut() == [.wipe, .look])
  }

  @Test func nobodyWhoIsLoggedOutHasUnsavedText() {
    var session = open()
    _ = session.loggedOut()
    session.edited(hasUnsavedText: true)
    #expect(!session.hasUnsavedText)
  }
}
