import LocalAuthCore
public import LocalAuthKeychain
import LocalAuthSecret
public import LocalAuthSync

/// What removed devices know, and what is kept too long.
extension Synchronizer {
  /// Notes what a device had read when it was removed: new keys do not take that back.
  ///
  /// A recovery key read nothing by itself, and has no role any more. What a device knew that was removed before this one
  /// joined nobody here can tell.
  func noteSeen(by peer: PeerIdentifier, until cuts: [ZoneHead], in change: inout Change) {
    let peers = change.state.circle.peers
    guard peer != me, peers[me] != nil, peers[peer]?.keys.kind == .device else { return }
    let cut = cuts.first { $0.zone == .items }?.place
    let seen = SeenSecrets(by: peer, in: change.state.zones[.items], until: cut)
    if !seen.isEmpty { change.state.seen[peer] = seen }
  }

  /// Drops what lost longer ago than it is kept.
  func tidy(_ change: inout Change) {
    for zone in change.state.zones.replicas.keys {
      guard let replica = change.state.zones[zone], !replica.shelf.entries.isEmpty else { continue }
      // A clock that is ahead of all others throws nothing away.
      let time = min(now.wall, replica.horizon.latest)
      for entry in change.state.zones[zone]?.shelf.expire(at: time) ?? [] {
        change.state.bodies[.lost(zone, entry.name, entry.version.content)] = nil
      }
    }
  }

  // MARK: What becomes of it

  /// Notes what came from before a removal, whether it can be opened or not.
  func foreseeSecrets(of zone: ZoneName, _ entries: [ZoneEntry], in change: inout Change) {
    guard zone == .items, let old = state.zones[zone], let new = change.state.zones[zone] else {
      return
    }
    noteSeen(in: &change) { $0.foresee(entries, from: old, to: new) }
  }

  /// The secret of a record is this one; `mark` is nil if it cannot be told.
  func noteSecret(of name: RecordName, _ mark: SecretMark?, in change: inout Change) {
    let old = knownMark(of: name, in: change)
    noteSeen(in: &change) { $0.replace(name, old, by: mark) }
  }

  /// A record is deleted.
  func noteDeletion(of name: RecordName, in change: inout Change) {
    let old = knownMark(of: name, in: change)
    noteSeen(in: &change) { $0.delete(name, old) }
  }

  /// Forgets what removed devices know of records that are gone.
  func settleSecrets(of zone: ZoneName, in change: inout Change) {
    guard zone == .items, let replica = change.state.zones[zone] else { return }
    noteSeen(in: &change) { $0.settle(in: replica) }
  }

  private func noteSeen(in change: inout Change, by step: (inout SeenSecrets) -> Bool) {
    for (peer, seen) in change.state.seen.entries {
      var next = seen
      if step(&next) { change.state.seen[peer] = next.isEmpty ? nil : next }
    }
  }

  // MARK: Secrets

  /// Stands for the secret of an item; nil if no removed device knows anything.
  func mark(_ item: Item, _ secret: borrowing Secret) -> SecretMark? {
    guard !state.seen.entries.isEmpty, let keys = keys.newest(of: .items) else { return nil }
    return SecretMark(
      secret: keys.content(SecretMark.secretMessage, secret),
      kept: keys.content(SecretMark.keptMessage(of: item), secret)
    )
  }

  /// The secret that a record has here, if a removed device knows it; nil for any other, and if it cannot be opened.
  private func knownMark(of name: RecordName, in change: Change) -> SecretMark? {
    guard change.state.seen.entries.values.contains(where: { $0.has(name) }),
      let (item, secret) = opened(name), let data = secret.take()
    else { return nil }
    return mark(item, data)
  }

  // MARK: The list

  /// The secrets that removed devices know and that were not changed since.
  ///
  /// - Parameter groups: The access groups of who asks; what is known to be of others is left out.
  /// - Returns: each secret with the name of the device, by device and then by record.
  func exposed(to groups: AccessGroups) -> [ExposedSecret] {
    guard let replica = state.zones[.items] else { return [] }
    return state.seen.entries.sorted { $0.key < $1.key }.flatMap { peer, seen in
      let name = state.circle.peers[peer]?.keys.name ?? ""
      return seen.listed(in: replica).map { item(of: $0) }.filter { item in
        item.map { groups.allows($0.group, writing: false) } ?? true
      }.map { ExposedSecret(peer: peer, peerName: name, item: $0.map { ItemName(of: $0) }) }
    }
  }

  /// The removed devices of which this one cannot say what they know, by the time of their removal.
  var unlistedPeers: [UnlistedPeer] {
    guard let since = state.circle.peers[me]?.since else { return [] }
    let removed = state.circle.peers.filter { $0.value.keys.kind == .device && $0.key != me }
    return removed.compactMap { peer, member -> (until: UInt64, UnlistedPeer)? in
      guard let until = member.until else { return nil }
      let wasBefore = until < since
      guard wasBefore || state.seen[peer]?.isIncomplete ?? false else { return nil }
      return (
        until, UnlistedPeer(peer: peer, peerName: member.keys.name, wasRemovedBefore: wasBefore)
      )
    }.sorted { $0.until < $1.until }.map(\.1)
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
  /// What the secret is called; nil for one that is not open, as while the device is locked.
  public let item: ItemName?
}

/// A removed device of which this one cannot say what it knows, or not all of it.
public struct UnlistedPeer: Hashable, Sendable {
  /// The device.
  public let peer: PeerIdentifier
  /// The name that people knew it by.
  public let peerName: String
  /// Whether it was removed before this device came; otherwise this one has not taken all that the hub had then.
  public let wasRemovedBefore: Bool
}
