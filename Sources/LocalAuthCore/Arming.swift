/// One arming of an authenticator that is a program of its own: which words count, and in which
/// order.
///
/// The program is armed for one attempt that is charged already. Its verdict counts once, for that
/// attempt, after it said that it is armed, and while nothing that it asked is open. Whatever else
/// it says is a fault: it proves nothing, and the attempt stays charged as far as it was.
///
/// | word    | arming | armed            | asking | over |
/// |---------|--------|------------------|--------|------|
/// | armed   | -      | fault            | fault  | -    |
/// | touched | fault  | submitted        | fault  | -    |
/// | asks    | fault  | ask              | fault  | -    |
/// | tells   | fault  | tell             | tell   | -    |
/// | retries | fault  | retry            | fault  | -    |
/// | verdict | fault  | end              | fault  | -    |
/// | refuses | fault  | end              | fault  | -    |
/// | failed  | end    | end              | end    | -    |
public struct Arming: Hashable, Sendable {
  /// Something that the program says.
  public enum Word: Hashable, Sendable {
    /// It is ready to judge.
    case armed
    /// It has something to judge.
    case touched
    /// It asks for a text.
    case asks(text: String, echoes: Bool)
    /// It tells the person something.
    case tells(text: String, isError: Bool)
    /// What it captured cannot be judged; the person tries again.
    case retries(Acquisition)
    /// Its verdict on the attempt that it names.
    case verdict(attempt: String, isMatch: Bool)
    /// The evidence is right, but the account may not be used, for this reason.
    case refuses(String)
    /// It cannot judge, for this reason.
    case failed(String)
  }

  /// What to do about a word.
  public enum Action: Hashable, Sendable {
    case nothing
    /// From now on the attempt is not refunded.
    case submitted
    case ask(text: String, echoes: Bool)
    case tell(text: String, isError: Bool)
    case retry(Acquisition)
    /// The arming is over.
    case end(Ending)
  }

  /// How an arming ends.
  public enum Ending: Hashable, Sendable {
    case match
    case miss
    /// The program judged the evidence and found it right, but the account may not be used.
    case refused(String)
    /// The program said that it cannot judge.
    case failed(String)
    /// The program broke a rule, so it cannot be trusted any further.
    case fault(Fault)
  }

  /// A rule that the program broke.
  public enum Fault: Hashable, Sendable {
    /// It said something before it was armed.
    case early
    /// It said twice that it is armed.
    case armedTwice
    /// It said something in between that it may not say while it waits for an answer.
    case impatient
    /// It judged another attempt.
    case otherAttempt
    /// It said more than ``Arming/wordsMax`` words.
    case tooManyWords
    /// It did not say in time that it is armed.
    case silent
    /// It ended before its verdict.
    case gone
    /// It sent something that is no word.
    case malformed

    /// What it did, after "the program".
    public var sentence: String {
      switch self {
      case .early: "spoke before it was armed"
      case .armedTwice: "said twice that it is armed"
      case .impatient: "did not wait for the answer that it had asked for"
      case .otherAttempt: "judged another attempt"
      case .tooManyWords: "said more than \(Arming.wordsMax) words about one attempt"
      case .silent: "did not say in time that it is armed"
      case .gone: "ended without a verdict"
      case .malformed: "sent something that is no word of the protocol"
      }
    }
  }

  /// The most words about one attempt.
  public static let wordsMax = 64
  /// The longest word, in bytes.
  public static let wordSizeMax = 16_384
  /// The longest answer, in bytes; that of PAM.
  public static let answerSizeMax = 511
  /// How long the program may take to be armed.
  public static let patience = Duration.seconds(5)

  private enum State: Hashable {
    case arming
    case armed
    case asking
    case over
  }

  private let attempt: String
  private var state = State.arming
  private var words = 0

  /// Begins an arming for the attempt with this name.
  public init(_ attempt: String) { self.attempt = attempt }

  /// Whether the program was armed and the arming is not over.
  public var isArmed: Bool { state == .armed || state == .asking }
  /// Whether nothing that the program says counts any more.
  public var isOver: Bool { state == .over }

  /// The program said something.
  public mutating func said(_ word: Word) -> Action {
    guard state != .over else { return .nothing }
    words += 1
    guard words <= Self.wordsMax else { return broke(.tooManyWords) }
    switch (state, word) {
    case (.over, _): return .nothing
    case (_, .failed(let reason)): return end(.failed(reason))
    case (.arming, .armed):
      state = .armed
      return .nothing
    case (.arming, _): return broke(.early)
    case (_, .armed): return broke(.armedTwice)
    case (_, .tells(let text, let isError)): return .tell(text: text, isError: isError)
    case (.asking, _): return broke(.impatient)
    case (.armed, .touched): return .submitted
    case (.armed, .retries(let acquisition)): return .retry(acquisition)
    case (.armed, .asks(let text, let echoes)):
      state = .asking
      return .ask(text: text, echoes: echoes)
    case (.armed, .verdict(let name, let isMatch)):
      guard name == attempt else { return broke(.otherAttempt) }
      return end(isMatch ? .match : .miss)
    case (.armed, .refuses(let reason)): return end(.refused(reason))
    }
  }

  /// The question was answered; false if none was open.
  public mutating func answered() -> Bool {
    guard state == .asking else { return false }
    state = .armed
    return true
  }

  /// The program broke a rule that is not about its words.
  public mutating func broke(_ fault: Fault) -> Action {
    state == .over ? .nothing : end(.fault(fault))
  }

  private mutating func end(_ ending: Ending) -> Action {
    state = .over
    return .end(ending)
  }
}
