/// What the app does when: one method for each event, which answers with what is to be done, in this order.
///
/// It holds no text, no key and no clock. Time comes in as an argument, in any units since any moment.
public struct Session: Equatable, Sendable {
  /// What is to be done.
  public enum Effect: Equatable, Sendable {
    /// Look whether data can be used, and which account there is; then ``Session/looked(_:)``.
    case look
    /// Ask for a finger; then ``Session/answered(_:now:)``.
    case askForTouch
    /// Ask for the device's passcode; then ``Session/answered(_:now:)``.
    case askForPasscode
    /// Let a finger open the account from now on.
    case renewTouch
    /// Show the draft again, and take in what came while nobody was logged in.
    case takeIn
    /// Put the unsaved text where a locked device takes it.
    case keepDraft
    /// Wipe texts and what opens them, also from the screen.
    case wipe
  }

  /// Why nobody is logged in.
  public enum Notice: Equatable, Sendable {
    case wrong(times: Int)
    case touchGone
    case canceled
    case wrongPasscode
    case loggedOut
    case idle
    case switchedAway
    case failed(String)
  }

  private enum State: Equatable {
    case starting
    case unavailable(Obstacle)
    case noAccount
    case keyless(name: String)
    case loggedOut(name: String, Touch, Notice?)
    case asking(name: String, Touch)
    case open(name: String, Touch, lastUse: Duration)
  }

  /// How long nobody types until the app logs out.
  public var idleLimit: Duration
  /// Whether there is text that no file has.
  public private(set) var hasUnsavedText = false
  /// How the device stands with the person's others, as far as the person was told since the login.
  public private(set) var circle = Circle.none
  private var state = State.starting
  /// Whether a login begins with a touch: somebody has just come.
  private var greets = true

  /// A session of an app that is about to start.
  public init(idleLimit: Duration = .seconds(120)) { self.idleLimit = idleLimit }

  // MARK: What a person sees

  /// What is to be shown.
  public enum View: Equatable, Sendable {
    case nothing
    /// Everything is grey, for this reason, until it has passed.
    case grey(Obstacle)
    case firstStart
    /// A new password is needed for what came from a backup.
    case newPhone(name: String)
    case login(name: String, touch: Touch, Notice?)
    /// The notes; also that nothing but the login guards them, where the device has no passcode.
    case notes(name: String, hasPasscode: Bool = true)
  }

  /// What is to be shown now.
  public var view: View {
    switch state {
    case .starting, .asking: .nothing
    case .unavailable(let obstacle): .grey(obstacle)
    case .noAccount: .firstStart
    case .keyless(let name): .newPhone(name: name)
    case .loggedOut(let name, let touch, let notice): .login(name: name, touch: touch, notice)
    case .open(let name, let touch, _): .notes(name: name, hasPasscode: touch != .noPasscode)
    }
  }

  /// Whether a login or a new account is what the app waits for.
  public var takesPassword: Bool {
    switch state {
    case .noAccount, .keyless, .loggedOut: true
    case .starting, .unavailable, .asking, .open: false
    }
  }

  /// Whether an account may be made: only where the device could be read and has none that opens.
  public var takesNewAccount: Bool {
    switch state {
    case .noAccount, .keyless: true
    case .starting, .unavailable, .loggedOut, .asking, .open: false
    }
  }

  /// Whether notes may be read and written.
  public var isOpen: Bool {
    switch state {
    case .open: true
    case .starting, .unavailable, .noAccount, .keyless, .loggedOut, .asking: false
    }
  }

  /// When ``timeReached(_:)`` has something to do; nil for never.
  public var idleEnd: Duration? {
    guard case .open(_, _, let lastUse) = state else { return nil }
    return lastUse + idleLimit
  }

  // MARK: Starting

  /// The app starts, or somebody comes back to it.
  public mutating func started() -> [Effect] {
    guard !isOpen else { return [] }
    greets = true
    return [.look]
  }

  /// The device was looked at.
  public mutating func looked(_ look: Look) -> [Effect] {
    switch look {
    case .unavailable(let obstacle): return becameUnavailable(obstacle)
    case .available(.none): state = .noAccount
    case .available(.keyless(let name)): state = .keyless(name: name)
    case .available(.whole(let name, let touch)):
      state = .loggedOut(name: name, touch, notice)
      if greets && touch == .ready {
        greets = false
        return wantsTouch()
      }
    }
    return []
  }

  private var notice: Notice? {
    guard case .loggedOut(_, _, let notice) = state else { return nil }
    return notice
  }

  // MARK: Logging in

