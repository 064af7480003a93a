public import LocalAuthCore
public import LocalAuthKeychain

/// What an entry of the circle's log does.
public enum CircleAct: Hashable, Sendable {
  /// The first: a device founds the circle. The random bytes make it one of its kind.
  case found(PeerKeys, random: SyncDigest)
  /// A device joins, whose keys the author vouches for.
  case add(PeerKeys, Voucher)
  /// A peer leaves or is thrown out. What it wrote behind these heads never counts.
  case remove(PeerIdentifier, cuts: [ZoneHead])
  /// A recovery key, in place of the one before.
  case recovery(PeerKeys)
  /// A zone has keys of a new epoch; the digest is over all shares that its author sent.
  case roll(ZoneName, epoch: UInt32, shares: SyncDigest)
}

/// What a joining device and its sponsor agreed on.
public struct Voucher: Hashable, Sendable {
  /// The invitation that it answered.
  public let invitation: SyncDigest
  /// The joining device's signature: it has the private keys, and wants to be in this circle.
  public let consent: [UInt8]

  /// The voucher with these parts.
  public init(invitation: SyncDigest, consent: [UInt8]) {
    self.invitation = invitation
    self.consent = consent
  }

  /// What the joining device signs.
  ///
  /// - Parameters:
  ///   - circle: The circle.
  ///   - invitation: The invitation's identifier.
  ///   - joiner: The keys of the device that joins.
  ///   - sponsor: The keys of the device that invited it.
  /// - Returns: the bytes to sign.
  public static func consent(
    to circle: SyncDigest,
    invitation: SyncDigest,
    joiner: PeerKeys,
    sponsor: PeerKeys
  ) -> [UInt8] {
    var framed = FramedBytes("LocalAuth sync consent 1")
    framed.add(circle)
    framed.add(invitation)
    joiner.append(to: &framed)
    sponsor.append(to: &framed)
    return framed.bytes
  }
}

/// An entry of the circle's log.
public struct CircleEntry: Hashable, Sendable {
  /// The longest encoding, in bytes.
  public static let bytesMax = 256 * 1024
  private static let purpose: StaticString = "LocalAuth sync circle entry 1"

  /// The circle; none in the entry that founds it.
  public let circle: SyncDigest
  /// The entry before.
  public let previous: ChainPlace
  /// Who signed it.
  public let author: PeerIdentifier
  /// What it does.
  public let act: CircleAct
  /// The author's signature over ``signed``.
  public let signature: [UInt8]

  /// The entry with these parts.
  public init(
    circle: SyncDigest,
    previous: ChainPlace,
    author: PeerIdentifier,
    act: CircleAct,
    signature: [UInt8] = []
  ) {
    self.circle = circle
    self.previous = previous
    self.author = author
    self.act = act
    self.signature = signature
  }

  /// What is signed.
  public var signed: [UInt8] {
    var framed = FramedBytes(Self.purpose)
    framed.add(circle)
    framed.add(previous)
    framed.add(author)
    framed.add(act)
    return framed.bytes
  }

  /// The entry with its author's signature; nil if signing fails.
  public func signed(by key: any MessageSigning) -> CircleEntry? {
    key.sign(signed).map { signature in
      CircleEntry(
        circle: circle,
        previous: previous,
        author: author,
        act: act,
        signature: signature
      )
    }
  }

  /// The entry as it is sent and kept.
  public var bytes: [UInt8] { signed + signature }

  /// The place behind it.
  public func place(_ hash: any MessageHashing) -> ChainPlace {
    ChainPlace(number: previous.number &+ 1, digest: hash.digest(of: bytes))
  }

  /// Reads what ``bytes`` wrote; nil for anything else.
  public init?(_ bytes: [UInt8]) {
    guard bytes.count <= Self.bytesMax, bytes.count > ChainPlace.signatureSize else { return nil }
    let body = Array(bytes.dropLast(ChainPlace.signatureSize))
    guard var reader = FramedReader(body, for: Self.purpose), let circle = reader.digest(),
      let previous = reader.place(), let author = reader.peer(), let act = reader.act(),
      reader.isAtEnd
    else { return nil }
    self.init(
      circle: circle,
      previous: previous,
      author: author,
      act: act,
      signature: Array(bytes.suffix(ChainPlace.signatureSize))
    )
  }
}

extension FramedBytes {
  fileprivate mutating func add(_ act: CircleAct) {
    switch act {
    case .found(let keys, let random):
      add(UInt8(0))
      keys.append(to: &self)
      add(random)
    case .add(let keys, let voucher):
      add(UInt8(1))
      keys.append(to: &self)
      add(voucher.invitation)
      add(counted: voucher.consent)
    case .remove(let peer, let cuts):
      add(UInt8(2))
      add(peer)
      add(cuts)
    case .recovery(let keys):
      add(UInt8(3))
      keys.append(to: &self)
    case .roll(let zone, let epoch, let shares):
      add(UInt8(4))
      add(zone)
      add(epoch)
      add(shares)
    }
  }
}

extension FramedReader {
  fileprivate mutating func act() -> CircleAct? {
    guard let code: UInt8 = number() else { return nil }
    switch code {
    case 0:
      guard let keys = PeerKeys(&self), let random = digest() else { return nil }
      return .found(keys, random: random)
    case 1:
      guard let keys = PeerKeys(&self), let invitation = digest(),
        let consent = counted(most: ChainPlace.signatureSize)
      else { return nil }
      return .add(keys, Voucher(invitation: invitation, consent: consent))
    case 2:
      guard let peer = peer(), let cuts = heads() else { return nil }
      return .remove(peer, cuts: cuts)
    case 3: return PeerKeys(&self).map { .recovery($0) }
    case 4:
      guard let zone = zone(), let epoch: UInt32 = number(), let shares = digest() else {
        return nil
      }
      return .roll(zone, epoch: epoch, shares: shares)
    default: return nil
    }
  }
}
