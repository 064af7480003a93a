import LocalAuthCore
public import LocalAuthKeychain

/// What the next push has, before it is sealed.
public struct PushPlan: Hashable, Sendable {
  /// The versions to seal.
  public var versions: [RecordName: RecordVersion]
  /// Old tombstones to drop.
  public var purges: [RecordName]
  /// The epoch to seal in.
  public let epoch: UInt32
}

/// Which keys of a zone a device has at the moment.
public struct ZoneKeyAccess: Hashable, Sendable {
  /// The epochs whose keys came.
  public var epochs: Set<UInt32>
  /// Whether the device is unlocked.
  public var isUnlocked: Bool

  /// The access of a device with the keys of `epochs`.
  public init(epochs: Set<UInt32>, isUnlocked: Bool) {
    self.epochs = epochs
    self.isUnlocked = isUnlocked
  }

  /// Whether it has the key of `keyClass` in `epoch`.
  public func has(_ keyClass: ZoneKeyClass, in epoch: UInt32) -> Bool {
    guard epochs.contains(epoch) else { return false }
    switch keyClass {
    case .whenUnlocked: return isUnlocked
    case .afterFirstUnlock: return true
    }
  }
}

extension ZoneReplica {
  // MARK: Sending

  /// What can be sent now; nil for nothing.
  ///
  /// A locked device sends what it can seal. A record that waits in the inbox waits here too, because it has to be
  /// merged first; one that nobody can read is written over. Re-encryption comes last, and keeps versions as they are.
  /// Of what nobody can read, and what the hub lost, it sends what is here; of the former it drops the rest. Where a hub
  /// has no room, what takes some waits.
  ///
  /// - Parameters:
  ///   - circle: The circle.
  ///   - access: The keys that are there.
  ///   - purges: Tombstones that are due.
  ///   - reseals: Whether records of older epochs are sealed anew.
  ///   - takesRoom: Whether there may be anything in it that is longer than what it takes the place of.
  ///   - limit: The most changes.
  /// - Returns: the plan.
  public func plan(
    in circle: CircleLog,
    _ access: ZoneKeyAccess,
    purging purges: [RecordName] = [],
    reseals: Bool = false,
    takingRoom takesRoom: Bool = true,
    limit: Int = ZoneEntry.changesMax
  ) -> PushPlan? {
    let epoch = circle.epoch(of: chain.zone, at: circle.head.number)
    guard !isReadOnly(in: circle), outbox.batch == nil, !outbox.isBehind, !awaitsRecords, epoch > 0,
      circle.member(me, at: circle.head.number) != nil
    else { return nil }
    var plan = PushPlan(versions: [:], purges: [], epoch: epoch)
    for name in outbox.waiting.sorted() where plan.versions.count < limit {
      if let version = sendable(name, epoch, access), takesRoom || makesRoom(version, of: name) {
        plan.versions[name] = version
      }
    }
    if reseals, let oldest = chain.manifest.oldestEpoch, oldest < epoch {
      for (name, line) in chain.manifest.lines.sorted(by: { $0.key < $1.key })
      where line.epoch < epoch && plan.versions.count < limit && plan.versions[name] == nil {
        if let version = sendable(name, epoch, access), takesRoom || makesRoom(version, of: name) {
          plan.versions[name] = version
        }
      }
    }
    let room = limit - plan.versions.count
    let purgeable = purges.filter(isPurgeable) + (reseals ? unreadable(before: epoch) : [])
    plan.purges = Array(purgeable.filter { plan.versions[$0] == nil }.prefix(room))
    return plan.versions.isEmpty && plan.purges.isEmpty ? nil : plan
  }

  private func sendable(
    _ name: RecordName,
    _ epoch: UInt32,
    _ access: ZoneKeyAccess
  ) -> RecordVersion? {
    let reason = inbox.waiting[name]
    guard let version = records[name]?.current, reason?.isWrittenOver ?? true,
      access.has(version.keyClass, in: epoch)
    else { return nil }
    return version
  }

  /// Whether a version is no longer than what the hub has of its record: a tombstone, or the same once more.
  private func makesRoom(_ version: RecordVersion, of name: RecordName) -> Bool {
    chain.manifest.lines[name] != nil
      && (version.isTombstone || records[name]?.mirrored == version)
  }

  /// Records of older epochs that nobody can read, and of which nothing is here.
  private func unreadable(before epoch: UInt32) -> [RecordName] {
    inbox.waiting.filter { name, reason in
      reason == .unreadable && records[name] == nil
        && chain.manifest.lines[name].map { $0.epoch < epoch } ?? false
    }.keys.sorted()
  }

