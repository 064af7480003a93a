/// The grants of one device.
public struct Grants: Hashable, Sendable {
  /// The most grants of one device; the one with the oldest proof makes room.
  public static let countMax = 16

  /// All grants, oldest first; some may have ended.
  public private(set) var all: [Grant]

  /// The grants that were stored, none by default.
  public init(_ stored: [Grant] = []) { all = stored }

  /// Whether there is none.
  public var isEmpty: Bool { all.isEmpty }

  /// The grant with this name.
  public subscript(id: EvaluationID) -> Grant? { all.first { $0.id == id } }

  /// The grant that answers `scope`.
  public func answering(
    _ scope: Grant.Scope,
    within maxAge: Duration,
    at now: Moment
  ) -> Grant? { all.last { $0.answers(scope, within: maxAge, at: now) } }

  /// Adds a grant, replacing the one of the same scope, and drops those that have ended.
  public mutating func add(_ grant: Grant, at now: Moment) {
    all.removeAll { $0.scope == grant.scope || $0.timeLeft(at: now) == nil }
    all.append(grant)
    all.removeFirst(max(0, all.count - Self.countMax))
  }

  /// Counts one use of the grant `id`; nil if there is none, else whether the use must be durable
  /// before the answer.
  public mutating func use(_ id: EvaluationID, at now: Moment) -> Bool? {
    guard let index = all.firstIndex(where: { $0.id == id }) else { return nil }
    return all[index].use(at: now)
  }

  /// Removes the grant with this name; false if there is none.
  public mutating func revoke(_ id: EvaluationID) -> Bool {
    let count = all.count
    all.removeAll { $0.id == id }
    return all.count < count
  }

  /// Removes all grants.
  public mutating func revokeAll() { all = [] }
}
