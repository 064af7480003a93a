import LocalAuthCore
import LocalAuthCrypto
import LocalAuthKeychain
import LocalAuthService
import LocalAuthSync
import LocalAuthTestSupport
import Testing

@testable import LocalAuthHost
@testable import LocalAuthService

/// Two devices whose zone of items has many entries, as far as four are many, and who joins them.
struct LongChain {
  static let interval: UInt64 = 4
  let place = ScratchDirectory()
  let circle: SyncCircle
  var hub: ModelHub { circle.hub }
  var first: SyncDevice { circle.devices[0] }
  var second: SyncDevice { circle.devices[1] }

  init() throws {
    circle = try SyncCircle("first", "second", checkpointInterval: Self.interval, in: place)
    hub.recordsAtOnce = 2
    try circle.exchange()
  }

  /// The first device sends an entry for each of so many accounts.
  func fill(_ count: UInt64 = 2 * interval + 1, from start: UInt64 = 0) throws {
    for number in start..<start + count {
      try first.add("item \(number)", "\(number)")
      try first.synchronize()
      try first.settle(hub)
    }
  }

  func has(_ device: SyncDevice, _ count: UInt64 = 2 * interval + 1) throws -> Bool {
    try (0..<count).allSatisfy { try device.get("item \($0)") == "\($0)" }
  }

  /// A third device in the circle, which has not asked for zones yet.
  func joining() throws -> SyncDevice {
    let third = try SyncDevice(hub, in: place.file("third"))
    let words = try third.join(try first.invite(), as: "third")
    let asked = try third.synchronize()
    #expect(asked.stage == .joining)
    try first.synchronize()
    try #require(try first.answering()?.words == words)
    try first.approve()
    try first.settle(hub)
    return third
  }

  var latest: ZoneCheckpoint? { hub.checkpoint(of: .items)?.checkpoint }

  func asked(_ isMeant: (HubRequest) -> Bool) -> Int { hub.requests.count(where: isMeant) }

  static func isPut(_ request: HubRequest) -> Bool {
    if case .putCheckpoint = request { true } else { false }
  }

  static func isRecords(_ request: HubRequest) -> Bool {
    if case .records = request { true } else { false }
  }

  static func isQuery(_ request: HubRequest) -> Bool {
    if case .checkpoint = request { true } else { false }
  }

  /// Which entries of the zone a device asked for in pages, the first number behind each.
  func pulls(since count: Int) -> [UInt64] {
    hub.requests.dropFirst(count).compactMap {
      if case .zonePull(.items, let after, _) = $0 { after } else { nil }
    }
  }
}

extension SyncDevice {
  /// A checkpoint that says something else, signed by this device all the same.
  func signed(_ checkpoint: ZoneCheckpoint) throws -> ZoneCheckpoint {
    var signed = checkpoint
    signed.signature = try #require(synchronizer?.secrets.signer.sign(checkpoint.signed))
    return signed
  }
}
