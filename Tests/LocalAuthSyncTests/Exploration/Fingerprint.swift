import LocalAuthCore

@testable import LocalAuthSync

/// One situation in the place of all that nothing can tell from it.
///
/// A chain's digests, the numbers of changes and the identifiers of batches are only compared, so what counts is
/// their order. The two records of one class can be exchanged. What lies behind every device in the chain decides
/// nothing any more.
extension World {
  var fingerprint: Int {
    var hasher = Hasher()
    hasher.combine(elapsed)
    hasher.combine(hub.circle.count)
    for entry in hub.circle.dropFirst(4) {
      if case .remove(let peer, _) = entry.act { hasher.combine(peer) } else { hasher.combine(-1) }
    }
    hasher.combine(hub.entries.last?.circleHead.number)
    let news = devices.map { Newness($0, hub) }
    for (device, news) in zip(devices, news) {
      device.hashDecisive(into: &hasher, news, self)
    }
    let keys = Self.names.indices.map { keyFingerprint($0, news) }
    hasher.combine(min(keys[0], keys[1]))
    hasher.combine(max(keys[0], keys[1]))
    hasher.combine(keys[2])
    return hasher.finalize()
  }

  private func keyFingerprint(_ key: Int, _ news: [Newness]) -> Int {
    let name = Self.names[key]
    var hasher = Hasher()
    let hubVersion = hub.bodies[name].map { ModelBody.open($0) }
    let ranks = Ranks(versions(name) + (hubVersion.map { [$0.version] } ?? []))
    ranks.hash(hubVersion?.version, into: &hasher, self)
    hasher.combine(hubVersion?.epoch)
    let latest = Set(maximal(key).map { changes[$0].content })
    for (device, news) in zip(devices, news) {
      let replica = device.replica
      let record = replica.records[name]
      ranks.hash(record?.current, into: &hasher, self)
      ranks.hash(record?.mirrored, into: &hasher, self)
      hasher.combine(record?.buried.map { replica.horizon.latest.milliseconds - $0.milliseconds })
      hasher.combine(replica.outbox.waiting.contains(name))
      hasher.combine(replica.inbox.waiting[name])
      let batch = replica.outbox.batch
      ranks.hash(batch?.versions[name], into: &hasher, self)
      hasher.combine(batch?.entry.changes.contains { $0.name == name && $0.body == nil } ?? false)
      hasher.combine(news.changed.contains(name))
      hasher.combine(news.purged.contains(name))
      let line = replica.chain.manifest.lines[name]
      hasher.combine(line?.epoch)
      if hubVersion?.version.isTombstone == true, let line, line.body == hub.bodies[name] {
        hasher.combine(replica.acknowledged >= line.number)
      }
      for entry in replica.shelf.entries
      where entry.name == name && latest.contains(entry.version.content) {
        ranks.hash(entry.version, into: &hasher, self)
      }
    }
    return hasher.finalize()
  }

  private func versions(_ name: RecordName) -> [RecordVersion] {
    devices.flatMap { device -> [RecordVersion] in
      let record = device.replica.records[name]
      return [
        record?.current, record?.mirrored, device.replica.outbox.batch?.versions[name],
      ].compactMap { $0 } + device.replica.shelf.entries.filter { $0.name == name }.map(\.version)
    }
  }
}

/// What the hub has that a device was not told.
struct Newness {
  var changed: Set<RecordName> = []
  var purged: Set<RecordName> = []
  /// Whether the hub has the device's batch.
  var hasBatch = false

  init(_ device: ModelDevice, _ hub: ModelHub) {
    for entry in hub.entries.dropFirst(Int(device.replica.chain.head.number)) {
      for change in entry.changes {
        changed.insert(change.name)
        if change.body == nil { purged.insert(change.name) }
      }
    }
    hasBatch = device.replica.outbox.batch.map { hub.answers[$0.entry.batch] != nil } ?? false
  }
}

/// The order of each device's changes of one record.
private struct Ranks {
  private let counts: [[UInt64]]

  init(_ versions: [RecordVersion]) {
    counts = World.peers.map { peer in
      Set(versions.map { $0.vector[peer] }).subtracting([0]).sorted()
    }
  }

  func hash(_ version: RecordVersion?, into hasher: inout Hasher, _ world: World) {
    guard let version else { return hasher.combine(-1) }
    for (index, peer) in World.peers.enumerated() {
      hasher.combine(counts[index].firstIndex(of: version.vector[peer]) ?? -1)
    }
    hasher.combine(version.isTombstone)
    hasher.combine(version.modified)
    let author = ModelBody.author(of: version.content)
    hasher.combine(author)
    hasher.combine(counts[author].firstIndex(of: ModelBody.count(of: version.content)) ?? -1)
  }
}

extension ModelDevice {
  fileprivate func hashDecisive(into hasher: inout Hasher, _ news: Newness, _ world: World) {
    let head = world.hub.head
    hasher.combine(isUnlocked)
    hasher.combine(ahead)
    hasher.combine(epochs)
    hasher.combine(circle.head.number)
    hasher.combine(replica.chain.circleNumber)
    hasher.combine(replica.horizon.latest)
    hasher.combine(replica.chain.head == head)
    hasher.combine(replica.outbox.isBehind)
    hasher.combine(news.hasBatch)
    guard let batch = replica.outbox.batch else { return hasher.combine(-1) }
    hasher.combine(batch.entry.previous == head)
    hasher.combine(batch.entry.epoch)
    hasher.combine(batch.entry.circleHead.number)
  }
}
