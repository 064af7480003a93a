import LocalAuthCore

extension HubReply {
  private static let purpose: StaticString = "LocalAuth hub reply 1"

  /// The message that answers the request of this number; 0 for a ``HubNotice``.
  public func bytes(number: UInt32) -> [UInt8] {
    var framed = FramedBytes(Self.purpose)
    framed.add(number)
    framed.add(code)
    addParts(to: &framed)
    return framed.bytes
  }

  /// Reads what ``bytes(number:)`` wrote; nil for anything else.
  public static func read(_ bytes: [UInt8]) -> (number: UInt32, reply: HubReply)? {
    guard bytes.count <= HubFrame.messageMax, var reader = FramedReader(bytes, for: purpose),
      let number: UInt32 = reader.number(), let code: UInt8 = reader.number(),
      let reply = reader.reply(code), reader.isAtEnd, (number == 0) == reply.isNotice
    else { return nil }
    return (number, reply)
  }

  private var isNotice: Bool {
    if case .notice = self { true } else { false }
  }

  private var code: UInt8 {
    switch self {
    case .done: 0
    case .failed: 1
    case .pushed: 2
    case .circle: 3
    case .zone: 4
    case .records: 5
    case .heads: 6
    case .shares: 7
    case .olderKeys: 8
    case .checkpoint: 9
    case .manifest: 10
    case .heartbeats: 11
    case .requests: 12
    case .letter: 13
    case .notice(.news): 14
    case .notice(.looked): 15
    case .notice(.failed): 16
    }
  }

  private func addParts(to framed: inout FramedBytes) {
    switch self {
    case .done, .notice(.news): return
    case .failed(let error), .notice(.failed(let error)): framed.add(error)
    case .pushed(.refused): framed.add(UInt8(0))
    case .pushed(.accepted(let place)):
      framed.add(UInt8(1))
      framed.add(place)
    case .circle(let entries): framed.add(entries.map(\.bytes))
    case .zone(let page):
      framed.add(page.entries.map(\.bytes))
      framed.add(page.bodies)
      framed.add(page.head)
      framed.add(page.isCutShort)
    case .records(let bodies, let isLast):
      framed.add(bodies)
      framed.add(isLast)
    case .heads(let heads), .notice(.looked(let heads)):
      framed.add(heads.circle)
      framed.add(heads.zones)
      framed.add(UInt64(bitPattern: heads.time.milliseconds))
    case .shares(let shares): framed.add(shares.map(\.bytes))
    case .olderKeys(let keys): framed.add(keys)
    case .checkpoint(let checkpoint, let parts):
      framed.add(checkpoint?.bytes)
      framed.add(parts)
    case .manifest(let part): framed.add(part?.bytes)
    case .heartbeats(let heartbeats, let isLast):
      framed.add(heartbeats.map(\.role.text.utf8).map { Array($0) })
      framed.add(heartbeats.map(\.heartbeat.bytes))
      framed.add(isLast)
    case .requests(let requests):
      let roles = requests.keys.sorted()
      framed.add(roles.map { Array($0.text.utf8) })
      framed.add(roles.map { requests[$0] ?? [] })
    case .letter(let letter): framed.add(letter)
    }
  }
}

extension FramedReader {
  fileprivate mutating func reply(_ code: UInt8) -> HubReply? {
    switch code {
    case 0: .done
    case 1: hubError().map { .failed($0) }
    case 2: pushAnswer().map { .pushed($0) }
    case 3:
      list(most: HubFrame.messageMax) { $0.counted(most: CircleEntry.bytesMax) }
        .flatMap { Self.all($0) { CircleEntry($0) } }.map { .circle($0) }
    case 4: zonePage().map { .zone($0) }
    case 5: recordsReply()
    case 6: hubHeads().map { .heads($0) }
    case 7: shares(most: HubFrame.pageMax / KeyShare.bytesMax).map { .shares($0) }
    case 8: olderKeys().map { .olderKeys($0) }
    case 9: checkpointReply()
    case 10: manifestReply()
    case 11: heartbeatsReply()
    case 12: requestsReply()
    case 13: optional { $0.counted(most: HubRequest.letterMax) }.map { .letter($0) }
    case 14: .notice(.news)
    case 15: hubHeads().map { .notice(.looked($0)) }
    case 16: hubError().map { .notice(.failed($0)) }
    default: nil
    }
  }

  private mutating func pushAnswer() -> PushAnswer? {
    switch flag() {
    case .some(true): place().map { .accepted($0) }
    case .some(false): .refused
    case .none: nil
    }
  }

  private mutating func zonePage() -> ZonePage? {
    let read = list(most: HubFrame.messageMax) { $0.counted(most: ZoneEntry.bytesMax) }
    guard let entries = read.flatMap({ Self.all($0) { ZoneEntry($0) } }), let bodies = bodies(),
      let head = place(), let isCutShort = flag()
    else { return nil }
    return ZonePage(entries: entries, bodies: bodies, head: head, isCutShort: isCutShort)
  }

  private mutating func recordsReply() -> HubReply? {
    guard let bodies = bodies(), let isLast = flag() else { return nil }
    return .records(bodies, isLast: isLast)
  }

  private mutating func hubHeads() -> HubHeads? {
    guard let circle = place(), let zones = heads(), let time: UInt64 = number() else { return nil }
    let instant = WallInstant(milliseconds: Int64(bitPattern: time))
    return HubHeads(circle: circle, zones: zones, time: instant)
  }

  private mutating func checkpointReply() -> HubReply? {
    guard let bytes = optional({ $0.counted(most: ZoneCheckpoint.bytesMax) }),
      let parts: UInt16 = number(), parts <= ManifestPart.partsMax, (bytes == nil) == (parts == 0)
    else { return nil }
    guard let bytes else { return .checkpoint(nil, parts: 0) }
    return ZoneCheckpoint(bytes).map { .checkpoint($0, parts: parts) }
  }

  private mutating func manifestReply() -> HubReply? {
    guard let bytes = optional({ $0.counted(most: HubFrame.messageMax) }) else { return nil }
    guard let bytes else { return .manifest(nil) }
    return ManifestPart(bytes).map { .manifest($0) }
  }

  private mutating func heartbeatsReply() -> HubReply? {
    guard let roles = roles(), let bodies = bodies(roles.count, most: Heartbeat.bytesMax),
      let heartbeats = Self.all(bodies, { Heartbeat($0) }), let isLast = flag()
    else { return nil }
    return .heartbeats(zip(roles, heartbeats).map { HubHeartbeat($0, $1) }, isLast: isLast)
  }

  private mutating func requestsReply() -> HubReply? {
    guard let roles = roles(), let letters = bodies(roles.count, most: HubRequest.letterMax) else {
      return nil
    }
    return .requests(Dictionary(uniqueKeysWithValues: zip(roles, letters)))
  }

  /// Roles in their order, each once.
  private mutating func roles() -> [HubRole]? {
    guard let roles = list(most: 256, { $0.role() }),
      zip(roles, roles.dropFirst()).allSatisfy({ $0 < $1 })
    else { return nil }
    return roles
  }

  private mutating func bodies(_ count: Int, most: Int) -> [[UInt8]]? {
    guard let bodies = list(most: count, { $0.counted(most: most) }), bodies.count == count else {
      return nil
    }
    return bodies
  }
}
