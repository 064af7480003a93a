public import LocalAuthCore

/// What a sponsor tells the device that has its code: which circle it would join, and by whose word.
///
/// The sponsor is a device, or a recovery key, which makes its own offer when it is printed. The hub can read it, and cannot make another: it has a code that only whoever knows the invitation can make.
public struct JoinOffer: Hashable, Sendable {
  private static let purpose: StaticString = "LocalAuth sync offer 1"

  /// The circle.
  public let circle: SyncDigest
  /// The invitation's public name.
  public let invitation: SyncDigest
  /// The sponsor.
  public let sponsor: PeerKeys
  /// The code over ``authenticated``.
  public let tag: [UInt8]

  /// The offer of `sponsor`, under the invitation's code.
  public init(
    _ circle: SyncDigest,
    invitation: SyncDigest,
    by sponsor: PeerKeys,
    _ code: any RecordTagger
  ) {
    self.circle = circle
    self.invitation = invitation
    self.sponsor = sponsor
    tag = code.tag(over: Self.authenticated(circle, invitation, sponsor))
  }

  private static func authenticated(
    _ circle: SyncDigest,
    _ invitation: SyncDigest,
    _ sponsor: PeerKeys
  ) -> [UInt8] {
    var framed = FramedBytes(purpose)
    framed.add(circle)
    framed.add(invitation)
    sponsor.append(to: &framed)
    return framed.bytes
  }

  /// The offer as the hub keeps it.
  public var bytes: [UInt8] { Self.authenticated(circle, invitation, sponsor) + tag }

  /// Reads an offer; nil for anything else, and for one without the code.
  public init?(_ bytes: [UInt8], _ code: any RecordTagger) {
    guard bytes.count <= HubRequest.letterMax, bytes.count > JoinRequest.tagSize else { return nil }
    let authenticated = Array(bytes.dropLast(JoinRequest.tagSize))
    let tag = Array(bytes.suffix(JoinRequest.tagSize))
    guard var reader = FramedReader(authenticated, for: Self.purpose),
      let circle = reader.digest(), let invitation = reader.digest(),
      let sponsor = PeerKeys(&reader), reader.isAtEnd,
      code.verify(tag, over: authenticated)
    else { return nil }
    self.circle = circle
    self.invitation = invitation
    self.sponsor = sponsor
    self.tag = tag
  }
}

extension JoinRequest {
  private static let purpose: StaticString = "LocalAuth sync request 1"

  /// The request as the hub keeps it.
  public var bytes: [UInt8] {
    var framed = FramedBytes(Self.purpose)
    framed.add(invitation)
    keys.append(to: &framed)
    framed.add(counted: consent)
    framed.add(counted: tag)
    return framed.bytes
  }

  /// Reads what ``bytes`` wrote; nil for anything else.
  public init?(_ bytes: [UInt8]) {
    guard bytes.count <= HubRequest.letterMax,
      var reader = FramedReader(bytes, for: Self.purpose), let invitation = reader.digest(),
      let keys = PeerKeys(&reader), let consent = reader.counted(most: ChainPlace.signatureSize),
      let tag = reader.counted(most: Self.tagSize), tag.count == Self.tagSize, reader.isAtEnd
    else { return nil }
    self.init(invitation: invitation, keys: keys, consent: consent, tag: tag)
  }
}
