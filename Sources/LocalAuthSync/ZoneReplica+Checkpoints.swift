public import LocalAuthCore
public import LocalAuthKeychain

/// Checkpoints: a device's word on a zone, and beginning at the word of another one.
extension ZoneReplica {
  // MARK: Its own word

  /// Whether this device can say what the zone has: it believes the hub, and every body came that the manifest names.
  public var mayVouch: Bool { alarm == nil && chain.head.number > 0 && inbox.hasAllBodies }

  /// This device's word on the manifest at its head; nil if it cannot give one.
  ///
  /// It says of the circle what the last entry knew, as one that comes next may know no more.
  public func checkpoint(
    in circle: CircleLog,
    signedBy key: any MessageSigning,
    _ hash: any MessageHashing
  ) -> ZoneCheckpoint? {
    guard mayVouch, let circleHead = circle.place(at: chain.circleNumber) else { return nil }
    var checkpoint = ZoneCheckpoint(
      circle: circle.circle,
      zone: chain.zone,
      place: chain.head,
      circleHead: circleHead,
      manifest: chain.manifest.digest(hash),
      author: me
    )
    guard let signature = key.sign(checkpoint.signed) else { return nil }
    checkpoint.signature = signature
    return checkpoint
  }

  // MARK: The word of others

  /// Compares the hub's checkpoint with what was verified here.
  ///
  /// - Returns: whether it is the word of a member; false for that of a device that was removed.
  /// - Throws: ``HubAlarm``, which ``alarm`` keeps.
  public mutating func heed(
    _ checkpoint: ZoneCheckpoint,
    in circle: CircleLog,
    _ ports: SyncPorts
  ) throws(HubAlarm) -> Bool {
    var isWord = false
    try takeWhole { (next) throws(HubAlarm) in
      guard checkpoint.zone == next.chain.zone else { throw .hubTampered(.otherPlace) }
      isWord = try checkpoint.isWordOfMember(in: circle, ports)
      if isWord { try next.chain.heed(checkpoint, ports) }
    }
    return isWord
  }

  /// Begins at a checkpoint, with a device that has verified nothing: all of its records wait for their bodies.
  ///
  /// - Parameters:
  ///   - checkpoint: A member's word on the manifest.
  ///   - manifest: The manifest, as the hub says.
  ///   - circle: The circle.
  ///   - ports: Digests and signatures.
  /// - Throws: ``HubAlarm``, which ``alarm`` keeps; then nothing else has changed.
  public mutating func begin(
    at checkpoint: ZoneCheckpoint,
    _ manifest: [RecordName: ZoneManifest.Line],
    in circle: CircleLog,
    _ ports: SyncPorts
  ) throws(HubAlarm) {
    guard chain.mayBegin else { return }
    try takeWhole { (next) throws(HubAlarm) in
      try next.chain.begin(at: checkpoint, manifest, in: circle, ports)
      // Whether the hub took it shows in the records.
      next.outbox.pulled()
      for name in manifest.keys { next.inbox.put(name, .checkpoint, by: nil) }
    }
  }

  // MARK: Bodies by name

  /// Lets go of the body of a record that cannot be opened yet, because too much waits.
  public mutating func letGo(_ name: RecordName) {
    guard let reason = inbox.waiting[name], reason.hasBody else { return }
    inbox.put(name, .unkept(isNewer: reason.isNewer), by: inbox.authors[name])
  }

  /// Asks by name for the bodies that were let go and can be opened now.
  public mutating func askAgain(_ access: ZoneKeyAccess) {
    for (name, reason) in inbox.waiting {
      guard case .unkept = reason, let line = chain.manifest.lines[name],
        access.has(line.keyClass, in: line.epoch)
      else { continue }
      inbox.put(name, .checkpoint, by: inbox.authors[name])
    }
  }

  /// Whether bodies have to be asked for by name before the chain goes on.
  public var awaitsRecords: Bool { inbox.waiting.values.contains(.checkpoint) }

  /// The record behind which bodies are to be asked for; nil from the first one on.
  ///
  /// They come in the order of their names, so it is the last one that waits for no such page.
  public var recordsCursor: RecordName? {
    let next = inbox.waiting.filter { $0.value == .checkpoint }.keys.min()
    guard let next else { return nil }
    return chain.manifest.lines.lazy.map(\.key).filter { $0 < next }.max()
  }

  /// Takes a page of the bodies before the checkpoint: all of it, or nothing and an alarm.
  ///
  /// What it leaves out was changed by an entry behind the checkpoint. Either that brings another body, or the hub lied,
  /// as the end of the chain shows.
  ///
  /// - Parameters:
  ///   - bodies: The digests of the bodies that came, computed by this device.
  ///   - isLast: Whether the hub says that there are no more.
  ///   - keys: What opens bodies.
  ///   - now: This device's clock.
  /// - Throws: ``HubAlarm``, which ``alarm`` keeps.
  public mutating func takeRecords(
    _ bodies: [RecordName: SyncDigest],
    isLast: Bool,
    _ keys: any RecordOpening,
    at now: WallInstant
  ) throws(HubAlarm) {
    let cursor = recordsCursor
    try takeWhole { (next) throws(HubAlarm) in
      guard let end = isLast ? next.chain.manifest.lines.lazy.map(\.key).max() : bodies.keys.max()
      else {
        if isLast { return }
        throw .hubTampered(.missingBody)
      }
      var came = bodies
      for (name, body) in bodies {
        guard cursor.map({ $0 < name }) ?? true, let line = next.chain.manifest.lines[name],
          line.body == body || next.isRepairing
        else { throw .hubTampered(.body) }
        if line.body != body { came[name] = nil }
      }
      let due = next.inbox.waiting.filter { $0.value == .checkpoint && $0.key <= end }.keys
      for name in due.sorted() {
        guard came[name] != nil else {
          next.inbox.put(name, .body, by: nil)
          continue
        }
        try next.open(name, by: nil, keys, at: now)
      }
    }
  }
}