  /// Signs what was sealed; the batch is durable before it is sent.
  ///
  /// - Parameters:
  ///   - plan: What ``plan(in:_:purging:reseals:takingRoom:limit:)`` returned.
  ///   - bodies: The digests of the sealed bodies.
  ///   - batch: A random identifier.
  ///   - circle: The circle.
  ///   - heads: The other zones.
  ///   - key: This device's key.
  /// - Returns: the batch; nil if a body is missing, another batch is under way, or the key fails.
  public mutating func compose(
    _ plan: PushPlan,
    _ bodies: [RecordName: SyncDigest],
    _ batch: BatchIdentifier,
    in circle: CircleLog,
    heads: [ZoneHead] = [],
    signedBy key: any MessageSigning
  ) -> Outbox.Batch? {
    var changes: [ZoneChange] = plan.purges.map { ZoneChange($0, nil, .afterFirstUnlock) }
    for (name, version) in plan.versions {
      guard let body = bodies[name] else { return nil }
      changes.append(ZoneChange(name, body, version.keyClass))
    }
    var entry = ZoneEntry(
      circle: circle.circle,
      zone: chain.zone,
      previous: chain.head,
      author: me,
      batch: batch,
      changes: changes,
      epoch: plan.epoch,
      circleHead: circle.head,
      heads: heads
    )
    guard let signature = key.sign(entry.signed) else { return nil }
    entry.signature = signature
    let composed = Outbox.Batch(entry: entry, versions: plan.versions)
    return outbox.send(composed) ? composed : nil
  }

  /// Takes the hub's answer to the batch.
  ///
  /// The device verifies its own entry like any other, so that the hub cannot say it was taken where it
  /// does not fit.
  ///
  /// - Throws: ``HubAlarm``, which ``alarm`` keeps.
  public mutating func answered(
    _ answer: PushAnswer,
    in circle: CircleLog,
    _ ports: SyncPorts
  ) throws(HubAlarm) {
    if let alarm { throw alarm }
    // An answer that comes twice, or after the chain was pulled, says nothing new.
    guard let batch = outbox.batch else { return }
    switch answer {
    case .refused: outbox.refused()
    case .accepted(let place):
      try takeWhole { (next) throws(HubAlarm) in
        guard place == batch.entry.place(ports.hash) else { throw .hubTampered(.answer) }
        var bodies: [RecordName: SyncDigest] = [:]
        for change in batch.entry.changes { bodies[change.name] = change.body }
        _ = try next.chain.admit([batch.entry], bodies: bodies, head: place, in: circle, ports)
        next.accept(batch)
        // It ends the chain, so what was before it was fetched.
        next.isRepairing = false
        for change in batch.entry.changes where change.body == nil {
          next.purge(change.name, at: next.horizon.latest)
        }
      }
    }
  }

  /// The hub has what the batch says.
  mutating func accept(_ batch: Outbox.Batch) {
    outbox.accepted()
    for (name, version) in batch.versions {
      // Nobody wrote in between, or the chain would not fit.
      records[name]?.mirrored = version
      records[name]?.buried = version.isTombstone ? horizon.latest : nil
      inbox.take(name)
      if records[name]?.current == version { outbox.drop(name) }
    }
  }

  // MARK: Tombstones

  /// Whether the hub has a tombstone of this record, and nothing here changes it.
  func isPurgeable(_ name: RecordName) -> Bool {
    guard let record = records[name], inbox.waiting[name] == nil else { return false }
    return record.mirrored?.isTombstone == true && record.current == record.mirrored
  }

  // MARK: Rolling

  /// How long keys are used, in milliseconds: a year.
  public static let keysAgeMax: Int64 = 365 * 24 * 3_600_000

  /// Notes that an epoch began.
  public mutating func hearOfKeys() { keysHeard = horizon.latest }

  /// Whether new keys are due: there are none, somebody who was removed has them, or two of the others say that they are a
  /// year old.
  public func isRollDue(in circle: CircleLog) -> Bool {
    guard let epoch = circle.epochs[chain.zone]?.last else { return true }
    return horizon.latest.isLater(than: keysHeard, by: Self.keysAgeMax)
      || circle.peers.values.contains { $0.until.map { $0 > epoch.since } ?? false }
  }

  /// Whether this device may begin a new epoch: it has verified all that the hub has, and opened all that it ever can.
  ///
  /// Whoever rolled keys with an incomplete mirror would leave records that nobody can open any more.
  public func mayRoll(hubHead: ChainPlace, in circle: CircleLog) -> Bool {
    !isReadOnly(in: circle) && chain.head == hubHead && inbox.isSettled && !outbox.isBehind
  }

  /// The epochs whose keys somebody needs who gets only those of the next one, the most wanted first: the newest, then those
  /// that records are sealed in, then those in which records can still come.
  ///
  /// The first of them are to do: whoever makes many epochs has few records of others in each.
  public func epochsInUse(in circle: CircleLog) -> [UInt32] {
    let epochs = circle.epochs[chain.zone] ?? []
    let open = zip(epochs, epochs.dropFirst()).filter { chain.circleNumber < $1.since }
    let wanted =
      epochs.suffix(1).map(\.number) + chain.manifest.epochs
      + open.reversed().map(\.0.number)
    var seen: Set<UInt32> = []
    return wanted.filter { seen.insert($0).inserted }
  }
}
