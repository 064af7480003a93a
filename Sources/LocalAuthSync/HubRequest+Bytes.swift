extension HubRequest {
  private static let purpose: StaticString = "LocalAuth hub request 1"

  /// The message that asks this under a number, which its reply repeats; not 0.
  public func bytes(number: UInt32) -> [UInt8] {
    var framed = FramedBytes(Self.purpose)
    framed.add(number)
    framed.add(code)
    addParts(to: &framed)
    return framed.bytes
  }

  /// Reads what ``bytes(number:)`` wrote; nil for anything else.
  public static func read(_ bytes: [UInt8]) -> (number: UInt32, request: HubRequest)? {
    guard bytes.count <= HubFrame.messageMax, var reader = FramedReader(bytes, for: purpose),
      let number: UInt32 = reader.number(), number > 0, let code: UInt8 = reader.number(),
      let request = reader.request(code), reader.isAtEnd
    else { return nil }
    return (number, request)
  }

  private var code: UInt8 {
    switch self {
    case .connect: 0
    case .circlePush: 1
    case .circlePull: 2
    case .zonePush: 3
    case .zonePull: 4
    case .records: 5
    case .heads: 6
    case .putShares: 7
    case .shares: 8
    case .putOlderKeys: 9
    case .olderKeys: 10
    case .putCheckpoint: 11
    case .checkpoint: 12
    case .manifest: 13
    case .putHeartbeat: 14
    case .heartbeats: 15
    case .invite: 16
    case .offer: 17
    case .ask: 18
    case .requests: 19
    case .admit: 20
    case .answer: 21
    case .setVerifier: 22
    case .tell: 23
    case .revoke: 24
    }
  }

  private func addParts(to framed: inout FramedBytes) {
    switch self {
    case .heads, .offer, .requests, .answer, .tell: return
    case .connect(let address): framed.add(address)
    case .circlePush(let entry, let removal):
      framed.add(counted: entry.bytes)
      framed.add(removal) { framed, removal in
        framed.add(removal.entry)
        framed.add(removal.role)
        framed.add(removal.remaining) { framed, remaining in
          framed.add(UInt32(truncatingIfNeeded: remaining.entries.count))
          for entry in remaining.entries { framed.add(entry) }
          framed.add(UInt32(truncatingIfNeeded: remaining.roles.count))
          for role in remaining.roles { framed.add(role) }
          framed.add(remaining.heads)
        }
      }
    case .circlePull(let number): framed.add(number)
    case .zonePush(let entry, let bodies):
      framed.add(counted: entry.bytes)
      framed.add(bodies)
    case .zonePull(let zone, let number, let limit):
      framed.add(zone)
      framed.add(number)
      framed.add(limit)
    case .records(let zone, let number, let name):
      framed.add(zone)
      framed.add(number)
      framed.add(name)
    case .putShares(let shares): framed.add(shares.map(\.bytes))
    case .shares(let peer): framed.add(peer)
    case .putOlderKeys(let keys, let number):
      framed.add(keys)
      framed.add(number)
    case .olderKeys(let zone, let epoch):
      framed.add(zone)
      framed.add(epoch)
    case .putCheckpoint(let checkpoint, let part, let parts, let lines):
      framed.add(counted: checkpoint.bytes)
      framed.add(part)
      framed.add(parts)
      framed.add(counted: lines.bytes)
    case .checkpoint(let zone): framed.add(zone)
    case .manifest(let zone, let place, let part):
      framed.add(zone)
      framed.add(place)
      framed.add(part)
    case .putHeartbeat(let heartbeat): framed.add(counted: heartbeat.bytes)
    case .heartbeats(let role): framed.add(role)
    case .invite(let role, let verifier, let offer):
      framed.add(role)
      framed.add(verifier)
      framed.add(counted: offer)
    case .revoke(let role): framed.add(role)
    case .ask(let letter): framed.add(counted: letter)
    case .admit(let role, let letter, let entry):
      framed.add(role)
      framed.add(counted: letter)
      framed.add(entry) { $0.add($1) }
    case .setVerifier(let verifier): framed.add(verifier)
    }
  }
}

