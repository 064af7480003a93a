import LocalAuthCore
import LocalAuthService
import LocalAuthSync
import LocalAuthTestSupport
import Testing

@testable import LocalAuthHost

extension SyncLife {
  /// What may happen to a device.
  enum Event {
    case change, step, synchronize, synchronizeBadly
    case lock, unlock, restart, restartLocked
    case hubGoes, hubComes, lateArrives, tailIsLost
    case clockJumps, timePasses, roll
    case remove, joinAgain
    case repair, removeTooEarly
  }

  /// What kind of life it is: with removals, with a hub that goes back, or with neither.
  private enum Kind: CaseIterable {
    case plain, removals, rollback
  }

  private static func events(_ kind: Kind) -> [Event] {
    let often: [Event] = [.change, .step, .step, .synchronize, .synchronizeBadly]
    let sometimes: [Event] = [
      .lock, .unlock, .unlock, .restart, .restartLocked, .hubGoes, .hubComes, .hubComes,
      .lateArrives, .clockJumps, .timePasses, .roll,
    ]
    let rare: [Event] =
      switch kind {
      case .plain: []
      case .removals: [.remove, .joinAgain]
      case .rollback: [.tailIsLost, .repair, .restart, .removeTooEarly]
      }
    return often + often + often + sometimes + rare
  }

  /// Lets so many things happen, and then looks whether all is well.
  func run(_ count: Int) throws {
    let kind = Kind.allCases[Int.random(in: 0..<Kind.allCases.count, using: &random)]
    let events = Self.events(kind)
    for _ in 0..<count {
      let member = members[Int.random(in: 0..<members.count, using: &random)]
      let event = events[Int.random(in: 0..<events.count, using: &random)]
      note("\(member.name) \(event)")
      member.device.clock.pass(.seconds(Int.random(in: 1...20, using: &random)))
      try happen(event, to: member)
    }
    try settle()
    try judge()
  }

  private func happen(_ event: Event, to member: Member) throws {
    switch event {
    case .change: try change(member)
    case .step: try step(member)
    case .synchronize: try synchronize(member)
    case .synchronizeBadly: try synchronize(member, isGood: false)
    case .lock: try lock(member)
    case .unlock: try unlock(member)
    case .restart: try restart(member)
    case .restartLocked: try restart(member, isUnlocked: false)
    case .hubGoes: hub.isDown = true
    case .hubComes: hub.isDown = false
    case .lateArrives: hub.arriveLate()
    case .clockJumps: jump(member)
    case .timePasses: pass(.seconds(Int.random(in: 1...7_200, using: &random)))
    case .roll: try roll(member)
    case .tailIsLost: loseTail()
    case .remove: try remove(member)
    case .joinAgain: try joinAgain()
    case .repair: try repair(member)
    case .removeTooEarly: try removeTooEarly(member)
    }
  }

  // MARK: Devices

  private func lock(_ member: Member) throws {
    guard !member.isClosed, !member.isLocked else { return }
    try member.device.lock()
    try member.device.settle(hub)
    member.isLocked = true
  }

  func unlock(_ member: Member) throws {
    guard member.isClosed || member.isLocked else { return }
    try member.device.unlock()
    try member.device.settle(hub)
    (member.isClosed, member.isLocked) = (false, false)
  }

  private func restart(_ member: Member, isUnlocked: Bool = true) throws {
    if let role = member.role { hub.forget(role) }
    try member.device.restart(isUnlocked: isUnlocked)
    (member.isClosed, member.isLocked) = (!isUnlocked, false)
    if isUnlocked { try member.device.settle(hub) }
  }

  /// A person wants new keys, and hears of them whenever that is.
  private func roll(_ member: Member) throws {
    guard !member.isClosed else { return }
    member.device.beginRoll { _ in }
    try member.device.settle(hub)
  }

  // MARK: Time

  /// One device's clock is years off, and comes back.
  private func jump(_ member: Member) {
    guard member === members.last else { return }
    let years = Int64.random(in: -10...10, using: &random)
    let now = members[0].device.clock.moment.wall.milliseconds
    member.device.clock.moment.wall = WallInstant(
      milliseconds: now + years * 365 * 24 * 3_600_000
    )
  }

  private func pass(_ duration: Duration) {
    hub.time.milliseconds += duration.components.seconds * 1000
    for member in members { member.device.clock.pass(duration) }
  }

  // MARK: The hub

  /// The hub is restored from a copy that lacks the last entries of a zone.
  private func loseTail() {
    let name = SyncDevice.zones[Int.random(in: 0..<SyncDevice.zones.count, using: &random)]
    guard !hasLostTail, let zone = hub.zones[name], zone.entries.count > 3 else { return }
    hasLostTail = true
    hub.restore(name, before: Int.random(in: 1..<zone.entries.count, using: &random))
    note("  lost \(name.text)")
  }

