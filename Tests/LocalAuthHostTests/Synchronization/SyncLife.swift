import LocalAuthCore
import LocalAuthCrypto
import LocalAuthKeychain
import LocalAuthSecret
import LocalAuthService
import LocalAuthSync
import LocalAuthTestSupport
import Testing

@testable import LocalAuthHost

/// Two or three devices of a person and their hub, and what happens to them: all of it follows from a seed, but for keys.
///
/// Whatever a device asks is under way until the life lets it go on, so rounds of devices, changes, locks and ends of
/// processes come in any order.
final class SyncLife {
  /// One device, as its person treats it.
  final class Member {
    let name: String
    let device: SyncDevice
    var role: HubRole?
    var isLocked = false
    /// Whether its process was started anew, and nobody unlocked it since.
    var isClosed = false

    init(_ name: String, _ device: SyncDevice) {
      self.name = name
      self.device = device
    }
  }

  /// What is wrong.
  struct Fault: Error {
    let what: String
  }

  /// What people change: an item, with the class of key that opens it, or a value of a key-value store.
  struct Thing {
    let name: String
    /// nil for a value.
    let itemClass: ProtectionClass?
    var zone: ZoneName { itemClass == nil ? .keyValues : .items }
    var isOpenWhileLocked: Bool { itemClass != .whenUnlocked }
  }

  static let things = [
    Thing(name: "mail", itemClass: .whenUnlocked), Thing(name: "bank", itemClass: .whenUnlocked),
    Thing(name: "feed", itemClass: .afterFirstUnlock), Thing(name: "theme", itemClass: nil),
    Thing(name: "size", itemClass: nil),
  ]

  var random: SeededGenerator
  let hub: ModelHub
  let members: [Member]
  var book = LifeBook()
  var trace: [String] = []
  /// Whether the hub lost its last entries at some time.
  var hasLostTail = false
  /// Who was removed, and is to join again.
  var out: Member?
  private let place = ScratchDirectory()

