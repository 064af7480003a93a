/// What a removed device had seen, and still knows: a person changes these at their services.
///
/// New keys hide nothing that was read before. A secret leaves the list when it is changed or deleted.
public struct SeenSecrets: Hashable, Sendable {
  /// The device.
  public let peer: PeerIdentifier
  /// The records, with the content that it saw.
  public private(set) var contents: [RecordName: SyncDigest] = [:]

  /// What `peer` could read when it was removed, by the replica of the device that removed it.
  ///
  /// Everything that the hub had, also what that device may not have asked for: nobody knows what it did.
  public init(by peer: PeerIdentifier, in replica: ZoneReplica) {
    self.peer = peer
    for (name, record) in replica.records {
      guard let mirrored = record.mirrored, !mirrored.isTombstone else { continue }
      contents[name] = mirrored.content
    }
  }

  /// What is still as that device saw it.
  public func unchanged(in replica: ZoneReplica) -> [RecordName] {
    contents.filter { name, content in replica.shown(name)?.content == content }.keys.sorted()
  }

  /// Forgets what was changed or deleted since.
  public mutating func settle(in replica: ZoneReplica) {
    contents = contents.filter { name, content in replica.shown(name)?.content == content }
  }
}

/// What a removed device had read, as a row.
extension SeenSecrets {
  private static let purpose: StaticString = "LocalAuth sync row seen 1"

  /// What becomes of the row of `peer`; nil for nothing that it knows any more.
  public static func change(of peer: PeerIdentifier, to seen: Self?) -> SyncRow.Change {
    let key = SyncRow.Key(.seen, .items, .peer(peer))
    guard let seen else { return .remove(key) }
    var framed = FramedBytes(purpose)
    framed.add(UInt32(truncatingIfNeeded: seen.contents.count))
    for (name, content) in seen.contents.sorted(by: { $0.key < $1.key }) {
      framed.add(name.digest)
      framed.add(content)
    }
    return .put(SyncRow(key, framed.bytes))
  }

  /// Reads a row; nil for anything that ``change(of:to:)`` does not write.
  public init?(_ row: SyncRow) {
    guard row.key.kind == .seen, row.key.zone == .items, case .peer(let peer) = row.key.place,
      var reader = FramedReader(row.value, for: Self.purpose), let count: UInt32 = reader.number()
    else { return nil }
    self.peer = peer
    var last: RecordName?
    for _ in 0..<count {
      guard let name = reader.digest().map({ RecordName($0) }), let content = reader.digest(),
        last.map({ $0 < name }) ?? true
      else { return nil }
      contents[name] = content
      last = name
    }
    guard reader.isAtEnd else { return nil }
  }
}
