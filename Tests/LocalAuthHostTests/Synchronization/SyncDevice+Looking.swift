import LocalAuthSync
import Testing

@testable import LocalAuthHost
@testable import LocalAuthService

/// What a test sees of a device that no person does.
extension SyncDevice {
  private var live: LiveDevice? {
    try? engine.keyedDevice(named: "sim", true, caller)
  }

  /// Its synchronization; nil before its first unlock, and outside of a circle.
  var synchronizer: Synchronizer? { live?.synchronizer }

  /// The device's zone of items; nil before its first unlock, and outside of a circle.
  var replica: ZoneReplica? { synchronizer?.state.zones[.items] }

  /// The contents on its shelf whose bodies are kept.
  var shelf: Set<SyncDigest> {
    guard let state = synchronizer?.state, let replica = state.zones[.items] else {
      return []
    }
    return Set(
      replica.shelf.entries.filter {
        state.bodies[.lost(.items, $0.name, $0.version.content)] != nil
      }.map(\.version.content)
    )
  }

  /// The role that it has at its hub.
  var role: HubRole? { synchronizer?.state.membership.address.role }

  /// The content of the last change that was made here.
  var lastContent: SyncDigest? {
    guard let replica else { return nil }
    let dot = VersionVector.Dot(replica.me, replica.changesMade)
    return replica.records.values.first { $0.current.made == dot }?.current.content
  }

  /// Turns until nothing is under way but a request to the hub.
  func settle(_ hub: ModelHub) throws {
    var turns = 0
    func takeTurn() {
      live?.mutations.enter { [self] in
        turns += 1
        live?.mutations.leave()
      }
    }
    for turn in 1...3 {
      takeTurn()
      try self.turn { turns >= turn }
    }
    try turn {
      guard let synchronizer, synchronizer.round != nil else { return true }
      return role.map { hub.isWaiting(for: $0) } ?? true
    }
  }
}
