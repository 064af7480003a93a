public import LocalAuthCore

extension Arming.Word {
  /// The word that a reply stands for; nil unless it has exactly one field with an allowed value.
  public init?(_ reply: AuthenticatorMessages.ArmReply) {
    var words: [Self?] = []
    if let armed = reply.armed { words.append(armed ? .armed : nil) }
    if let touched = reply.touched { words.append(touched ? .touched : nil) }
    if let retry = reply.retry { words.append(Acquisition(word: retry).map { .retries($0) }) }
    if let question = reply.question {
      words.append(ActionText(question.text).map { .asks(text: $0.text, echoes: question.echoes) })
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

  /// Whether no reply follows.
  public var isLast: Bool {
    switch self {
    case .verdict: true
    case .armed, .touched, .asks, .tells, .retries, .failed: false
    }
  }
}
