import LocalAuthCore
import LocalAuthSync

/// What a device does with checkpoints: takes the word of others where it may, and gives its own.
extension Synchronizer {
  /// Whether a zone that ends there has so many entries that there is a checkpoint.
  func isLong(_ head: ChainPlace) -> Bool {
    ZoneCheckpoint.isDue(at: head.number, behind: 0, every: engine.options.checkpointInterval)
  }

  /// Whether a zone's last checkpoint, as far as this device knows, is so far behind that another one is due.
  func isCheckpointDue(of zone: ZoneName) -> Bool {
    guard let replica = state.zones[zone] else { return false }
    let isDue = ZoneCheckpoint.isDue(
      at: replica.chain.head.number,
      behind: checkpoints[zone] ?? 0,
      every: engine.options.checkpointInterval
    )
    return isDue && replica.mayVouch
  }

  /// This device's word on a zone, with the manifest; nil if it cannot give one.
  func makeCheckpoint(of zone: ZoneName) -> (ZoneCheckpoint, [ManifestPart])? {
    guard let replica = state.zones[zone],
      let checkpoint = replica.checkpoint(in: state.circle, signedBy: secrets.signer, ports.hash)
    else { return nil }
    return (checkpoint, ManifestPart.parts(of: replica.chain.manifest))
  }

  /// Compares the hub's checkpoint with what was verified here.
  ///
  /// - Parameters:
  ///   - checkpoint: The checkpoint.
  ///   - zone: The zone that it was asked for.
  ///   - body: Gets whether it is the word of a member; nil after an alarm, which the zone keeps.
  func heed(
    _ checkpoint: ZoneCheckpoint,
    of zone: ZoneName,
    then body: @escaping (Bool?) -> Void
  ) {
    var isWord = false
    let end: (Bool) -> Void = { body($0 ? isWord : nil) }
    changing(zone, after: nil, [:], end) {
      (zones, _, circle, _, ports) throws(HubAlarm) in
      isWord = try zones[zone]?.heed(checkpoint, in: circle, ports) ?? false
    }
  }

  /// Begins with a zone at a member's checkpoint; `body` gets false after an alarm, which the zone keeps.
  func begin(
    at checkpoint: ZoneCheckpoint,
    _ manifest: [RecordName: ZoneManifest.Line],
    then body: @escaping (Bool) -> Void
  ) {
    let zone = checkpoint.zone
    changing(zone, after: .beginning, [:], body) {
      [weak self] (zones, _, circle, _, ports) throws(HubAlarm) in
      try zones[zone]?.begin(at: checkpoint, manifest, in: circle, ports)
      self?.checkpoints[zone] = checkpoint.place.number
    }
  }

  /// Takes a page of the bodies before the checkpoint, in one commit with the items that change.
  ///
  /// - Parameters:
  ///   - bodies: The bodies.
  ///   - isLast: Whether the hub says that there are no more.
  ///   - zone: The zone.
  ///   - head: Where the zone ended when they were asked for.
  ///   - body: Gets whether the round may go on; false after an alarm, which the zone keeps.
  func take(
    _ bodies: ZoneBodies,
    isLast: Bool,
    of zone: ZoneName,
    at head: ChainPlace,
    then body: @escaping (Bool) -> Void
  ) {
    changing(zone, after: head, bodies, body) {
      (zones, opener, _, now, ports) throws(HubAlarm) in
      let digests = bodies.mapValues { ports.hash.digest(of: $0) }
      try zones[zone]?.takeRecords(digests, isLast: isLast, opener, at: now)
    }
  }
}