  init(_ random: SeededGenerator) throws {
    self.random = random
    let code = InvitationCode.generate()
    hub = ModelHub(founder: try #require(code.hubRole()))
    hub.time = WallInstant(milliseconds: 1_800_000_000_000)
    // A life has a few dozen entries.
    hub.checkpointInterval = 3
    hub.recordsAtOnce = 1
    let count = Int.random(in: 2...3, using: &self.random)
    members = try (0..<count).map { [hub, place] in
      let name = ["first", "second", "third"][$0]
      return Member(name, try SyncDevice(hub, in: place.file(name)))
    }
    try members[0].device.found(by: code)
    members[0].role = members[0].device.role
    for member in members.dropFirst() { try letIn(member) }
    hub.passage = { _, _ in .waits }
  }

  func note(_ words: String) { trace.append(words) }

  func fault(_ what: String) -> Fault { Fault(what: what) }

  // MARK: Joining

  /// Lets a device in by the first one that can.
  ///
  /// - Parameters:
  ///   - joiner: The device.
  ///   - isKilled: Whether its process ends while it begins with the zones.
  /// - Throws: what a device says that cannot be let in.
  func letIn(_ joiner: Member, isKilled: Bool = false) throws {
    let sponsor = try #require(members.first { $0 !== joiner && $0 !== out })
    try openly {
      if isKilled {
        hub.passage = { [unowned self] asking, request in
          asking != sponsor.role && losesOfBeginning(request) ? .isLost : .arrives
        }
      }
      try joiner.device.enter(as: joiner.name, by: sponsor.device)
      joiner.role = joiner.device.role
      if isKilled { try joiner.device.restart() }
      try joiner.device.settle(hub)
    }
  }

  /// Whether a request of a device that begins at a checkpoint is lost.
  private func losesOfBeginning(_ request: HubRequest) -> Bool {
    switch request {
    case .checkpoint, .manifest, .records: Int.random(in: 0..<3, using: &random) == 0
    default: false
    }
  }

  /// Does what needs the hub at once.
  func openly(_ body: () throws -> Void) throws {
    hub.passage = nil
    defer { hub.passage = { _, _ in .waits } }
    for role in members.compactMap(\.role) {
      while hub.release(role, as: .arrives) {}
    }
    try body()
  }

  // MARK: Rounds

  /// A whole round, with a network that is good or bad.
  func synchronize(_ member: Member, isGood: Bool = true) throws {
    guard !member.isClosed, let role = member.role else { return }
    hub.passage = { [unowned self] asking, _ in
      guard asking == role else { return .waits }
      return isGood || Int.random(in: 0..<3, using: &random) > 0 ? .arrives : badPassage
    }
    defer { hub.passage = { _, _ in .waits } }
    while hub.release(role, as: isGood ? .arrives : badPassage) {}
    try check(try member.device.synchronize(), of: member)
    try member.device.settle(hub)
  }

  private var badPassage: ModelHub.Passage {
    let bad: [ModelHub.Passage] = [.isLost, .losesReply, .arrivesTwice, .arrivesLate]
    return bad[Int.random(in: 0..<bad.count, using: &random)]
  }

  /// Lets one request of a device go on, or begins a round.
  func step(_ member: Member) throws {
    guard !member.isClosed, let role = member.role else { return }
    let isBad = Int.random(in: 0..<8, using: &random) == 0
    if !hub.release(role, as: isBad ? badPassage : .arrives) {
      member.device.engine.synchronize(member.device.callerDevice) {
        _ in
      }
    }
    try member.device.settle(hub)
    try check(try member.device.report(), of: member)
  }

  /// A hub that did not lie is accused of nothing.
  func check(_ report: SyncReport, of member: Member) throws {
    if let alarm = report.circleAlarm { throw fault("\(member.name) accuses the circle: \(alarm)") }
    guard report.stage != .stateWasChanged else { throw fault("\(member.name) distrusts itself") }
    for zone in report.zones {
      guard let alarm = zone.alarm else { continue }
      guard hasLostTail else { throw fault("\(member.name) accuses the hub: \(alarm)") }
    }
  }

  // MARK: Changes

  /// A person adds, changes or deletes an item or a value.
  func change(_ member: Member) throws {
    let thing = Self.things[Int.random(in: 0..<Self.things.count, using: &random)]
    // What is locked a person does not see, and so it is not known what was changed.
    guard !member.isClosed, !member.isLocked || thing.isOpenWhileLocked else { return }
    try member.device.settle(hub)
    let shown = try member.device.shown(thing)
    if member !== out { book.saw(thing.name, shown, on: member.name) }
    let isDeletion = shown != nil && Int.random(in: 0..<3, using: &random) == 0
    let written = isDeletion ? nil : book.freshSecret
    let made = member.device.changesMade(in: thing.zone)
    let error = try member.device.change(thing, from: shown, to: written)
    if let error { throw fault("\(member.name) changes \(thing.name): \(error)") }
    guard member !== out else { return }
    note("  \(thing.name): \(shown ?? "none") -> \(written ?? "none")")
    // A value that was written before the zone had keys has no content yet, and when it gets one another was written too.
    let isOneChange = member.device.changesMade(in: thing.zone) == made.map { $0 + 1 }
    let content = isOneChange ? member.device.lastContent(of: thing.zone) : nil
    book.wrote(thing.name, written, content, on: member.name)
  }
}

extension SyncDevice {
  /// What a person sees of a thing; nil for none.
  func shown(_ thing: SyncLife.Thing) throws -> String? {
    thing.itemClass == nil ? try texts()[thing.name] : try get(thing.name)
  }

  fileprivate func changesMade(in zone: ZoneName) -> UInt64? { replica(of: zone)?.changesMade }

  fileprivate func change(
    _ thing: SyncLife.Thing,
    from old: String?,
    to new: String?
  ) throws -> KeychainError? {
    guard let itemClass = thing.itemClass else {
      try write([KeyValueChange(thing.name, new.map { KeyValueText.list($0) })])
      return nil
    }
    guard let new else { return try delete(thing.name) }
    guard old != nil else { return try add(thing.name, new, accessible: itemClass) }
    return try update(thing.name, new)
  }
}