extension FramedReader {
  fileprivate mutating func request(_ code: UInt8) -> HubRequest? {
    switch code {
    case 0: address().map { .connect($0) }
    case 1: circlePush()
    case 2: number().map { .circlePull(after: $0) }
    case 3: zonePush()
    case 4: zonePull()
    case 5: records()
    case 6: .heads
    case 7: shares(most: HubRequest.sharesMax).map { .putShares($0) }
    case 8: peer().map { .shares($0) }
    case 9: putOlderKeys()
    case 10: olderKeysRequest()
    case 11: putCheckpoint()
    case 12: zone().map { .checkpoint($0) }
    case 13: manifestRequest()
    case 14:
      counted(most: Heartbeat.bytesMax).flatMap { Heartbeat($0) }.map { .putHeartbeat($0) }
    case 15: optional { $0.role() }.map { .heartbeats(after: $0) }
    case 16: invite()
    case 17: .offer
    case 18: counted(most: HubRequest.letterMax).map { .ask($0) }
    case 19: .requests
    case 20: admit()
    case 21: .answer
    case 22: text(most: HubRequest.verifierMax).map { .setVerifier($0) }
    case 23: .tell
    case 24: role().map { .revoke($0) }
    default: nil
    }
  }

  private mutating func circlePush() -> HubRequest? {
    guard let entry = counted(most: CircleEntry.bytesMax).flatMap({ CircleEntry($0) }),
      let removal = optional({ $0.removal() })
    else { return nil }
    return .circlePush(entry, removing: removal)
  }

  private mutating func removal() -> HubRemoval? {
    guard let entry: UInt64 = number(), let role = optional({ $0.role() }),
      let remaining = optional({ $0.remaining() })
    else { return nil }
    return HubRemoval(entry: entry, role: role, remaining: remaining)
  }

  private mutating func remaining() -> HubRemaining? {
    guard let entries = list(most: CircleLog.peersMax, { $0.number() as UInt64? }),
      let roles = list(most: CircleLog.peersMax, { $0.role() }), let heads = heads()
    else { return nil }
    return HubRemaining(entries: entries, roles: roles, heads: heads)
  }

  private mutating func zonePush() -> HubRequest? {
    guard let entry = counted(most: ZoneEntry.bytesMax).flatMap({ ZoneEntry($0) }),
      let bodies = bodies(), HubRequest.areComplete(bodies, of: entry)
    else { return nil }
    return .zonePush(entry, bodies)
  }

  private mutating func zonePull() -> HubRequest? {
    guard let zone = zone(), let after: UInt64 = number(), let limit: UInt16 = number() else {
      return nil
    }
    return .zonePull(zone, after: after, limit: limit)
  }

  private mutating func records() -> HubRequest? {
    guard let zone = zone(), let upTo: UInt64 = number(),
      let name = optional({ $0.digest().map { RecordName($0) } })
    else { return nil }
    return .records(zone, upTo: upTo, after: name)
  }

  private mutating func putOlderKeys() -> HubRequest? {
    guard let keys = olderKeys(), let number: UInt64 = number() else { return nil }
    return .putOlderKeys(keys, at: number)
  }

  private mutating func olderKeysRequest() -> HubRequest? {
    guard let zone = zone(), let epoch: UInt32 = number() else { return nil }
    return .olderKeys(zone, under: epoch)
  }

  private mutating func putCheckpoint() -> HubRequest? {
    guard let checkpoint = counted(most: ZoneCheckpoint.bytesMax).flatMap({ ZoneCheckpoint($0) }),
      let part: UInt16 = number(), let parts: UInt16 = number(), part < parts,
      parts <= ManifestPart.partsMax,
      let lines = counted(most: HubFrame.messageMax).flatMap({ ManifestPart($0) })
    else { return nil }
    return .putCheckpoint(checkpoint, part: part, of: parts, lines)
  }

  private mutating func manifestRequest() -> HubRequest? {
    guard let zone = zone(), let place = place(), let part: UInt16 = number() else { return nil }
    return .manifest(zone, at: place, part: part)
  }

  private mutating func invite() -> HubRequest? {
    guard let role = role(), let verifier = text(most: HubRequest.verifierMax),
      let offer = counted(most: HubRequest.letterMax)
    else { return nil }
    return .invite(role, verifier: verifier, offer: offer)
  }

  private mutating func admit() -> HubRequest? {
    guard let role = role(), let letter = counted(most: HubRequest.letterMax),
      let entry: UInt64? = optional({ $0.number() })
    else { return nil }
    return .admit(role, answer: letter, entry: entry)
  }
}
