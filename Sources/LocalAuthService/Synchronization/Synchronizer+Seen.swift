import LocalAuthCore
public import LocalAuthKeychain
public import LocalAuthSync

/// What removed devices know, and what is kept too long.
extension Synchronizer {
  /// Notes what a device had read when it was removed: new keys do not take that back.
  ///
  /// A recovery key read nothing by itself, and has no role any more.
  func noteSeen(by peer: PeerIdentifier, in change: inout Change) {
    guard peer != me, change.state.circle.peers[peer]?.keys.kind == .device,
      let replica = change.state.zones[.items]
    else { return }
    let seen = SeenSecrets(by: peer, in: replica)
    if !seen.contents.isEmpty { change.state.seen[peer] = seen }
  }

  /// Drops what lost longer ago than it is kept, and what removed devices know that is no secret any more.
  func tidy(_ change: inout Change) {
    for zone in change.state.zones.replicas.keys {
      guard let replica = change.state.zones[zone], !replica.shelf.entries.isEmpty else { continue }
      // A clock that is ahead of all others throws nothing away.
      let time = min(now.wall, replica.horizon.latest)
      for entry in change.state.zones[zone]?.shelf.expire(at: time) ?? [] {
        change.state.bodies[.lost(zone, entry.name, entry.version.content)] = nil
      }
    }
    guard let replica = change.state.zones[.items] else { return }
    for (peer, seen) in change.state.seen.entries {
      var left = seen
      left.settle(in: replica)
      if left != seen { change.state.seen[peer] = left.contents.isEmpty ? nil : left }
    }
  }

  /// The secrets that removed devices had read and that were not changed since.
  ///
  /// - Parameter groups: The access groups of who asks; the others are left out.
  /// - Returns: each secret with the name of the device, by device and then by record.
  func exposed(to groups: AccessGroups) -> [ExposedSecret] {
    guard let replica = state.zones[.items] else { return [] }
    return state.seen.entries.sorted { $0.key < $1.key }.flatMap { peer, seen in
      let name = state.circle.peers[peer]?.keys.name ?? ""
      let items = seen.unchanged(in: replica).compactMap { item(of: $0) }
      return items.filter { groups.allows($0.group, writing: false) }.map {
        ExposedSecret(peer: peer, peerName: name, item: ItemName(of: $0))
      }
    }
  }

  /// The item of a record, without its secret; nil if there is none that can be opened.
  private func item(of name: RecordName) -> Item? {
    guard let own = state.items[name] else { return nil }
    let found = try? engine.items.withItem(own.identifier, of: device.identity) { [device] in
      device.vault.item($0)
    }
    return found ?? nil
  }
}

/// A secret that a device had read before it was removed from the circle, and that was not changed since.
public struct ExposedSecret: Hashable, Sendable {
  /// The device.
  public let peer: PeerIdentifier
  /// The name that people knew it by.
  public let peerName: String
  /// What the secret is called.
  public let item: ItemName
}
