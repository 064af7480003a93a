/// What came of one transaction: of the attempts somebody makes before they do something else.
public struct TransactionResult: Hashable, Sendable {
  /// Whether the last attempt was accepted.
  public var isAccepted = false
  /// The attempts that counted.
  public var attempts: UInt32 = 0
  /// The presentations, with those that gave no sample.
  public var presentations: UInt32 = 0
  /// How long they took together.
  public var elapsed = Duration.zero

  /// The result of a transaction that has not begun.
  public init() {}
}

extension SensorModel {
  /// Presentations that nobody goes beyond, however often no sample is taken.
  public static let presentationLimit: UInt32 = 100

  /// Somebody tries with their own finger, until it is accepted or has been judged `attempts` times.
  ///
  /// `state` is how the finger is; it changes from each presentation to the next and is handed to the next
  /// transaction. `conditions` says the rest.
  public func genuineTransaction(
    _ finger: EnrolledFinger,
    attempts: UInt32,
    state: inout FingerState,
    in conditions: CaptureConditions = CaptureConditions(),
    using stream: inout EventStream
  ) -> TransactionResult {
    var result = TransactionResult()
    var conditions = conditions
    while result.attempts < attempts, result.presentations < Self.presentationLimit {
      conditions.finger = state
      let presentation = present(finger, in: conditions, using: &stream)
      result.presentations += 1
      result.elapsed += latency.draw(using: &stream)
      state = fingerState.next(after: state, using: &stream)
      if presentation.isJudged { result.attempts += 1 }
      if presentation.matches {
        result.isAccepted = true
        break
      }
    }
    return result
  }

  /// Somebody else tries with a finger of their own against `prints` enrolled ones.
  ///
  /// Each print is one more chance; `wolf` and `lamb` are the attacker's and the target's effects.
  public func impostorTransaction(
    prints: UInt32,
    attempts: UInt32,
    wolf: Double = 0,
    lamb: Double = 0,
    using stream: inout EventStream
  ) -> TransactionResult {
    let rate = impostors.falseMatch(scores, wolf: wolf, lamb: lamb)
    return attack(
      accepting: Chance.any(of: UInt64(prints), each: rate),
      attempts: attempts,
      using: &stream
    )
  }

  /// Somebody tries with fakes of this species, until one is accepted or `attempts` have been judged.
  public func presentationAttack(
    _ species: AttackSpecies,
    attempts: UInt32,
    using stream: inout EventStream
  ) -> TransactionResult {
    attack(accepting: species.iapar, attempts: attempts, using: &stream)
  }

  private func attack(
    accepting rate: Double,
    attempts: UInt32,
    using stream: inout EventStream
  ) -> TransactionResult {
    var result = TransactionResult()
    while result.attempts < attempts, result.presentations < Self.presentationLimit {
      let failed = stream.happens(acquisition.failureToAcquire)
      let accepted = stream.happens(rate)
      result.presentations += 1
      result.elapsed += latency.draw(using: &stream)
      if failed { continue }
      result.attempts += 1
      if accepted {
        result.isAccepted = true
        break
      }
    }
    return result
  }
}
