import LocalAuthTerminal
import LocalAuthUnix

/// Where the prompts of one evaluation or keychain call appear; used on its thread.
protocol PromptSurface: AnyObject {
  /// Whether a person can be asked here.
  var isInteractive: Bool { get }
  /// Whether a registered agent asks instead.
  var asksAgent: Bool { get }
  /// What to wait for besides the service.
  var descriptors: [Int32] { get }
  /// When to call ``attend(to:)`` though nothing is readable; nil for never.
  var wakeUp: Deadline? { get }
  /// Shows an event.
  func show(_ event: PromptEvent) throws(TerminalError)
  /// The person answered the prompt, and no answer is taken until the next one.
  func answered() throws(TerminalError)
  /// Something is readable, or it is time.
  func attend(to readable: [Int32]) throws(TerminalError) -> SurfaceEvent
  /// Lets a signal have its old effect.
  func reraise(_ signal: TerminalSignal)
}

/// What happened at a surface.
enum SurfaceEvent {
  case nothing
  case answer(PromptAnswer)
  case interrupted(TerminalSignal)
}

extension Prompter {
  /// Opens a surface for prompts that give `reason`, whose answers go to `inbox`.
  func surface(showing reason: String, for inbox: PromptInbox) -> any PromptSurface {
    switch self {
    case .nobody: NoSurface(asksAgent: false)
    case .custom(let prompting): CustomSurface(prompting, for: inbox)
    case .terminal: TerminalSurface(reason: reason) ?? NoSurface(asksAgent: true)
    case .agent: NoSurface(asksAgent: true)
    }
  }
}

extension PromptSurface {
  /// Whoever can ask does so.
  var asksAgent: Bool { false }
}

/// Nobody can be asked here.
private final class NoSurface: PromptSurface {
  let asksAgent: Bool

  init(asksAgent: Bool) { self.asksAgent = asksAgent }

  var isInteractive: Bool { false }
  var descriptors: [Int32] { [] }
  var wakeUp: Deadline? { nil }
  func show(_ event: PromptEvent) {}
  func answered() {}
  func attend(to readable: [Int32]) -> SurfaceEvent { .nothing }
  func reraise(_ signal: TerminalSignal) {}
}

/// A user interface of the program's own, whose answers come through the inbox.
private final class CustomSurface: PromptSurface {
  private let prompting: any Prompting
  private let conversation: PromptConversation
  let isInteractive: Bool

  init(_ prompting: any Prompting, for inbox: PromptInbox) {
    self.prompting = prompting
    // A user interface may keep the conversation for longer than the evaluation lives.
    conversation = PromptConversation { [weak inbox] answer in inbox?.post(answer) }
    isInteractive = prompting.canAsk
  }

  var descriptors: [Int32] { [] }
  var wakeUp: Deadline? { nil }
  func show(_ event: PromptEvent) { prompting.show(event, in: conversation) }
  func answered() {}
  func attend(to readable: [Int32]) -> SurfaceEvent { .nothing }
  func reraise(_ signal: TerminalSignal) {}
}
