import Foundation
import LocalAuthFiles
import NotesCore

/// The app on a device: has done what the session asks for.
///
/// One thread uses it; calls block while a person is asked.
public final class NotesApp {
  /// What tells the app's items in the keychain from others.
  public static let service = "io.localauth.notes"
  /// The most bytes that a note has.
  public static let textLimit = 64 * 1024

  /// What happens when.
  public internal(set) var session: Session
  /// How many texts came while nobody was logged in.
  public internal(set) var cameIn = 0
  /// What could not be done besides, in words, until it was told.
  public internal(set) var problem: String?
  /// Called when texts are wiped, so that none stays on a screen.
  public var wiped: () -> Void = {}

  let accounts: Accounts
  let filePassword: FilePassword
  let notes: NoteFiles
  let inbox: NoteFiles
  let drafts: NoteFiles
  var shared: SharedNotes
  private let identifier: DeviceIdentifier
  let protection: DeviceProtection
  let device: Device
  private let home: URL
  private let now: () -> Duration
  /// What no file has yet.
  var text = Secret(capacity: textLimit)

  /// The app whose files are in `home`.
  ///
  /// - Parameters:
  ///   - home: A directory, which is made.
  ///   - device: The device that protects them.
  ///   - service: What tells the app's items in the keychain from others.
  ///   - isAvailable: The word of what calls ``heard(_:)``; nil if that follows `ProtectedFiles`.
  ///   - now: The time since any moment.
  /// - Throws: `FileFailure`, or errors of the directory.
  public init(
    home: URL,
    device: Device = .default,
    service: String = NotesApp.service,
    isAvailable: (() -> Bool)? = nil,
    now: @escaping () -> Duration
  ) throws {
    let files = try ProtectedFiles(on: device)
    self.home = home
    self.device = device
    self.now = now
    protection = DeviceProtection(files: files, isAvailable: isAvailable)
    accounts = Accounts(service: service, protection, on: device)
    filePassword = FilePassword(service: service, protection)
    identifier = DeviceIdentifier(service: service)
    notes = try .notes(in: home, files)
    inbox = try .inbox(in: home, files)
    drafts = try .drafts(in: home, files)
    shared = SharedNotes(on: device)
    let idle = SharedSettings.idleSeconds ?? Settings.read(from: home).idleSeconds
    session = Session(idleLimit: .seconds(idle))
  }

  /// Puts a text into the inbox of the app in `home`; nobody is logged in, and the device may be locked.
  ///
  /// - Throws: `FileFailure`, or errors of the directory.
  public static func receive(
    _ text: borrowing Secret,
    home: URL,
    device: Device = .default
  ) throws {
    try NoteFiles.inbox(in: home, try ProtectedFiles(on: device)).add(text)
  }

  // MARK: What happens

  /// The app starts, or somebody comes back to it.
  public func start() { perform(session.started()) }

  /// The system told of protected data.
  public func heard(_ news: AvailabilityNews) {
    switch news {
    case .willBecomeUnavailable: perform(session.willBecomeUnavailable())
    case .didBecomeAvailable: perform(session.didBecomeAvailable())
    }
  }

  /// The person turned to something else.
  public func switchAway() { perform(session.switchedAway()) }

  /// The person logs out.
  public func logOut() { perform(session.loggedOut()) }

  /// Time has passed.
  public func passTime() { perform(session.timeReached(now())) }

  /// The person did something.
  public func use() { session.used(now: now()) }

  /// Has an account made with this name, where there is none that opens.
  public func createAccount(name: String, password: borrowing Secret) {
    guard session.takesNewAccount else { return }
    do throws(AppItem.Failure) {
      let touch = try accounts.create(name: name, password: password)
      perform(session.created(name: name, touch: touch, now: now()))
    } catch {
      problem = "The account was not made. \(Self.words(of: error))"
      perform([.look])
    }
  }

  /// Logs in with name and password.
  public func logIn(name: String, password: borrowing Secret) {
    guard session.takesPassword, !session.takesNewAccount else { return }
    perform(session.answered(accounts.logIn(name: name, password: password), now: now()))
  }

  /// Logs in with a finger, or with the passcode after too many misses.
  public func logInByTouch() { perform(session.wantsTouch()) }

  func perform(_ effects: [Session.Effect]) {
    for effect in effects { perform(effect) }
  }

  private func perform(_ effect: Session.Effect) {
    switch effect {
    case .look: perform(session.looked(accounts.look()))
    case .askForTouch:
      let answer = accounts.logInByTouch(reason: "read your notes")
      perform(session.answered(answer, now: now()))
    case .askForPasscode:
      let answer = accounts.logInByPasscode(reason: "read your notes")
      perform(session.answered(answer, now: now()))
    case .renewTouch: _ = accounts.renewTouch()
    case .takeIn: takeIn()
    case .keepDraft: keepDraft()
    case .wipe:
      text.removeAll()
      cameIn = 0
      wiped()
    }
  }

  // MARK: Device and account

  /// Tells the problem that there was, once.
  public func takeProblem() -> String? {
    defer { problem = nil }
    return problem
  }

  /// How many seconds nobody types until the app logs out, from now on and on all devices.
  ///
  /// - Throws: `CocoaError`.
  public func setIdle(seconds: Int) throws {
    try Settings(idleSeconds: seconds).write(to: home)
    SharedSettings.idleSeconds = seconds
    session.idleLimit = .seconds(seconds)
  }

  /// Calls `body`, on another thread, once for each choice that was made on another device.
  ///
  /// - Returns: the observer, for `NotificationCenter.removeObserver`.
  public func onSettingsNews(_ body: @escaping @Sendable () -> Void) -> any NSObjectProtocol {
    SharedSettings.observe(body)
  }

  /// Does as was chosen on another device; the seconds until the app logs out, or nil if that is not another choice.
  public func followSettings() -> Int? {
    guard let seconds = SharedSettings.idleSeconds, .seconds(seconds) != session.idleLimit else {
      return nil
    }
    session.idleLimit = .seconds(seconds)
    return seconds
  }

  /// This device's number for the app; nil if the keychain cannot be read now.
  public func deviceIdentifier() -> UUID? { try? identifier.get() }

  /// Deletes account, number of the device, all texts and what only this device remembers.
  ///
  /// A device that cannot be read keeps all of it, and what all devices know stays: others may need it.
  ///
  /// - Throws: `AppItem.Failure`, or errors of the directory.
  public func reset() throws {
    perform(session.loggedOut())
    guard protection.obstacle == nil else { return }
    try accounts.reset()
    try identifier.item.delete()
    try filePassword.item(.thisDevice).delete()
    for texts in [notes, inbox, drafts] {
      for number in texts.numbers() { _ = texts.remove(number) }
    }
    start()
  }
}
