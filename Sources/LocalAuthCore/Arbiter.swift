/// Decides who has the device's one prompt and who waits.
///
/// The owner's requests come before those of strangers, who have few places. Among each: first come,
/// first served.
public struct Arbiter: Hashable, Sendable {
  /// How many may wait.
  public struct Limits: Hashable, Sendable {
    /// Requests of the owner.
    public var waiting: Int
    /// Requests of the owner that one uid makes.
    public var waitingPerUser: Int
    /// Requests of all strangers together.
    public var waitingOfStrangers: Int
    /// Requests of strangers from one origin.
    public var waitingPerStranger: Int

    /// The limits; the defaults suit a machine with one person at it.
    public init(
      waiting: Int = 64,
      waitingPerUser: Int = 32,
      waitingOfStrangers: Int = 16,
      waitingPerStranger: Int = 2
    ) {
      self.waiting = waiting
      self.waitingPerUser = waitingPerUser
      self.waitingOfStrangers = waitingOfStrangers
      self.waitingPerStranger = waitingPerStranger
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
    /// Where it comes from; nil if from the owner.
    var stranger: Origin?
  }

  /// How many wait for the prompt.
  public var waitingCount: Int { queue.count }
  /// The evaluation that has the prompt.
  public var armed: EvaluationID? { holder?.id }
  /// The evaluations that wait for the prompt, in their order.
  public var waiting: [EvaluationID] { queue.map(\.id) }
  /// Whether a stranger has the prompt and the owner waits for it.
  public var isOwedToOwner: Bool {
    holder?.stranger != nil && ofOwner > 0
  }
  /// How many of the owner's requests wait; they are the first in the queue.
  private var ofOwner: Int { queue.prefix { $0.stranger == nil }.count }
  private var holder: Entry?
  private var queue: [Entry] = []
  private let limits: Limits

  /// An arbiter whose prompt is free.
  public init(limits: Limits = Limits()) { self.limits = limits }

  /// Asks for the prompt on behalf of `uid`; `stranger` is where the request comes from, if not from
  /// the owner.
  public mutating func request(
    _ id: EvaluationID,
    uid: UInt32,
    from stranger: Origin? = nil
  ) -> Admission {
    let entry = Entry(id: id, uid: uid, stranger: stranger)
    guard holder != nil else {
      holder = entry
      return .armed
    }
    guard hasPlace(for: entry) else { return .refused }
    let ahead = stranger == nil ? ofOwner : queue.count
    queue.insert(entry, at: ahead)
    return .waiting(ahead: ahead + 1)
  }

  /// Whether `entry` may wait: what strangers fill leaves the places of the owner free.
  private func hasPlace(for entry: Entry) -> Bool {
    guard let stranger = entry.stranger else {
      return ofOwner < limits.waiting
        && queue.prefix(ofOwner).count { $0.uid == entry.uid } < limits.waitingPerUser
    }
    return queue.count - ofOwner < limits.waitingOfStrangers
      && queue.count { $0.stranger == stranger } < limits.waitingPerStranger
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
