public import LocalAuthCore

/// One use of a fingerprint reader through fprintd: a verification or an enrolment.
///
/// The reader is claimed first and released last. Nothing that it says counts unless it is claimed,
/// started, and not being stopped: fprintd calls a cancelled scan a miss, and judges a finger that
/// lay there before anybody was asked.
///
/// | event       | claiming        | lifting        | starting | scanning       | stopping        | releasing |
/// |-------------|-----------------|----------------|----------|----------------|-----------------|-----------|
/// | claimed     | look, or start  | -              | -        | -              | -               | -         |
/// | finger lies | -               | retry          | -        | touched        | -               | -         |
/// | no finger   | -               | start          | -        | -              | -               | -         |
/// | started     | -               | -              | scan     | -              | -               | -         |
/// | word        | -               | -              | dropped  | said, and stop | dropped         | -         |
/// | stopped     | -               | -              | -        | -              | start / release | -         |
/// | released    | -               | -              | -        | -              | -               | over      |
/// | cancelled   | release, later  | release        | stop, later | stop        | release, later  | -         |
/// | vanished    | over            | over           | over     | over           | over            | over      |
///
/// A reader that somebody else holds is claimed again after a while. An interruption is a cancel that
/// says why. While the machine sleeps nothing is released: fprintd suspends the reader by itself, and
/// one that is released then cannot be opened again before fprintd is restarted (1.94.2).
public struct ReaderRun: Hashable, Sendable {
  /// What the reader is used for.
  public enum Purpose: Hashable, Sendable {
    case verify
    case enroll(Finger)
  }

  /// What to do next.
  public enum Effect: Hashable, Sendable {
    /// Claim the reader; report to ``ReaderRun/claimed(_:)``.
    case claim
    /// Wait until it may be free; report to ``ReaderRun/waited()``.
    case wait
    /// Ask whether a finger lies on it, now and at each change; report to
    /// ``ReaderRun/finger(lies:)``.
    case look
    /// Begin to scan; report to ``ReaderRun/started(_:)``.
    case start
    /// End the scan; report to ``ReaderRun/stopped()``.
    case stop
    /// The machine may sleep: the reader is released when it is awake again.
    case rest
    /// Release the reader; report to ``ReaderRun/released()``.
    case release
    /// Tell who asked.
    case say(Saying)
    /// Nothing follows.
    case over
  }

  /// What to tell whoever asked.
  public enum Saying: Hashable, Sendable {
    /// The reader is claimed.
    case armed
    /// A finger lies on it.
    case touched
    case retry(Acquisition)
    /// The last word of a verification.
    case verdict(isMatch: Bool)
    case passed(Int, of: Int)
    /// The last word of an enrolment.
    case completed
    /// The last word: it did not work, for this reason.
    case failed(String)
  }

  /// How a claim ends.
  public enum Claim: Hashable, Sendable {
    case granted
    /// Somebody else holds the reader.
    case busy
    /// It is refused for this reason.
    case refused(String)
  }

  private enum State: Hashable {
    case claiming
    case waiting
    case lifting
    case starting
    case scanning
    case stopping
    case resting
    case releasing
    case over
  }

  /// What the reader is used for.
  public let purpose: Purpose
  private var state = State.claiming
  private var isCancelled = false
  private var interruption: String?
  private var isAsleep = false
  /// Whether the last word was said.
  private var hasSaid = false
  /// Whether a verdict came too early, so that the scan has to begin anew.
  private var isStale = false
  private var stages = 1
  private var passed = 0
  private var restarts = 0
  private var retries = 0
  private var hasTouched = false
  private var wasToldToLift = false

  /// How often a scan may begin anew for one attempt.
  public static let restartsMax = 8

  /// How often the reader may say that a scan cannot be judged; more words than
  /// ``Arming/wordsMax`` would be a fault.
  public static let retriesMax = 40

  /// Begins a use of the reader.
  public init(_ purpose: Purpose) { self.purpose = purpose }

  /// Whether nobody waits for it any more.
  public var isAbandoned: Bool { isCancelled || hasSaid }
  /// Whether it goes no further than to free the reader.
  private var isEnding: Bool { isAbandoned || interruption != nil }
  /// Whether the reader is free again.
  public var isOver: Bool { state == .over }

  // MARK: What the reader says

  /// The claim was granted, or not.
  public mutating func claimed(_ claim: Claim) -> [Effect] {
    guard state == .claiming else { return [] }
    switch claim {
    case .granted where isEnding: return release()
    case .granted: return begin()
    case .busy where isEnding: return end()
    case .busy where purpose == .verify:
      // Whoever asked hears that it is busy, and asks for something else meanwhile.
      state = .waiting
      return [.wait]
    case .busy: return last(.failed(SensorHindrance.busy.sentence)) + end()
    case .refused(let why): return last(.failed(why)) + end()
    }
  }

  /// The reader may be free by now.
  public mutating func waited() -> [Effect] {
    guard state == .waiting else { return [] }
    state = .claiming
    return [.claim]
  }

