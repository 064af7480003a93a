public import LocalAuthCore

extension Arming.Word {
  /// The word that a reply stands for; nil unless it has exactly one field with an allowed value.
  public init?(_ reply: AuthenticatorMessages.ArmReply) {
    var words: [Self?] = []
    if let armed = reply.armed { words.append(armed ? .armed : nil) }
    if let touched = reply.touched { words.append(touched ? .touched : nil) }
    if let retry = reply.retry { words.append(Acquisition(word: retry).map { .retries($0) }) }
    if let question = reply.question {
      words.append(Self.question(question.text).map { .asks(text: $0, echoes: question.echoes) })
    }
    if let notice = reply.notice {
      let isKnown = ["info", "error"].contains(notice.kind)
      words.append(
        isKnown
          ? ActionText(notice.text).map { .tells(text: $0.text, isError: notice.kind == "error") }
          : nil
      )
    }
    if let verdict = reply.verdict {
      words.append(.verdict(attempt: verdict.attempt, isMatch: verdict.match))
    }
    guard words.count == 1, let word = words[0] else { return nil }
    self = word
  }

  /// The word that an error stands for, which ends the call; nil if it is none of the interface's.
  public init?(error name: String, message: String) {
    switch name {
    case AuthenticatorMessages.unavailable:
      self = .failed(ActionText(message)?.text ?? "It cannot judge now.")
    case AuthenticatorMessages.accountRefused:
      self = .refuses(ActionText(message)?.text ?? "The account may not be used.")
    default: return nil
    }
  }

  /// A question that is a plain line; it may end with a blank, as those of terminals do.
  private static func question(_ text: String) -> String? {
    ActionText(text.last == " " ? String(text.dropLast()) : text).map { _ in text }
  }

  /// Whether no reply follows.
  public var isLast: Bool {
    switch self {
    case .verdict: true
    case .armed, .touched, .asks, .tells, .retries, .refuses, .failed: false
    }
  }
}
