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
}
