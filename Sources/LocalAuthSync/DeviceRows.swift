public import LocalAuthKeychain

/// Which item of the keychain a record is on this device, and what the record says that this version does not know.
public struct SyncedItem: Hashable, Sendable {
  private static let purpose: StaticString = "LocalAuth sync row item 1"

  /// The item's identifier here, which is the device's own.
  public let identifier: ItemIdentifier
  /// Fields that are sent again as they came.
  public let unknown: [UInt32: [UInt8]]

  /// The item with this identifier.
  public init(_ identifier: ItemIdentifier, unknown: [UInt32: [UInt8]] = [:]) {
    self.identifier = identifier
    self.unknown = unknown
  }

  /// What becomes of the row when a record is this item now; nil if it is none.
  public static func change(of name: RecordName, to item: Self?) -> SyncRow.Change {
    let key = SyncRow.Key(.item, .items, .name(name))
    guard let item else { return .remove(key) }
    var framed = FramedBytes(purpose)
    framed.add(item.identifier.high)
    framed.add(item.identifier.low)
    framed.add(item.unknown)
    return .put(SyncRow(key, framed.bytes))
  }

  /// Reads a row; nil for anything that ``change(of:to:)`` does not write.
  public static func read(_ row: SyncRow) -> (name: RecordName, item: Self)? {
    guard row.key.kind == .item, case .name(let name) = row.key.place,
      var reader = FramedReader(row.value, for: purpose), let high: UInt64 = reader.number(),
      let low: UInt64 = reader.number(), let unknown = reader.fields(), reader.isAtEnd
    else { return nil }
    return (name, Self(ItemIdentifier(high: high, low: low), unknown: unknown))
  }
}

/// A sealed body that a device keeps beside its replica.
public enum KeptBody: Hashable, Sendable {
  /// Of a record that came and cannot be opened yet.
  case waiting(ZoneName, RecordName)
  /// Of the batch that is under way, the same each time that it is sent.
  case sent(ZoneName, RecordName)
  /// Of a version that a merge overruled, with its content's digest.
  case lost(ZoneName, RecordName, SyncDigest)

  private var key: SyncRow.Key {
    switch self {
    case .waiting(let zone, let name): SyncRow.Key(.waitingBody, zone, .name(name))
    case .sent(let zone, let name): SyncRow.Key(.sentBody, zone, .name(name))
    case .lost(let zone, let name, let content):
      SyncRow.Key(.lostBody, zone, .content(name, content))
    }
  }

  /// What becomes of its row.
  public func change(to bytes: [UInt8]?) -> SyncRow.Change {
    bytes.map { .put(SyncRow(key, $0)) } ?? .remove(key)
  }

  /// What a row keeps; nil for one that keeps no body.
  public init?(_ row: SyncRow) {
    guard let zone = row.key.zone, row.value.count <= RecordFormat.bodyMax else { return nil }
    switch (row.key.kind, row.key.place) {
    case (.waitingBody, .name(let name)): self = .waiting(zone, name)
    case (.sentBody, .name(let name)): self = .sent(zone, name)
    case (.lostBody, .content(let name, let content)): self = .lost(zone, name, content)
    default: return nil
    }
  }
}

/// The keys of an epoch as a device keeps them.
public struct SealedZoneKeys: Hashable, Sendable {
  private static let purpose: StaticString = "LocalAuth sync row keys 1"
  private static let sealedMax = 1024

  /// What a locked device has too.
  public var locked: [UInt8]
  /// All of it; nil for a share that came while the device was locked.
  public var whole: [UInt8]?

  /// The keys sealed in these two ways.
  public init(locked: [UInt8], whole: [UInt8]?) {
    self.locked = locked
    self.whole = whole
  }

  /// The key of the row of an epoch.
  public static func key(of zone: ZoneName, epoch: UInt32) -> SyncRow.Key {
    SyncRow.Key(.keys, zone, .number(UInt64(epoch)))
  }

  /// The row of an epoch.
  public func row(of zone: ZoneName, epoch: UInt32) -> SyncRow {
    var framed = FramedBytes(Self.purpose)
    framed.add(counted: locked)
    framed.add(whole)
    return SyncRow(Self.key(of: zone, epoch: epoch), framed.bytes)
  }

  /// Reads a row; nil for anything that ``row(of:epoch:)`` does not write.
  public static func read(_ row: SyncRow) -> (zone: ZoneName, epoch: UInt32, keys: Self)? {
    guard row.key.kind == .keys, let zone = row.key.zone, case .number(let number) = row.key.place,
      let epoch = UInt32(exactly: number), var reader = FramedReader(row.value, for: purpose),
      let locked = reader.counted(most: sealedMax),
      let whole = reader.optional({ $0.counted(most: sealedMax) }), reader.isAtEnd
    else { return nil }
    return (zone, epoch, Self(locked: locked, whole: whole))
  }
}

/// The keys of an epoch that a device wants to begin, kept before anybody is told.
///
/// Each attempt sends the same keys, or what the network delays could put those of an attempt that failed in place of the
/// others. In another circle than it was they are made anew: somebody may have been removed who was sent them.
public struct PlannedEpoch: Hashable, Sendable {
  private static let purpose: StaticString = "LocalAuth sync row planned keys 1"

  /// The epoch.
  public let epoch: UInt32
  /// The circle's head when they were made.
  public let circleHead: ChainPlace
  /// The keys.
  public let keys: SealedZoneKeys

  /// The plan with these parts.
  public init(epoch: UInt32, at circleHead: ChainPlace, _ keys: SealedZoneKeys) {
    self.epoch = epoch
    self.circleHead = circleHead
    self.keys = keys
  }

  /// What becomes of the row of a zone; nil if none is planned.
  public static func change(of zone: ZoneName, to plan: Self?) -> SyncRow.Change {
    let key = SyncRow.Key(.plannedKeys, zone)
    guard let plan else { return .remove(key) }
    var framed = FramedBytes(purpose)
    framed.add(plan.epoch)
    framed.add(plan.circleHead)
    framed.add(counted: plan.keys.row(of: zone, epoch: plan.epoch).value)
    return .put(SyncRow(key, framed.bytes))
  }

  /// Reads a row; nil for anything that ``change(of:to:)`` does not write.
  public static func read(_ row: SyncRow) -> (zone: ZoneName, plan: Self)? {
    guard row.key.kind == .plannedKeys, let zone = row.key.zone,
      var reader = FramedReader(row.value, for: purpose), let epoch: UInt32 = reader.number(),
      let head = reader.place(), let sealed = reader.counted(most: 4096), reader.isAtEnd,
      let keys = SealedZoneKeys.read(SyncRow(SealedZoneKeys.key(of: zone, epoch: epoch), sealed))
    else { return nil }
    return (zone, Self(epoch: epoch, at: head, keys.keys))
  }
}

extension SyncWatermark {
  private static let purpose: StaticString = "LocalAuth sync watermarks 1"

  /// The bytes that the ledger keeps of a device's watermarks: the circle's, then the zones' in their order.
  public static func bytes(of watermarks: [Self]) -> [UInt8] {
    var framed = FramedBytes(purpose)
    framed.add(UInt32(truncatingIfNeeded: watermarks.count))
    for watermark in watermarks {
      switch watermark.subject {
      case .circle(let circle):
        framed.add(UInt8(0))
        framed.add(circle)
      case .zone(let zone, let circle):
        framed.add(UInt8(1))
        framed.add(zone)
        framed.add(circle)
      }
      framed.add(watermark.place)
    }
    return framed.bytes
  }
}