  /// The person wants to log in with a finger.
  public mutating func wantsTouch() -> [Effect] {
    guard case .loggedOut(let name, let touch, _) = state else { return [] }
    switch touch {
    case .ready:
      state = .asking(name: name, touch)
      return [.askForTouch]
    case .lockedOut:
      state = .asking(name: name, touch)
      return [.askForPasscode]
    case .throttled:
      // The time may be over by now.
      state = .loggedOut(name: name, touch, nil)
      return [.look]
    case .gone, .noPasscode, .unusable:
      return []
    }
  }

  /// An account was made with this name.
  public mutating func created(name: String, touch: Touch, now: Duration) -> [Effect] {
    guard takesNewAccount else { return [] }
    return opened(name, touch, now)
  }

  /// An attempt to log in ended.
  public mutating func answered(_ answer: LoginAnswer, now: Duration) -> [Effect] {
    let (name, touch): (String, Touch)
    switch state {
    case .loggedOut(let found, let ready, _): (name, touch) = (found, ready)
    case .asking(let found, let ready): (name, touch) = (found, ready)
    // The device was locked while somebody answered: the answer is too late.
    case .starting, .unavailable, .noAccount, .keyless, .open: return []
    }
    switch answer {
    case .opened(let touch): return opened(name, touch, now)
    case .locked: return becameUnavailable(.locked)
    case .missed where touch == .ready, .lockedOut:
      state = .loggedOut(name: name, .lockedOut, nil)
      return wantsTouch()
    case .missed:
      // A look says whether, and when, there is another try.
      state = .loggedOut(name: name, touch, .wrongPasscode)
      return [.look]
    case .wrong(let times): state = .loggedOut(name: name, touch, .wrong(times: times))
    case .fallback: state = .loggedOut(name: name, touch, nil)
    case .canceled: state = .loggedOut(name: name, touch, .canceled)
    case .touchGone: state = .loggedOut(name: name, .gone, .touchGone)
    case .failed(let words): state = .loggedOut(name: name, touch, .failed(words))
    }
    return []
  }

  private mutating func opened(_ name: String, _ touch: Touch, _ now: Duration) -> [Effect] {
    state = .open(name: name, touch, lastUse: now)
    greets = false
    return (touch == .gone ? [.renewTouch] : []) + [.takeIn]
  }

  // MARK: While it is open

  /// The person did something.
  public mutating func used(now: Duration) {
    guard case .open(let name, let touch, _) = state else { return }
    state = .open(name: name, touch, lastUse: now)
  }

  /// There is text now that no file has, or there is none any more.
  public mutating func edited(hasUnsavedText: Bool) {
    self.hasUnsavedText = hasUnsavedText && isOpen
  }

  /// An attempt to save the text ended.
  public mutating func saved(_ answer: SaveAnswer) -> [Effect] {
    switch answer {
    case .saved: hasUnsavedText = false
    case .locked: return becameUnavailable(.locked)
    // The text stays, for another attempt.
    case .failed: break
    }
    return []
  }

  /// How the device stands with the person's others was looked at.
  ///
  /// - Returns: what is to be told of it.
  public mutating func looked(at found: Circle) -> CircleNews? {
    guard isOpen, found != circle else { return nil }
    defer { circle = found }
    if case .troubled(let trouble) = found { return .trouble(trouble) }
    if case .troubled = circle { return .over }
    return nil
  }

  // MARK: Logging out

  /// The person logs out.
  public mutating func loggedOut() -> [Effect] { leave(.loggedOut) }

  /// The person turned to something else.
  public mutating func switchedAway() -> [Effect] { leave(.switchedAway) }

  /// Time has passed.
  public mutating func timeReached(_ now: Duration) -> [Effect] {
    guard let idleEnd, now >= idleEnd else { return [] }
    return leave(.idle)
  }

  /// The device was locked: protected data can be used for a few seconds more.
  public mutating func willBecomeUnavailable() -> [Effect] { becameUnavailable(.locked) }

  /// The device was unlocked.
  public mutating func didBecomeAvailable() -> [Effect] {
    guard case .unavailable = state else { return [] }
    return started()
  }

  private mutating func leave(_ notice: Notice) -> [Effect] {
    guard case .open(let name, let touch, _) = state else { return [] }
    state = .loggedOut(name: name, touch == .gone ? .ready : touch, notice)
    // A look says what a finger can do by now.
    return closing() + [.look]
  }

  private mutating func becameUnavailable(_ obstacle: Obstacle) -> [Effect] {
    let wasOpen = isOpen
    state = .unavailable(obstacle)
    return wasOpen ? closing() : []
  }

  private mutating func closing() -> [Effect] {
    defer { (hasUnsavedText, circle) = (false, .none) }
    return hasUnsavedText ? [.keepDraft, .wipe] : [.wipe]
  }
}
