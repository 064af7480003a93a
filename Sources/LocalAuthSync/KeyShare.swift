public import LocalAuthCore

/// The key of a zone's epoch, sealed to one member.
public struct KeyShare: Hashable, Sendable {
  /// The longest sealed key, in bytes.
  public static let sealedMax = 256

  /// Why a share is not used.
  public enum Refusal: Error, Hashable, Sendable {
    /// It is for another circle, zone, epoch or device.
    case otherPlace
    /// Its sender did not begin this epoch, or was no member.
    case sender
    /// The signature is not the sender's.
    case signature
  }

  /// The circle.
  public let circle: SyncDigest
  /// The zone.
  public let zone: ZoneName
  /// The epoch.
  public let epoch: UInt32
  /// Who opens it.
  public let receiver: PeerIdentifier
  /// Who sealed it.
  public let sender: PeerIdentifier
  /// The circle as its sender knew it.
  public let circleHead: ChainPlace
  /// The public half of a pair of this share alone.
  public let ephemeral: [UInt8]
  /// The key, sealed.
  public let sealed: [UInt8]
  /// The sender's signature over ``signed``.
  public var signature: [UInt8]

  /// The share with these parts.
  public init(
    circle: SyncDigest,
    zone: ZoneName,
    epoch: UInt32,
    receiver: PeerIdentifier,
    sender: PeerIdentifier,
    circleHead: ChainPlace,
    ephemeral: [UInt8],
    sealed: [UInt8],
    signature: [UInt8] = []
  ) {
    self.circle = circle
    self.zone = zone
    self.epoch = epoch
    self.receiver = receiver
    self.sender = sender
    self.circleHead = circleHead
    self.ephemeral = ephemeral
    self.sealed = sealed
    self.signature = signature
  }

  /// What the sealed key is bound to.
  public var context: [UInt8] {
    var framed = FramedBytes("LocalAuth sync share 1")
    framed.add(circle)
    framed.add(zone)
    framed.add(epoch)
    framed.add(receiver)
    framed.add(sender)
    framed.add(circleHead)
    framed.add(counted: ephemeral)
    return framed.bytes
  }

  /// What is signed.
  public var signed: [UInt8] {
    var framed = FramedBytes("LocalAuth sync signed share 1")
    framed.add(counted: context)
    framed.add(counted: sealed)
    return framed.bytes
  }

  /// Verifies that a member sealed it for `me`, before anything is opened.
  ///
  /// A share of an older epoch cannot pass for a newer one, and one from before a removal names a head at which its
  /// sender was a member all the same.
  ///
  /// - Throws: ``Refusal``.
  public func verify(
    for me: PeerIdentifier,
    _ zone: ZoneName,
    epoch: UInt32,
    in circle: CircleLog,
    _ ports: SyncPorts
  ) throws(Refusal) {
    guard self.circle == circle.circle, self.zone == zone, self.epoch == epoch, receiver == me,
      ephemeral.count == PeerKeys.keySize, sealed.count <= Self.sealedMax
    else { throw .otherPlace }
    guard circle.contains(circleHead), let keys = circle.member(sender, at: circleHead.number),
      circle.member(sender, at: circle.head.number) != nil,
      keys.kind == .device, isOfItsEpoch(in: circle)
    else { throw .sender }
    guard ports.signatures.isSignature(signature, of: signed, by: keys.signing) else {
      throw .signature
    }
  }

  /// Whether the epoch was begun by it, or its receiver joined after that, when any member passes the keys on.
  ///
  /// Of two who wanted to begin an epoch at once, the shares of the one who was slower must not count, nor those of an
  /// attempt that failed: their keys open nothing.
  private func isOfItsEpoch(in circle: CircleLog) -> Bool {
    guard let begun = circle.epochs[zone]?.first(where: { $0.number == epoch }) else {
      return false
    }
    if let joined = circle.peers[receiver]?.since, joined > begun.since {
      return circleHead.number >= begun.since
    }
    return begun.author == sender && circleHead.number + 1 == begun.since
  }

  /// The digest over the shares that a new epoch begins with, in the order of their receivers.
  public static func digest(_ shares: [KeyShare], _ hash: any MessageHashing) -> SyncDigest {
    var framed = FramedBytes("LocalAuth sync shares 1")
    for share in shares.sorted(by: { $0.receiver < $1.receiver }) {
      framed.add(counted: share.signed)
    }
    return hash.digest(of: framed.bytes)
  }
}

/// Where the wrapped key of an older epoch belongs.
public struct EpochPlace: Hashable, Sendable {
  private let circle: SyncDigest
  private let zone: ZoneName
  private let epoch: UInt32
  private let newer: UInt32

  /// The place of the key of `epoch`, wrapped under that of a newer one.
  public init(circle: SyncDigest, zone: ZoneName, epoch: UInt32, under newer: UInt32) {
    self.circle = circle
    self.zone = zone
    self.epoch = epoch
    self.newer = newer
  }

  /// What the wrapped key is bound to.
  public var context: [UInt8] {
    var framed = FramedBytes("LocalAuth sync older epoch 1")
    framed.add(circle)
    framed.add(zone)
    framed.add(epoch)
    framed.add(newer)
    return framed.bytes
  }
}
