import LocalAuthSync

/// Whom the hub is to let in because they are in the circle's log, by what this process knows.
struct SyncAdmissions {
  /// Whether there may be somebody: also before a start.
  var areOwed = true
  /// Those whom the hub let in, which it does once for each.
  private var done: Set<PeerIdentifier> = []
  /// Those whom it was asked to let in, and did not refuse.
  private var asked: Set<PeerIdentifier> = []
  /// Why the hub refused others when it was asked last.
  private(set) var refusals: [PeerIdentifier: HubError] = [:]

  /// Whether the hub let this one in.
  func areDone(for peer: PeerIdentifier) -> Bool { done.contains(peer) }

  /// Whether the hub may have let this one in: an answer that was lost may have been yes, and then the letter is gone.
  func mayBeDone(for peer: PeerIdentifier) -> Bool { asked.contains(peer) }

  /// Notes that the hub is asked to let this one in.
  mutating func ask(for peer: PeerIdentifier) { asked.insert(peer) }

  /// Begins to ask for all who are owed.
  mutating func begin() { refusals = [:] }

  /// Notes what the hub said.
  mutating func note(_ reply: HubReply, of peer: PeerIdentifier) {
    guard case .failed(let error) = reply else {
      done.insert(peer)
      return
    }
    refusals[peer] = error
    asked.remove(peer)
  }

  /// Ends it; what the hub may do later stays owed, and so does `others`.
  mutating func end(owing others: Bool) {
    areOwed = others || refusals.values.contains { !Self.isFinal($0) }
  }

  /// Whether the hub has another role for the same entry, or the invitation is over.
  private static func isFinal(_ error: HubError) -> Bool {
    guard case .refused(let code, _) = error else { return false }
    return ["23505", "22023"].contains(code)
  }
}
