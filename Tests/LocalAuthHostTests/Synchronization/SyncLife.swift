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

  /// The items, with the keys that open them.
  static let accounts: [(name: String, class: ProtectionClass)] = [
    ("mail", .whenUnlocked), ("bank", .whenUnlocked), ("feed", .afterFirstUnlock),
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
  func letIn(_ joiner: Member) throws {
    let sponsor = try #require(members.first { $0 !== joiner && $0 !== out })
    try openly {
      try joiner.device.enter(as: joiner.name, by: sponsor.device)
      joiner.role = joiner.device.role
      try joiner.device.settle(hub)
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
      member.device.engine.synchronize("sim", allowsSimulated: true, caller: member.device.caller) {
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

  /// A person adds, changes or deletes an item.
  func change(_ member: Member) throws {
    let account = Self.accounts[Int.random(in: 0..<Self.accounts.count, using: &random)]
    // What is locked a person does not see, and so it is not known what was changed.
    guard !member.isClosed, !member.isLocked || account.class == .afterFirstUnlock else { return }
    try member.device.settle(hub)
    let (device, secret) = (member.device, book.freshSecret)
    let shown = try device.get(account.name)
    if member !== out { book.saw(account.name, shown, on: member.name) }
    let error: KeychainError?
    var written: String? = secret
    if shown == nil {
      error = try device.add(account.name, secret, accessible: account.class)
    } else if Int.random(in: 0..<3, using: &random) == 0 {
      error = try device.delete(account.name)
      written = nil
    } else {
      error = try device.update(account.name, secret)
    }
    if let error { throw fault("\(member.name) changes \(account.name): \(error)") }
    guard member !== out else { return }
    note("  \(account.name): \(shown ?? "none") -> \(written ?? "none")")
    book.wrote(account.name, written, device.lastContent, on: member.name)
  }
}
