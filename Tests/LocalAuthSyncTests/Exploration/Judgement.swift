import LocalAuthCore

@testable import LocalAuthSync

/// What is shown of the machines, each in one sentence.
enum Property: String, CaseIterable, Sendable {
  /// An honest hub is never called a liar.
  case noFalseAlarm
  /// Once all are on line and unlocked, all have the same records, and the hub has them too.
  case equalDigests
  /// What stands is a change that no other change was made in knowledge of; what it overruled is on a shelf.
  case latestIsKept
  /// What a deletion knew never comes back.
  case noResurrection
  /// Nothing that a removed device signs behind its removal is taken without alarm.
  case removedIsVoid
  /// Every device opens every record, and after a roll nothing stays under an older epoch.
  case everythingOpens
  /// Whatever a lying hub answers changes nothing, or is what an honest hub would have said earlier.
  case liesChangeNothing
}

/// A property that does not hold, and why.
struct Fault: Error, Hashable {
  let property: Property
  let why: String
}

extension World {
  /// The changes that reached a member or the hub.
  private func counted(_ key: Int) -> Set<Int> {
    let name = Self.names[key]
    return membersNow.reduce(hub.known[name] ?? []) { $0.union(devices[$1].known[name] ?? []) }
  }

  /// The changes of a record that no other was made in knowledge of.
  func maximal(_ key: Int) -> Set<Int> {
    let counted = counted(key)
    var latest = counted
    for change in counted { latest.subtract(changes[change].before) }
    return latest
  }

  /// What every step must leave true, whoever is on line.
  func checkStep() throws(Fault) {
    guard !hasPurgedUnseen else {
      throw Fault(property: .noResurrection, why: "a tombstone went that a device had not seen")
    }
    for (index, device) in devices.enumerated() {
      for name in Self.names {
        guard let shown = device.replica.shown(name), let known = device.known[name] else {
          continue
        }
        for change in known where changes[change].isTombstone {
          let buried = changes[change].before.map { changes[$0].content }
          if buried.contains(shown.content) {
            throw Fault(property: .noResurrection, why: "device \(index) shows what was deleted")
          }
        }
        for change in known where !changes[change].isTombstone {
          let older = changes[change].before.map { changes[$0].content }
          if older.contains(shown.content) {
            throw Fault(property: .latestIsKept, why: "device \(index) shows an older change")
          }
        }
      }
    }
  }

  /// What holds once everybody is on line and unlocked.
  func checkSettled(_ premises: inout Premises) throws(Fault) {
    let members = membersNow
    var settled = self
    let hasEnded: Bool
    do throws(HubAlarm) {
      hasEnded = try settled.synchronize(members)
    } catch {
      throw Fault(property: .noFalseAlarm, why: "\(error)")
    }
    guard hasEnded else { throw Fault(property: .equalDigests, why: "they never end") }
    premises.add(.noFalseAlarm)
    premises.add(.noResurrection, buriedAndHeld)
    try settled.checkEqual(members, unlike: self, &premises)
    for key in Self.names.indices { try settled.checkLatest(key, members, &premises) }
    try settled.checkOpen(members, &premises)
    try settled.checkStep()
  }

  /// How many contents a deletion knew that somebody still has, or that are still on their way.
  private var buriedAndHeld: Int {
    changes.filter(\.isTombstone).reduce(0) { count, change in
      let name = Self.names[change.key]
      let buried = change.before.map { changes[$0].content }
      let held =
        devices.flatMap { device in
          [device.replica.shown(name), device.replica.outbox.batch?.versions[name]]
        }.compactMap { $0?.content }
        + (hub.bodies[name].map { [ModelBody.open($0).version.content] } ?? [])
      return count + buried.filter { held.contains($0) }.count
    }
  }

  private func checkEqual(
    _ members: [Int],
    unlike before: World,
    _ premises: inout Premises
  ) throws(Fault) {
    guard let first = members.first else { return }
    let manifest = devices[first].replica.chain.manifest
    let current = devices[first].replica.records.mapValues(\.current)
    for member in members {
      if before.devices[member].replica.records.mapValues(\.current)
        != before.devices[first].replica.records.mapValues(\.current)
      {
        premises.add(.equalDigests)
      }
      let replica = devices[member].replica
      guard replica.records.mapValues(\.current) == current,
        replica.chain.manifest == manifest
      else { throw Fault(property: .equalDigests, why: "devices \(first) and \(member) differ") }
      guard replica.outbox.waiting.isEmpty, replica.outbox.batch == nil else {
        throw Fault(property: .equalDigests, why: "device \(member) still wants to say something")
      }
      for (name, record) in replica.records {
        guard let body = hub.bodies[name], ModelBody.open(body).version == record.current else {
          throw Fault(property: .equalDigests, why: "the hub has another record than \(member)")
        }
      }
    }
  }

  private func checkLatest(
    _ key: Int,
    _ members: [Int],
    _ premises: inout Premises
  ) throws(Fault) {
    let name = Self.names[key]
    let latest = maximal(key)
    if latest.count > 1 { premises.add(.latestIsKept) }
    guard let first = members.first else { return }
    // What rule 6 may give up need not stand, and may.
    let living = latest.subtracting(forgiven).filter { !changes[$0].isTombstone }
    // An old tombstone that was dropped won like any other.
    let current = devices[first].replica.records[name]?.current
    let wasDeleted = counted(key).contains { changes[$0].isTombstone }
    guard current != nil || wasDeleted || living.isEmpty else {
      throw Fault(property: .latestIsKept, why: "record \(key) is gone")
    }
    if let content = current?.content, !latest.contains(where: { changes[$0].content == content }) {
      let isDeleted = changes.contains { change in
        change.isTombstone && change.before.contains { changes[$0].content == content }
      }
      throw Fault(
        property: isDeleted ? .noResurrection : .latestIsKept,
        why: "record \(key) has an older change"
      )
    }
    for loser in living where changes[loser].content != current?.content {
      let isKept = devices.contains { device in
        device.replica.shelf.entries.contains { $0.version.content == changes[loser].content }
      }
      guard isKept else {
        throw Fault(property: .latestIsKept, why: "what record \(key) overruled is on no shelf")
      }
    }
  }

  private func checkOpen(_ members: [Int], _ premises: inout Premises) throws(Fault) {
    for member in members {
      let replica = devices[member].replica
      let epoch = devices[member].circle.epoch(of: .items, at: devices[member].circle.head.number)
      if epoch > 1, !replica.chain.manifest.lines.isEmpty { premises.add(.everythingOpens) }
      guard replica.inbox.isEmpty else {
        throw Fault(property: .everythingOpens, why: "device \(member) cannot open everything")
      }
      guard replica.chain.manifest.lines.values.allSatisfy({ $0.epoch == epoch }) else {
        throw Fault(property: .everythingOpens, why: "a record stays under an older epoch")
      }
    }
  }
}

/// How often a situation was met in which a wrong machine could have broken a property.
struct Premises: Sendable {
  private(set) var counts: [Property: Int] = [:]

  mutating func add(_ property: Property, _ count: Int = 1) {
    counts[property, default: 0] += count
  }

  mutating func add(_ other: Premises) {
    for (property, count) in other.counts { add(property, count) }
  }

  var text: String {
    Property.allCases.map { "\($0.rawValue) \(self[$0])" }.joined(separator: ", ")
  }

  subscript(property: Property) -> Int { counts[property] ?? 0 }
}