  private mutating func begin() -> [Effect] {
    switch purpose {
    case .verify:
      state = .lifting
      return [.say(.armed), .look]
    case .enroll:
      state = .starting
      return [.start]
    }
  }

  /// A finger lies on the reader, or none does as far as it knows.
  public mutating func finger(lies: Bool) -> [Effect] {
    switch state {
    case .lifting where !lies:
      state = .starting
      return [.start]
    case .lifting:
      // It lay there before anybody was asked, so it is no answer.
      guard !wasToldToLift else { return [] }
      wasToldToLift = true
      return [.say(.retry(.removeFinger))]
    case .scanning where lies && purpose == .verify && !hasTouched:
      hasTouched = true
      return [.say(.touched)]
    case .claiming, .waiting, .starting, .scanning, .stopping, .resting, .releasing, .over:
      return []
    }
  }

  /// An enrolment has this many stages.
  public mutating func has(stages: Int) { self.stages = max(1, stages) }

  /// The scan began, or could not for this reason.
  public mutating func started(_ refusal: String? = nil) -> [Effect] {
    guard state == .starting else { return [] }
    if let refusal { return last(.failed(refusal)) + release() }
    state = .scanning
    guard !isEnding else { return stop() }
    return isStale ? restart() : []
  }

  /// The reader said `word`; `isDone` tells whether it scans no longer.
  public mutating func heard(_ word: ScanWord, isDone: Bool) -> [Effect] {
    switch state {
    case .starting:
      isStale = isStale || isDone
      return []
    case .scanning: return scanned(word, isDone)
    case .claiming, .waiting, .lifting, .stopping, .resting, .releasing, .over: return []
    }
  }

  /// The scan has ended.
  public mutating func stopped() -> [Effect] {
    guard state == .stopping else { return [] }
    guard isStale, !isEnding else { return release() }
    isStale = false
    state = .starting
    return [.start]
  }

  /// The reader is released.
  public mutating func released() -> [Effect] { state == .releasing ? end() : [] }

  /// The reader, or the service that drives it, is gone.
  public mutating func vanished(_ why: String) -> [Effect] {
    state == .over ? [] : last(.failed(why)) + end()
  }

  // MARK: What others do

  /// Whoever asked does not wait any longer.
  public mutating func cancelled() -> [Effect] {
    isCancelled = true
    switch state {
    case .waiting: return end()
    case .lifting: return release()
    case .scanning: return stop()
    // What is under way is waited for.
    case .claiming, .starting, .stopping, .resting, .releasing, .over: return []
    }
  }

  /// The machine goes to sleep.
  public mutating func slept(_ why: String) -> [Effect] {
    isAsleep = true
    return interrupted(why)
  }

  /// The machine is awake again.
  public mutating func woke() -> [Effect] {
    isAsleep = false
    return state == .resting ? release() : []
  }

  /// The lid closes, or another reason not to go on.
  ///
  /// It is said once the reader is free: until then whoever asked may have cancelled, and can ask
  /// again afterwards.
  public mutating func interrupted(_ why: String) -> [Effect] {
    guard state != .over, !isAbandoned else { return [] }
    interruption = why
    switch state {
    case .waiting: return end()
    case .lifting: return release()
    case .scanning: return stop()
    case .claiming, .starting, .stopping, .resting, .releasing, .over: return []
    }
  }

  // MARK: Steps

  private mutating func scanned(_ word: ScanWord, _ isDone: Bool) -> [Effect] {
    switch (purpose, word) {
    case (.verify, .match): return last(.verdict(isMatch: true)) + stop()
    case (.verify, .noMatch): return last(.verdict(isMatch: false)) + stop()
    case (_, .retry(let acquisition)):
      retries += 1
      guard retries <= Self.retriesMax else {
        return last(.failed("The reader cannot read what lies on it.")) + stop()
      }
      return [.say(.retry(acquisition))] + (isDone ? restart() : [])
    case (.enroll, .stagePassed):
      passed = min(passed + 1, stages)
      return [.say(.passed(passed, of: stages))]
    case (.enroll, .completed): return last(.completed) + stop()
    case (_, .failed(let why)): return last(.failed(why)) + stop()
    case (.verify, .stagePassed), (.verify, .completed), (.enroll, .match), (.enroll, .noMatch):
      return last(.failed("The reader said something unknown.")) + stop()
    }
  }

  /// Scans anew for the same attempt.
  private mutating func restart() -> [Effect] {
    restarts += 1
    guard restarts <= Self.restartsMax else {
      return last(.failed("Something lies on the reader.")) + stop()
    }
    isStale = true
    return stop()
  }

  private mutating func last(_ saying: Saying) -> [Effect] {
    guard !isAbandoned else { return [] }
    hasSaid = true
    return [.say(saying)]
  }

  private mutating func stop() -> [Effect] {
    state = .stopping
    return [.stop]
  }

  private mutating func release() -> [Effect] {
    guard !isAsleep else {
      state = .resting
      return [.rest]
    }
    state = .releasing
    return [.release]
  }

  private mutating func end() -> [Effect] {
    state = .over
    return (interruption.map { last(.failed($0)) } ?? []) + [.over]
  }
}
