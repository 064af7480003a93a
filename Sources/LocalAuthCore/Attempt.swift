/// What an authenticator said about one attempt.
public enum Verdict: Hashable, Sendable {
  /// The factor was proven; for a finger, which one and in which generation of the enrolled set.
  case proven(finger: Finger?, generation: UInt64?)
  /// It was judged and found wrong.
  case miss
  /// Nothing was judged, for a reason that says nothing about the person.
  case unjudged(Outcome)
}

/// The order of effects of one attempt: charge, commit, judge, settle, report.
///
/// | event        | ready     | charging        | judging    | settling          |
/// |--------------|-----------|-----------------|------------|-------------------|
/// | begin        | `.charge` | -               | -          | -                 |
/// | charged      | -         | `.judge`        | -          | -                 |
/// | chargeFailed | -         | `.report(fail)` | -          | -                 |
/// | judged       | -         | -               | `.settle`  | -                 |
/// | settled      | -         | -               | -          | `.report`         |
/// | settleFailed | -         | -               | -          | `.report(fail)`   |
///
/// Every other pair is ignored, as a completion that came too late. The judge is asked only after
/// the charge is durable, and the verdict is reported only after its settlement is durable, so a
/// crash at any point may cost an attempt and never gives one back.
public struct Attempt: Hashable, Sendable {
  /// What to do next.
  public enum Action: Hashable, Sendable {
    /// Count the attempt as failed and make that durable.
    case charge
    /// Ask the authenticator.
    case judge
    /// Make durable what the verdict changes.
    case settle(Verdict)
    /// Report the verdict to the evaluation.
    case report(Verdict)
    /// Nothing: the event came too late.
    case ignore
  }

  private enum State: Hashable, Sendable {
    case ready
    case charging
    case judging
    case settling(Verdict)
    case closed
  }

  /// The factor that is tried.
  public let factor: Factor
  private var state: State = .ready

  /// An attempt at `factor` that has not been charged yet.
  public init(at factor: Factor) { self.factor = factor }

  func hashDecisive(into hasher: inout DecisiveHasher) {
    hasher.value(factor)
    switch state {
    case .ready: hasher.value(0)
    case .charging: hasher.value(1)
    case .judging: hasher.value(2)
    case .settling(let verdict):
      hasher.value(3)
      hasher.combine(verdict)
    case .closed: hasher.value(4)
    }
  }

  /// Whether the authenticator has been asked and has not answered.
  public var isJudging: Bool { state == .judging }

  /// The verdict whose settlement is being made durable.
  public var settling: Verdict? { if case .settling(let verdict) = state { verdict } else { nil } }

  /// Whether the attempt is finished.
  public var isClosed: Bool { state == .closed }

  /// The authenticator has something to judge.
  public mutating func begin() -> Action {
    switch state {
    case .ready:
      state = .charging
      return .charge
    case .charging, .judging, .settling, .closed: return .ignore
    }
  }

  /// The charge is durable.
  public mutating func charged() -> Action {
    switch state {
    case .charging:
      state = .judging
      return .judge
    case .ready, .judging, .settling, .closed: return .ignore
    }
  }

  /// The charge was refused or could not be made durable; nothing is judged.
  public mutating func chargeFailed(_ outcome: Outcome) -> Action {
    switch state {
    case .charging:
      state = .closed
      return .report(.unjudged(outcome))
    case .ready, .judging, .settling, .closed: return .ignore
    }
  }

  /// The authenticator answered.
  public mutating func judged(_ verdict: Verdict) -> Action {
    switch state {
    case .judging:
      state = .settling(verdict)
      return .settle(verdict)
    case .ready, .charging, .settling, .closed: return .ignore
    }
  }

  /// The settlement is durable.
  public mutating func settled() -> Action {
    switch state {
    case .settling(let verdict):
      state = .closed
      return .report(verdict)
    case .ready, .charging, .judging, .closed: return .ignore
    }
  }

  /// The settlement could not be made durable, so the verdict does not count.
  public mutating func settleFailed(_ outcome: Outcome) -> Action {
    switch state {
    case .settling:
      state = .closed
      return .report(.unjudged(outcome))
    case .ready, .charging, .judging, .closed: return .ignore
    }
  }
}
