import Glibc
import LocalAuthClient
import LocalAuthDialog
import LocalAuthTerminal
import LocalAuthUnix

/// The place where the prompts of one evaluation or keychain call appear, used on its thread.
struct PromptPlace: ~Copyable {
  /// Whether a person can be asked, in any way.
  let isInteractive: Bool
  /// Whether a registered agent asks instead.
  let asksAgent: Bool
  /// The program's own user interface, if it has one.
  let interface: PromptInterface?
  private var terminal: Terminal?
  private let inbox: PromptInbox

  /// The place where `prompter` asks; answers and cancellations arrive through `inbox`.
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

  /// Creates a dialog for `stream`; `reason` is shown while the request waits behind others.
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
        style: PromptStyle(
          noColor: environment["NO_COLOR"],
          term: environment["TERM"],
          lines: environment["LOCALAUTH_PROMPT_LINES"]
        ),
        opensAtOnce: true
      ),
      inbox: inbox
    ) { [interface] event in interface?.show(PromptEvent(event)) }
  }

  /// Unblocks the job-control signals, which LocalAuth's threads block like all others.
  ///
  /// With these two blocked, a background job would take the terminal from the shell instead of
  /// being stopped.
  private static func allowJobControl() {
    var signals = sigset_t()
    // SAFETY: the set outlives the calls, which do not keep the pointer.
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, SIGTTOU)
    unsafe sigaddset(&signals, SIGTTIN)
    _ = unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }
}

extension DialogRun {
  /// Waits for the result; throws if the dialog ends otherwise.
  mutating func result() throws(AuthError) -> Ending.Value {
    let end: End
    do throws(DialogError) { end = try run() } catch { throw AuthError(error) }
    switch end {
    case .result(let value): return value
    case .closed: throw .userCancel
    case .abandoned: throw .appCancel
    case .interrupted(let signal):
      // If the signal does not end the process, the request is cancelled nevertheless.
      reraise(signal)
      throw .appCancel
    }
  }
}

/// The program's own user interface, and the conversation that receives its answers.
final class PromptInterface {
  private let prompting: any Prompting
  private let conversation: PromptConversation
  /// Whether something is shown that must be dismissed.
  private(set) var isShowing = false

  /// The user interface of `prompter`; nil if it is not a custom one.
  init?(of prompter: Prompter, for inbox: PromptInbox) {
    guard case .custom(let prompting) = prompter else { return nil }
    self.prompting = prompting
    // Weak, because a user interface may keep the conversation beyond the evaluation.
    conversation = PromptConversation { [weak inbox] input in inbox?.post(input) }
  }

  /// Shows an event; nil shows nothing.
  func show(_ event: PromptEvent?) {
    guard let event else { return }
    isShowing = event != .ended
    prompting.show(event, in: conversation)
  }
}

extension PromptEvent {
  /// The user interface's form of a stream event; nil for an event that is not shown.
  fileprivate init?<Ending>(_ event: PromptStream<Ending>.Event) {
    switch event {
    case .queued(let ahead): self = .waiting(ahead: Int(clamping: ahead))
    case .prompt(let prompt): self = .prompt(Prompt(prompt))
    case .notice(let notice): self = .notice(PromptNotice(notice))
    case .registered, .dismissed, .result: return nil
    }
  }
}
