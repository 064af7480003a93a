import LocalAuthSync
import Testing

@testable import LocalAuthHost
@testable import LocalAuthService

/// What a test sees of a device that no person does.
extension SyncDevice {
  var live: LiveDevice? {
    try? engine.keyedDevice(named: "sim", true, caller)
  }

  /// Its synchronization; nil before its first unlock, and outside of a circle.
  var synchronizer: Synchronizer? { live?.synchronizer }

  /// How many documents it says to have several versions of.
  func documentConflicts() throws -> Int {
    try report().zones.first { $0.name == .documents }?.conflicts ?? 0
  }

  /// Its public keys as a peer.
  var peerKeys: PeerKeys? { synchronizer?.secrets.keys }

  /// Whether its person asked for something that the next requests are about.
  var isAsked: Bool { synchronizer?.errands.isEmpty == false }

  /// The device's zone of items; nil before its first unlock, and outside of a circle.
  var replica: ZoneReplica? { replica(of: .items) }

  /// A zone of the device; nil before its first unlock, outside of a circle, and for a zone that nobody began.
  func replica(of zone: ZoneName) -> ZoneReplica? { synchronizer?.state.zones[zone] }

  /// Which epochs of a zone the circle has, whose keys are here, and which records are sealed in.
  func keys(of zone: ZoneName) -> String {
    guard let synchronizer else { return "none" }
    let epochs = (synchronizer.state.circle.epochs[zone] ?? []).map { epoch in
      let isGone = synchronizer.state.circle.peers[epoch.author]?.until != nil
      return "\(epoch.number)\(isGone ? " of who went" : "")"
    }
    let used = Set(replica(of: zone)?.chain.manifest.lines.values.map(\.epoch) ?? [])
    return
      "\(zone.text): epochs \(epochs), keys of \(synchronizer.keys.wholeEpochs(of: zone).sorted()), records in \(used.sorted())"
  }

  /// Whether it has all that the hub has, and nothing to send.
  func isQuiet(with hub: ModelHub) -> Bool { unrest(with: hub).isEmpty }

  /// What keeps it from having all that the hub has, and nothing to send.
  func unrest(with hub: ModelHub) -> [String] {
    guard let state = synchronizer?.state else { return ["no circle"] }
    return (state.hasValues ? [] : ["no values yet"])
      + Self.zones.flatMap { unrest(of: $0, state.zones[$0], with: hub) }
  }

  private func unrest(of zone: ZoneName, _ replica: ZoneReplica?, with hub: ModelHub) -> [String] {
    guard let replica else { return hub.zones[zone] == nil ? [] : ["\(zone): not begun"] }
    let found = [
      (replica.chain.head == hub.zones[zone]?.head ?? .beginning, "behind the hub"),
      (replica.outbox.waiting.isEmpty, "\(replica.outbox.waiting.count) to send"),
      (replica.outbox.batch == nil, "a batch is under way"),
      (replica.inbox.isEmpty, "inbox \(replica.inbox.waiting)"),
      (replica.alarm == nil, "alarm"),
    ]
    return found.filter { !$0.0 }.map { "\(zone): \($0.1)" }
  }

  /// The zones that a circle may have.
  static let zones = [ZoneName.items, .keyValues, .documents, .tables]

  /// The contents on its shelves whose bodies are kept.
  var shelf: Set<SyncDigest> {
    guard let state = synchronizer?.state else { return [] }
    return Self.zones.reduce(into: []) { shelf, zone in
      for entry in state.zones[zone]?.shelf.entries ?? []
      where state.bodies[.lost(zone, entry.name, entry.version.content)] != nil {
        shelf.insert(entry.version.content)
      }
    }
  }

  /// The role that it has at its hub.
  var role: HubRole? { synchronizer?.state.membership.address.role }

  /// The content of the last change that was made here in a zone.
  func lastContent(of zone: ZoneName) -> SyncDigest? {
    guard let replica = replica(of: zone) else { return nil }
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
