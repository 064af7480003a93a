import Glibc
import LocalAuthSecret
import LocalAuthTerminal
import LocalAuthUnix

/// Prompts on the terminal that the process was started from.
///
/// The screen is taken over with the first event, and given back with the last or when this goes.
final class TerminalSurface: PromptSurface {
  private var terminal: Terminal?
  private var screen: PromptSession?
  private let reason: String
  private var ahead: Int?
  private var prompt: Prompt?
  private var promptEnds: Deadline?
  private var message: PromptMessage?
  private var isAnswered = false

  /// A surface for prompts that give `reason`; nil where the process has no terminal.
  init?(reason: String) {
    do throws(TerminalError) {
      terminal = try Terminal()
    } catch {
      return nil
    }
    self.reason = reason
    Self.allowJobControl()
  }

  var isInteractive: Bool { true }

  var descriptors: [Int32] {
    guard let keys = screen?.terminalDescriptor, let signals = screen?.signalDescriptor else {
      return []
    }
    return [keys, signals]
  }

  /// Half an escape sequence, or the next second of the countdown.
  var wakeUp: Deadline? {
    if let milliseconds = screen?.timeoutMilliseconds {
      return .after(.milliseconds(Int64(milliseconds)))
    }
    guard screen != nil, let promptEnds else { return nil }
    return promptEnds.hasPassed ? nil : promptEnds.nextTick
  }

  func show(_ event: PromptEvent) throws(TerminalError) {
    switch event {
    case .waiting(let count):
      ahead = count
      try draw(asksAnew: true)
    case .prompt(let new):
      let asksTheSame = !isAnswered && prompt?.question == new.question
      ahead = nil
      prompt = new
      promptEnds = new.timeLeft.map { .after($0) }
      isAnswered = false
      try draw(asksAnew: !asksTheSame)
    case .notice(let notice):
      message = TerminalPrompt.message(of: notice)
      try draw(asksAnew: false)
    case .ended: screen?.end()
    }
  }

  func answered() throws(TerminalError) {
    isAnswered = true
    message = nil
    try draw(asksAnew: false)
  }

  func attend(to readable: [Int32]) throws(TerminalError) -> SurfaceEvent {
    let event: LocalAuthTerminal.PromptEvent
    if let signals = screen?.signalDescriptor, readable.contains(signals) {
      event = try screen?.signalIsPending() ?? .nothing
    } else if let keys = screen?.terminalDescriptor, readable.contains(keys) {
      event = try screen?.terminalIsReadable() ?? .nothing
    } else if screen?.timeoutMilliseconds != nil {
      event = screen?.timeoutHasPassed() ?? .nothing
    } else {
      event = .nothing
      try draw(asksAnew: false)
    }
    return surfaceEvent(event)
  }

  func reraise(_ signal: TerminalSignal) { screen?.reraise(signal) }

  // MARK: Inside

  private func surfaceEvent(_ event: LocalAuthTerminal.PromptEvent) -> SurfaceEvent {
    switch event {
    case .nothing: return .nothing
    case .cancelled: return .answer(PromptAnswer(kind: .cancel, prompt: nil))
    case .fallback: return .answer(PromptAnswer(kind: .fallback, prompt: prompt))
    case .interrupted(let signal): return .interrupted(signal)
    case .answered:
      guard let answer = screen?.takeAnswer() else { return .nothing }
      return .answer(PromptAnswer(kind: .passcode(SecretBox(answer)), prompt: prompt))
    }
  }

  private func draw(asksAnew: Bool) throws(TerminalError) {
    guard let state = currentState else { return }
    if let terminal = terminal.take() {
      screen = try PromptSession(terminal: terminal, style: Self.style)
    }
    if asksAnew { try screen?.ask(state) } else { try screen?.show(state) }
  }

  private var currentState: PromptState? {
    if let ahead { return TerminalPrompt.waiting(ahead: ahead, reason: reason) }
    return prompt.map { prompt in
      TerminalPrompt.state(
        of: prompt,
        message: message,
        secondsLeft: promptEnds?.wholeSeconds,
        isAnswered: isAnswered
      )
    }
  }

  private static var style: PromptStyle {
    let environment = ProcessEnvironment.current
    return PromptStyle(noColor: environment["NO_COLOR"], term: environment["TERM"])
  }

  /// Our threads block every signal; with these two blocked a job in the background would take the
  /// terminal from the shell instead of being stopped.
  private static func allowJobControl() {
    var signals = sigset_t()
    // SAFETY: the set lives for the calls.
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, SIGTTOU)
    unsafe sigaddset(&signals, SIGTTIN)
    _ = unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }
}
