public import LocalAuthCore

/// One arming of an authenticator that is a program, which says its words in any order.
public struct ArmingModel: SmallModel {
  /// What the program does, or the person who answers what it asked.
  public enum Event: Hashable, Sendable, CustomStringConvertible {
    case says(Arming.Word)
    case breaks(Arming.Fault)
    case answer

    /// The event in words, as a step of a trace.
    public var description: String {
      switch self {
      case .says(let word): "the program says \(word)"
      case .breaks(let fault): "the program \(fault.sentence)"
      case .answer: "the person answers"
      }
    }
  }

  private static let attempt = "this attempt"
  private static let words: [Arming.Word] = [
    .armed, .touched, .asks(text: "?", echoes: false), .tells(text: "!", isError: false),
    .retries(.partial), .verdict(attempt: attempt, isMatch: true),
    .verdict(attempt: attempt, isMatch: false), .verdict(attempt: "another", isMatch: true),
    .refuses("expired"), .failed("no light"),
  ]

  private var arming = Arming(Self.attempt)
  // What really happened.
  private var wasArmed = false
  private var isAsking = false
  private var isOver = false
  private var wordsSaid = 0

  /// What it is about.
  public var name: String { "words of a program" }

  /// Creates the arming that nothing was said to.
  public init() {}

  /// Every word, every fault and an answer, at any time.
  public var events: [Event] {
    Self.words.map { .says($0) } + [.breaks(.gone), .breaks(.silent), .answer]
  }

  /// Has the arming hear `event`, and keeps what really happened.
  public mutating func apply(_ event: Event) -> Witnessed<ArmingProperty> {
    var seen = Witnessed<ArmingProperty>()
    switch event {
    case .says(let word): said(word, &seen)
    case .breaks(let fault):
      let action = arming.broke(fault)
      seen.check(.endsOnce, (action == .nothing) == isOver)
      if action != .nothing { isOver = true }
    case .answer:
      let isTaken = arming.answered()
      seen.check(.questionWaits, isTaken == (isAsking && !isOver))
      if isTaken { isAsking = false }
    }
    return seen
  }

  private mutating func said(_ word: Arming.Word, _ seen: inout Witnessed<ArmingProperty>) {
    let action = arming.said(word)
    if isOver { return seen.check(.endsOnce, action == .nothing) }
    wordsSaid += 1
    check(word, action, &seen)
    switch action {
    case .nothing: wasArmed = true
    case .ask: isAsking = true
    case .submitted, .tell, .retry: break
    case .end: isOver = true
    }
  }

  /// Checks what was done about a word, in the situation in which it was said.
  private func check(
    _ word: Arming.Word,
    _ action: Arming.Action,
    _ seen: inout Witnessed<ArmingProperty>
  ) {
    let isHeard = wasArmed && !isAsking && wordsSaid <= Arming.wordsMax
    if case .verdict = word {
      let isRight = word == .verdict(attempt: Self.attempt, isMatch: true)
      seen.check(.matchIsSaid, (action == .end(.match)) == (isRight && isHeard))
    } else {
      seen.check(.matchIsSaid, action != .end(.match))
    }
    if case .retries(let why) = word, isHeard {
      seen.check(.retryIsNoTry, action == .retry(why) && !arming.isOver)
    }
    if isAsking { seen.check(.questionWaits, action.judgesNothing) }
    if wordsSaid > Arming.wordsMax { seen.check(.wordsEnd, action == .end(.fault(.tooManyWords))) }
  }

  /// Compares whether it is over.
  public func inspect() -> Witnessed<ArmingProperty> {
    var seen = Witnessed<ArmingProperty>()
    seen.check(.endsOnce, arming.isOver == isOver)
    return seen
  }
}

extension Arming.Action {
  /// Whether neither a verdict, nor a sample, nor a further question comes of it.
  fileprivate var judgesNothing: Bool {
    switch self {
    case .tell, .end(.failed), .end(.fault): true
    case .nothing, .submitted, .ask, .retry, .end(.match), .end(.miss), .end(.refused): false
    }
  }
}

/// What is proven of the words of a program that judges.
public enum ArmingProperty: StatedProperty {
  case matchIsSaid
  case endsOnce
  case questionWaits
  case retryIsNoTry
  case wordsEnd

  /// The name of the property, as reports have it.
  public var name: String {
    switch self {
    case .matchIsSaid: "match-is-said"
    case .endsOnce: "ends-once"
    case .questionWaits: "question-waits"
    case .retryIsNoTry: "retry-is-no-try"
    case .wordsEnd: "words-end"
    }
  }

  /// The property in one sentence.
  public var sentence: String {
    switch self {
    case .matchIsSaid:
      "A match is said of its own attempt, by a program that is armed and waits for no answer."
    case .endsOnce: "An arming ends once, and nothing that is said after its end counts."
    case .questionWaits: "While a question is open nothing is judged, and an answer is taken once."
    case .retryIsNoTry: "A sample that cannot be judged ends nothing, and is no verdict."
    case .wordsEnd: "An attempt ends with a program that says too many words."
    }
  }
}
