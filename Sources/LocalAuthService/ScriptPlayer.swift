import LocalAuthCore
public import LocalAuthSecret
import LocalAuthSensor

/// The source of a script.
public struct ScriptSource {
  /// The text of the script, which may contain a passcode.
  public var text: SecretBox
  /// Whether it came from a command line, which others can read.
  public var isArgument: Bool

  /// A script with this text.
  public init(text: SecretBox, isArgument: Bool) {
    self.text = text
    self.isArgument = isArgument
  }
}

/// A parsed script with its text, into which its passcodes are ranges.
final class LoadedScript {
  let script: SensorScript
  private let text: Secret

  init(_ source: ScriptSource) throws(EngineError) {
    guard let text = source.text.take() else { throw .scriptInvalid("The script is empty.") }
    do throws(ScriptError) {
      script = try unsafe text.withUnsafeBytes { (bytes) throws(ScriptError) -> SensorScript in
        // SAFETY: bytes of any memory may be read as UInt8, and they stay in place within this
        // closure.
        try SensorScript(parsing: unsafe bytes.bindMemory(to: UInt8.self).span)
      }
    } catch {
      throw .scriptInvalid("\(error)")
    }
    self.text = text
  }

  /// The memory that it takes, in bytes.
  var byteCount: Int {
    text.count + script.events.count * MemoryLayout<ScriptEvent>.stride
  }

  /// The secret at `range` of the script's text.
  func secret(_ range: Range<Int>) -> SecretBox {
    unsafe text.withUnsafeBytes { bytes in
      // SAFETY: the parser produced the range for this same text, which stays in place here.
      SecretBox(unsafe Secret(copying: UnsafeRawBufferPointer(rebasing: bytes[range])))
    }
  }
}

/// Plays a script in place of the person at the device, one event at a time, each after the
/// previous one has taken effect.
final class ScriptPlayer {
  /// The script; nil once nothing of it is left to play, so that its passcodes live no longer.
  private var loaded: LoadedScript?
  private var run: ScriptRun
  private var pending: ScriptEvent?
  private var unused = 0
  private var isBusy = false
  private var isStepping = false
  private var hasEnded = false
  /// The session it plays for; a keychain call that prompts twice continues the script in its next
  /// session.
  private weak var session: Session?

  init(_ loaded: LoadedScript) {
    self.loaded = loaded
    run = ScriptRun(loaded.script)
  }

  /// Events that had no effect or never happened.
  var left: Int { unused + run.leftOver.count + (pending == nil ? 0 : 1) }

  /// Stops the script because its evaluation is over.
  func stop() {
    hasEnded = true
    loaded = nil
  }

  /// Drops the wait for a person's passcode, which has been given.
  func personAnswered() {
    if pending == .passcode(nil) { pending = nil }
  }

  /// Plays as many events as the session can take.
  ///
  /// An event may take effect at once and reenter this method, which then returns: the outer loop
  /// goes on.
  func step(_ session: Session) {
    self.session = session
    guard !isStepping else { return }
    isStepping = true
    defer { isStepping = false }
    // An event may end the session, and the next event then belongs to the next session.
    while !isBusy, !hasEnded, let session = self.session, session.outcome == nil {
      guard let event = pending ?? run.next() else {
        loaded = nil
        return session.scriptRanOut()
      }
      pending = event
      switch play(event, session) {
      case .done: pending = nil
      case .unused:
        pending = nil
        unused += 1
      case .again: continue
      case .notYet: return
      }
    }
  }

  private enum Progress {
    /// It has happened or is under way; the next event may follow unless it must wait.
    case done
    /// It could have no effect.
    case unused
    /// A prerequisite was played instead; play the event again.
    case again
    /// It must wait for something else.
    case notYet
  }

  private func play(_ event: ScriptEvent, _ session: Session) -> Progress {
    // An earlier sample must be judged first.
    if session.isDeciding { return .notYet }
    switch event {
    case .present(let presentation): return present(presentation, session)
    case .sleep(let duration): return sleep(duration, session)
    case .cancel(let canceler):
      session.end(Outcome(canceler.outcome))
      return .done
    case .fallback: return session.fallback() ? .done : .unused
    case .passcode(.some(let range)), .answer(let range):
      return submit(range, session)
    case .passcode(.none): return session.asksForPasscode ? .notYet : .unused
    case .unplug, .plug, .busy, .free, .fingerDown, .fingerUp, .lockout, .set, .list:
      session.changeSensor(event)
      return .done
    case .insert, .remove: return .unused
    }
  }

  private func present(_ presentation: Presentation, _ session: Session) -> Progress {
    guard session.isWaitingForFinger else { return session.isJudging ? .notYet : .unused }
    isBusy = true
    session.present(presentation) { [weak self] in
      guard let self, isBusy else { return }
      goOn()
    }
    return .done
  }

  private func sleep(_ duration: Duration, _ session: Session) -> Progress {
    isBusy = true
    session.after(duration) { [weak self] in self?.goOn() }
    return .done
  }

  private func goOn() {
    isBusy = false
    session?.continueScript()
  }

  private func submit(_ range: Range<Int>, _ session: Session) -> Progress {
    if session.takesAnswer, let loaded {
      return session.submit(loaded.secret(range)) ? .done : .unused
    }
    if session.asksForPasscode || session.isJudging { return .notYet }
    // Like a person, ask for the passcode before typing it.
    return session.canSkipToPasscode && session.fallback() ? .again : .unused
  }
}
