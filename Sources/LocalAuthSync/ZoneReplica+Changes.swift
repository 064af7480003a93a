public import LocalAuthCore
public import LocalAuthKeychain

/// Changes of this device's, which wait to be sent.
extension ZoneReplica {
  /// A person added an item or changed it.
  ///
  /// - Parameters:
  ///   - name: The record.
  ///   - identifier: The item's identifier.
  ///   - content: The keyed digest of its content.
  ///   - keyClass: Which key seals it.
  ///   - now: This device's clock.
  public mutating func put(
    _ name: RecordName,
    _ identifier: ItemIdentifier,
    content: SyncDigest,
    _ keyClass: ZoneKeyClass,
    at now: WallInstant
  ) {
    let dot = nextDot()
    write(
      name,
      RecordVersion(
        identifier: identifier,
        isTombstone: false,
        modified: now,
        keyClass: keyClass,
        content: content,
        made: dot,
        vector: vector(of: name, with: dot)
      )
    )
  }

  /// A person deleted an item; nothing happens if it is gone.
  ///
  /// - Parameters:
  ///   - name: The record.
  ///   - content: The keyed digest of the tombstone.
  ///   - now: This device's clock. The tombstone is later than what it buries, whatever the clock says.
  public mutating func delete(_ name: RecordName, content: SyncDigest, at now: WallInstant) {
    guard let old = shown(name) else { return }
    let (after, overflow) = old.modified.milliseconds.addingReportingOverflow(1)
    let time = max(now, WallInstant(milliseconds: overflow ? .max : after))
    bury(name, old.identifier, content: content, old.keyClass, at: time)
  }

  /// A person deleted an item that the hub may have, while all that it has is fetched once more.
  ///
  /// - Parameters:
  ///   - name: The record.
  ///   - identifier: The item's identifier.
  ///   - content: The keyed digest of the tombstone.
  ///   - keyClass: Which key seals it.
  ///   - now: This device's clock.
  public mutating func deleteUnseen(
    _ name: RecordName,
    _ identifier: ItemIdentifier,
    content: SyncDigest,
    _ keyClass: ZoneKeyClass,
    at now: WallInstant
  ) {
    guard records[name] == nil, chain.isBeginningAnew else { return }
    bury(name, identifier, content: content, keyClass, at: now)
  }

  private mutating func bury(
    _ name: RecordName,
    _ identifier: ItemIdentifier,
    content: SyncDigest,
    _ keyClass: ZoneKeyClass,
    at time: WallInstant
  ) {
    let dot = nextDot()
    write(
      name,
      RecordVersion(
        identifier: identifier,
        isTombstone: true,
        modified: time,
        keyClass: keyClass,
        content: content,
        made: dot,
        vector: vector(of: name, with: dot)
      )
    )
  }

  /// Keeps what a person wrote here before it could be a version, because the hub overruled it.
  ///
  /// - Parameters:
  ///   - name: The record.
  ///   - content: The keyed digest of its content.
  ///   - keyClass: Which key seals it.
  ///   - written: When it was written.
  ///   - now: This device's clock.
  /// - Returns: the version that is on the shelf.
  public mutating func discard(
    _ name: RecordName,
    content: SyncDigest,
    _ keyClass: ZoneKeyClass,
    written: WallInstant,
    at now: WallInstant
  ) -> RecordVersion {
    let dot = nextDot()
    var vector = VersionVector()
    vector.add(dot)
    let version = RecordVersion(
      identifier: ValueRecord.identifier,
      isTombstone: false,
      modified: written,
      keyClass: keyClass,
      content: content,
      made: dot,
      vector: vector
    )
    shelve(version, of: name, at: now)
    return version
  }

  /// Keeps what lost; a clock that was set back does not make it older than it is.
  public mutating func shelve(_ version: RecordVersion, of name: RecordName, at now: WallInstant) {
    shelf.keep(version, of: name, at: max(now, horizon.latest))
  }

  /// How many of its own changes a device may have forgotten, as one that is an older copy of itself has.
  ///
  /// Nobody makes as many, so whoever says that it made more lies.
  static let forgottenMax: UInt64 = 1 << 32

  /// Goes on counting behind changes of this device's that another knows; false if it cannot have made them.
  ///
  /// A number that is given twice would make a change look like one that others have overruled.
  mutating func recall(_ count: UInt64) -> Bool {
    guard count > changesMade else { return true }
    guard count - changesMade <= Self.forgottenMax, count < .max / 2 else { return false }
    changesMade = count
    return true
  }

  /// Forgets what it showed of records that cannot be opened now; for a device that kept no content of them.
  public mutating func forgetUnopened() {
    for name in inbox.waiting.keys {
      records[name] = nil
      outbox.drop(name)
    }
  }

  private mutating func nextDot() -> VersionVector.Dot {
    changesMade += 1
    return VersionVector.Dot(me, changesMade)
  }

  private func vector(of name: RecordName, with dot: VersionVector.Dot) -> VersionVector {
    var vector = records[name]?.current.vector ?? VersionVector()
    vector.add(dot)
    return vector
  }

  private mutating func write(_ name: RecordName, _ version: RecordVersion) {
    records[name] = ReplicaRecord(current: version, mirrored: records[name]?.mirrored)
    outbox.add(name)
  }
}