  /// A person has a device begin anew that says that the hub went back, while the others may not have.
  private func repair(_ member: Member) throws {
    guard !member.isClosed, try isAlarmed(member) else { return }
    note("  repairs")
    try openly { try member.device.repair() }
    try member.device.settle(hub)
  }

  private func isAlarmed(_ member: Member) throws -> Bool {
    try member.device.report().zones.contains { $0.alarm != nil }
  }

  // MARK: The circle

  /// A device whose hub lost entries that it had verified removes nobody.
  private func removeTooEarly(_ member: Member) throws {
    guard !member.isClosed, !hub.isDown, try hasLostEntries(member) else { return }
    let peers = try member.device.report().peers
    let peer = try #require(peers.first { !$0.isMe && $0.kind == .device })
    var refusal: EngineError?
    do {
      try openly { try member.device.remove(peer.identifier) }
    } catch let error as EngineError { refusal = error }
    try member.device.settle(hub)
    guard refusal == .sync(.unrepaired) else {
      throw fault("\(member.name) removes \(peer.name): \(String(describing: refusal))")
    }
  }

  private func hasLostEntries(_ member: Member) throws -> Bool {
    try member.device.report().zones.contains { zone in
      if case .hubRolledBack = zone.alarm { true } else { false }
    }
  }

  /// The first removes another one, which had sent all that it has, and goes on alone.
  private func remove(_ member: Member) throws {
    guard member !== members[0], out == nil else { return }
    hub.isDown = false
    try bringUp()
    for member in [member, members[0], member, members[0]] { try synchronize(member) }
    let peer = try #require(try member.device.report().peers.first { $0.isMe })
    try openly { try members[0].device.remove(peer.identifier) }
    out = member
    note("  removed")
    let shelf = member.device.shelf
    book.forget { $0.content.map { shelf.contains($0) } ?? false }
    book.began(member.name)
    try members[0].device.settle(hub)
  }

  /// Who was removed joins again, as another peer, with secrets that it says for the first time.
  private func joinAgain() throws {
    guard let member = out else { return }
    hub.isDown = false
    try bringUp()
    try synchronize(members[0])
    try member.device.leave()
    // Where the circle has a value it wins, so that nobody could say which of them is the latest.
    try member.device.write([], removingAll: true)
    for thing in Self.things where thing.itemClass != nil {
      guard try member.device.shown(thing) != nil else { continue }
      let secret = book.freshSecret
      try member.device.update(thing.name, secret)
      book.wrote(thing.name, secret, nil, on: member.name)
    }
    try letIn(member, isKilled: .random(using: &random))
    out = nil
    book.began(member.name)
    note("  joined again")
  }

  func bringUp() throws {
    for member in members { try unlock(member) }
  }

  // MARK: The end

  /// Everything comes up, and devices exchange until nothing changes any more.
  private func settle() throws {
    note("the end")
    hub.isDown = false
    hub.arriveLate()
    try bringUp()
    try joinAgain()
    for _ in 0..<12 {
      for member in members {
        try synchronize(member)
        if try isAlarmed(member) {
          note("  \(member.name) repairs")
          try openly { try member.device.repair() }
          try synchronize(member)
        }
      }
      if isQuiet { return try startAnew() }
    }
    let unrest = members.map { $0.device.unrest(with: hub) }
    let keys = members.map { member in SyncDevice.zones.map { member.device.keys(of: $0) } }
    throw fault("devices do not come to rest: \(unrest); \(keys)")
  }

  /// What is kept of a device after all of that is taken up by its next start.
  private func startAnew() throws {
    for member in members {
      try restart(member)
      try check(try member.device.report(), of: member)
    }
  }

  private var isQuiet: Bool { members.allSatisfy { $0.device.isQuiet(with: hub) } }

  private func judge() throws {
    let shelves = members.reduce(into: Set<SyncDigest>()) { $0.formUnion($1.device.shelf) }
    for thing in Self.things {
      let shown = try members.map { try $0.device.shown(thing) }
      guard Set(shown).count == 1, let secret = shown.first else {
        throw fault("\(thing.name) differs: \(shown)")
      }
      let complaint = book.complaint(thing.name, shows: secret, shelves: shelves)
      if let complaint { throw fault(complaint) }
    }
    for zone in SyncDevice.zones {
      let replica = members[0].device.replica(of: zone)
      let bodies = Set(hub.zones[zone]?.records.keys.map { $0 } ?? [RecordName]())
      let lines = Set(replica?.chain.manifest.lines.keys.map { $0 } ?? [RecordName]())
      guard bodies == lines else { throw fault("the hub has other records than the manifest") }
    }
  }
}
