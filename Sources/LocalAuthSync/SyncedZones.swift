public import LocalAuthCore

/// All zones of a device, which watch over each other.
///
/// Each entry and each heartbeat names the heads of all zones that its author knows. So a hub that shows two
/// devices two histories of one zone is found as soon as anything crosses over, in whichever zone.
public struct SyncedZones: Hashable, Sendable {
  /// The zones.
  public private(set) var replicas: [ZoneName: ZoneReplica] = [:]

  /// No zones.
  public init() {}

  /// The zone of this name; setting it puts a zone there.
  public subscript(zone: ZoneName) -> ZoneReplica? {
    get { replicas[zone] }
    set { replicas[zone] = newValue }
  }

  /// What an entry of `zone` says of the others: not of those whose history may be lost, because entries stay.
  public func heads(besides zone: ZoneName) -> [ZoneHead] {
    heads.filter { $0.zone != zone && replicas[$0.zone]?.alarm == nil }
  }

  /// How far all zones are.
  public var heads: [ZoneHead] {
    replicas.filter { $0.value.chain.head.number > 0 }
      .map { ZoneHead($0.key, $0.value.chain.head) }.sorted { $0.zone < $1.zone }
  }

  /// Takes an answer for one zone, and compares what its entries say of the others.
  ///
  /// - Throws: ``HubAlarm``; the replica that it is about keeps it.
  public mutating func pull(
    _ zone: ZoneName,
    _ answer: ZoneAnswer,
    in circle: CircleLog,
    _ keys: any RecordOpening,
    at now: WallInstant,
    _ ports: SyncPorts
  ) throws(HubAlarm) {
    try replicas[zone]?.pull(answer, in: circle, keys, at: now, ports)
    for entry in answer.entries { try hear(entry.heads, from: entry.author) }
  }

  /// Compares what a member signed about zones with what was verified here.
  ///
  /// - Throws: `HubAlarm.hubForked`, which the replica of that zone keeps.
  public mutating func hear(
    _ heads: [ZoneHead],
    from author: PeerIdentifier
  ) throws(HubAlarm) {
    for head in heads { try replicas[head.zone]?.hear(head.place, from: author) }
  }
}

extension SyncedZones {
  /// Compares how far a device says that it is, in place of what it said before.
  ///
  /// - Parameters:
  ///   - heads: What it says.
  ///   - author: The device.
  /// - Throws: `HubAlarm.hubForked`, which the replica of that zone keeps.
  public mutating func hear(
    latest heads: [ZoneHead],
    of author: PeerIdentifier
  ) throws(HubAlarm) {
    for zone in replicas.keys { replicas[zone]?.chain.forgetWords(of: author) }
    try hear(heads, from: author)
  }
}

extension ZoneReplica {
  /// Compares a place that a member signed with the chain here.
  ///
  /// - Parameters:
  ///   - place: The place.
  ///   - author: Who signed it.
  /// - Throws: `HubAlarm.hubForked`, which ``alarm`` keeps.
  public mutating func hear(
    _ place: ChainPlace,
    from author: PeerIdentifier
  ) throws(HubAlarm) {
    do throws(HubAlarm) {
      try chain.hear(place, from: author)
    } catch {
      alarm = alarm ?? error
      throw error
    }
  }

  /// Whether a person can accept something: the hub is not believed, or lost what this device has not.
  public var needsRepair: Bool { alarm != nil || inbox.hasLost }

  /// Begins anew with a hub that lost entries, because a person accepted exactly that; nothing here is lost.
  ///
  /// Everything that the device holds waits to be sent, and is merged with what the hub has and the others send. Until all
  /// that the hub has was fetched, a body that it lacks is lost, and no lie.
  ///
  /// - Returns: false for a decision about anything else, or where the hub is believed and has everything.
  public mutating func repair(_ acceptance: SyncWatermark.Acceptance) -> Bool {
    guard needsRepair, chain.accept(acceptance) else { return false }
    alarm = nil
    isRepairing = true
    outbox = Outbox()
    inbox = Inbox()
    for name in records.keys {
      records[name]?.mirrored = nil
      records[name]?.buried = nil
      outbox.add(name)
    }
    return true
  }
}
