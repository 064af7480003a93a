import Glibc
import LocalAuthClient
import LocalAuthDialog
import LocalAuthTerminal
import LocalAuthUnix

/// Where the prompts of one evaluation or keychain call appear; used on its thread.
struct PromptPlace: ~Copyable {
  /// Whether a person can be asked, by whomever.
  let isInteractive: Bool
  /// Whether a registered agent asks instead.
  let asksAgent: Bool
  /// The program's own user interface, where it has one.
  let interface: PromptInterface?
  private var terminal: Terminal?
  private let inbox: PromptInbox

  /// Where `prompter` asks; answers and cancellations come through `inbox`.
  init(of prompter: Prompter, for inbox: PromptInbox) {
    self.inbox = inbox
    interface = PromptInterface(of: prompter, for: inbox)
    let terminal: Terminal? = if case .terminal = prompter { try? Terminal() } else { nil }
    switch prompter {
    case .nobody: (isInteractive, asksAgent) = (false, false)
    case .custom(let prompting): (isInteractive, asksAgent) = (prompting.canAsk, false)
    case .agent: (isInteractive, asksAgent) = (true, true)
    case .terminal: (isInteractive, asksAgent) = (true, terminal == nil)
    }
    if terminal != nil { Self.allowJobControl() }
    self.terminal = terminal
  }

  /// A dialog here about what `stream` tells; `reason` is shown while others are asked first.
  mutating func dialog<Ending>(
    about stream: consuming PromptStream<Ending>,
    showing reason: String
  ) -> DialogRun<Ending> {
    let environment = ProcessEnvironment.current
    return DialogRun(
      Dialog(.caller(reason: reason)),
      about: stream,
      on: DialogScreen(
        on: terminal.take(),
        style: PromptStyle(noColor: environment["NO_COLOR"], term: environment["TERM"]),
        opensAtOnce: true
      ),
      inbox: inbox
    ) { [interface] event in interface?.show(PromptEvent(event)) }
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

extension DialogRun {
  /// Waits for what was asked for; anything else is thrown.
  mutating func result() throws(AuthError) -> Ending.Value {
    let end: End
    do throws(DialogError) { end = try run() } catch { throw AuthError(error) }
    switch end {
    case .result(let value): return value
    case .closed: throw .userCancel
    case .abandoned: throw .appCancel
    case .interrupted(let signal):
      // Where the signal does not end the process, what it asked for is cancelled all the same.
      reraise(signal)
      throw .appCancel
    }
  }
}

/// A user interface of the program's own, and the conversation that takes its answers.
final class PromptInterface {
  private let prompting: any Prompting
  private let conversation: PromptConversation
  /// Whether anything was shown that must be taken away.
  private(set) var isShowing = false

  /// The interface of `prompter`; nil where it is none.
  init?(of prompter: Prompter, for inbox: PromptInbox) {
    guard case .custom(let prompting) = prompter else { return nil }
    self.prompting = prompting
    // A user interface may keep the conversation for longer than the evaluation lives.
    conversation = PromptConversation { [weak inbox] input in inbox?.post(input) }
  }

  /// Shows an event, if it is one that is shown.
  func show(_ event: PromptEvent?) {
    guard let event else { return }
    isShowing = event != .ended
    prompting.show(event, in: conversation)
  }
}

extension PromptEvent {
  /// What a stream tells, as a user interface hears it; nil for what is not shown.
  fileprivate init?<Ending>(_ event: PromptStream<Ending>.Event) {
    switch event {
    case .queued(let ahead): self = .waiting(ahead: Int(clamping: ahead))
    case .prompt(let prompt): self = .prompt(Prompt(prompt))
    case .notice(let notice): self = .notice(PromptNotice(notice))
    case .registered, .dismissed, .result: return nil
    }
  }
}
