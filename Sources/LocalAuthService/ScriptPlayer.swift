import LocalAuthCore
public import LocalAuthSecret
import LocalAuthSensor

/// Where a script comes from.
public struct ScriptSource {
  /// Its text, which may hold a passcode.
  public var text: SecretBox
  /// Whether it stood on a command line, where others can read it.
  public var isArgument: Bool

  /// A script of this text.
  public init(text: SecretBox, isArgument: Bool) {
    self.text = text
    self.isArgument = isArgument
  }
}

/// A parsed script and the text that its passcodes are places in.
final class LoadedScript {
  let script: SensorScript
  private let text: Secret

  init(_ source: ScriptSource) throws(EngineError) {
    guard let text = source.text.take() else { throw .scriptInvalid("The script is empty.") }
    do throws(ScriptError) {
      script = try unsafe text.withUnsafeBytes { (bytes) throws(ScriptError) -> SensorScript in
        // SAFETY: bytes of any memory may be read as UInt8, and they stay in place in this closure.
        try SensorScript(parsing: unsafe bytes.bindMemory(to: UInt8.self).span)
      }
    } catch {
      throw .scriptInvalid("\(error)")
    }
    self.text = text
  }

  /// The secret that the script has at `range`.
  func secret(_ range: Range<Int>) -> SecretBox {
    unsafe text.withUnsafeBytes { bytes in
      // SAFETY: the parser gave out the range for this very text, which stays in place here.
      SecretBox(unsafe Secret(copying: UnsafeRawBufferPointer(rebasing: bytes[range])))
    }
  }
}

/// Plays a script in place of the person at the device: one event at a time, the next when the
/// one before has had its effect.
final class ScriptPlayer {
  /// Nil once nothing of it is left to play: its passcodes stay no longer than that.
  private var loaded: LoadedScript?
  private var run: ScriptRun
  private var pending: ScriptEvent?
  private var unused = 0
  private var isBusy = false
  private var isStepping = false
  private var hasEnded = false
  /// For whom it plays: a keychain call that asks twice goes on with it.
  private weak var session: Session?

  init(_ loaded: LoadedScript) {
    self.loaded = loaded
    run = ScriptRun(loaded.script)
  }

  /// Events that had no effect or never happened.
  var left: Int { unused + run.leftOver.count + (pending == nil ? 0 : 1) }

  /// The evaluation is over.
  func stop() {
    hasEnded = true
    loaded = nil
  }

  /// A person answered in place of the script.
  func personAnswered() {
    if pending == .passcode(nil) { pending = nil }
  }

  /// Plays on as far as the session can take it.
  ///
  /// An event may have its effect at once and call back in here; the loop that plays it goes on by
  /// itself.
  func step(_ session: Session) {
    self.session = session
    guard !isStepping else { return }
    isStepping = true
    defer { isStepping = false }
    // An event may end the session at once, and the one after it is for the next.
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
    /// It happened, or happens; the next event may follow when nothing holds it up.
    case done
    /// It could have no effect.
    case unused
    /// Something before it happened; play it again.
    case again
    /// It cannot happen before something else has.
    case notYet
  }

  private func play(_ event: ScriptEvent, _ session: Session) -> Progress {
    // What was offered before has its effect first.
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
    // A person who wants to type the passcode asks for it first.
    return session.canSkipToPasscode && session.fallback() ? .again : .unused
  }
}
