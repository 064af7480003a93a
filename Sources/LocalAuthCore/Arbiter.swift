/// Decides who has the device's one prompt and who waits.
///
/// First come, first served; a user holds at most ``Limits/waitingPerUser`` places.
public struct Arbiter: Hashable, Sendable {
  /// How many may wait.
  public struct Limits: Hashable, Sendable {
    /// In all.
    public var waiting: Int
    /// For one uid.
    public var waitingPerUser: Int

    /// The limits; the defaults suit a machine with one person at it.
    public init(waiting: Int = 64, waitingPerUser: Int = 32) {
      self.waiting = waiting
      self.waitingPerUser = waitingPerUser
    }
  }

  /// The answer to a request.
  public enum Admission: Hashable, Sendable {
    /// The prompt goes to this request.
    case armed
    /// The request waits behind this many others.
    case waiting(ahead: Int)
    /// Too many wait already.
    case refused
  }

  /// What follows when an evaluation ends.
  public enum Succession: Hashable, Sendable {
    /// Nothing changes for the others.
    case unchanged
    /// The prompt goes to this evaluation.
    case armed(EvaluationID)
    /// Nobody has the prompt.
    case idle
  }

  private struct Entry: Hashable, Sendable {
    var id: EvaluationID
    var uid: UInt32
  }

  /// How many wait for the prompt.
  public var waitingCount: Int { queue.count }
  /// The evaluation that has the prompt.
  public var armed: EvaluationID? { holder?.id }
  /// The evaluation that has the prompt, then those that wait for it, in their order.
  public var order: [EvaluationID] { (armed.map { [$0] } ?? []) + waiting }
  /// The evaluations that wait for the prompt, in their order.
  public var waiting: [EvaluationID] { queue.map(\.id) }
  private var holder: Entry?
  private var queue: [Entry] = []
  private let limits: Limits

  /// An arbiter whose prompt is free.
  public init(limits: Limits = Limits()) { self.limits = limits }

  /// Asks for the prompt on behalf of `uid`.
  public mutating func request(_ id: EvaluationID, uid: UInt32) -> Admission {
    guard holder != nil else {
      holder = Entry(id: id, uid: uid)
      return .armed
    }
    let ofUser = queue.count { $0.uid == uid }
    guard queue.count < limits.waiting, ofUser < limits.waitingPerUser else { return .refused }
    queue.append(Entry(id: id, uid: uid))
    return .waiting(ahead: queue.count)
  }

  /// The evaluation ended, whether it had the prompt or was waiting for it.
  public mutating func ended(_ id: EvaluationID) -> Succession {
    guard holder?.id == id else {
      queue.removeAll { $0.id == id }
      return .unchanged
    }
    guard !queue.isEmpty else {
      holder = nil
      return .idle
    }
    let next = queue.removeFirst()
    holder = next
    return .armed(next.id)
  }
}
