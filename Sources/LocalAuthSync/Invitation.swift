public import LocalAuthCore

/// What a device that wants to join posts, with a code over it that only whoever knows the invitation can make.
public struct JoinRequest: Hashable, Sendable {
  /// The bytes of the code over ``authenticated``.
  public static let tagSize = 32

  /// The invitation that it answers.
  public let invitation: SyncDigest
  /// The device's keys.
  public let keys: PeerKeys
  /// Its signature over what ``Voucher/consent(to:invitation:joiner:sponsor:)`` returns.
  public let consent: [UInt8]
  /// The code, HMAC-SHA256 under the invitation's.
  public let tag: [UInt8]

  /// The request with these parts.
  public init(invitation: SyncDigest, keys: PeerKeys, consent: [UInt8], tag: [UInt8]) {
    self.invitation = invitation
    self.keys = keys
    self.consent = consent
    self.tag = tag
  }

  /// What the code is made over.
  public var authenticated: [UInt8] {
    var framed = FramedBytes("LocalAuth sync join 1")
    framed.add(invitation)
    keys.append(to: &framed)
    framed.add(counted: consent)
    return framed.bytes
  }
}

/// One invitation of a sponsor's: a code of 128 bits that is good for ten minutes and for one device.
///
/// | state    | event                                | action                                     |
/// |----------|--------------------------------------|--------------------------------------------|
/// | open     | a request with a wrong code          | it is ignored: anybody can post one        |
/// | open     | a request with the right code        | asked: the person sees name and words      |
/// | asked    | another request                      | it is ignored                              |
/// | asked    | the person approves                  | used: the sponsor signs the entry          |
/// | any      | ten minutes have passed, or a reboot | over                                       |
public struct Invitation: Hashable, Sendable {
  /// How long it is good for.
  public static let lifetime = Duration.seconds(600)

  /// What is to be done.
  public enum Action: Hashable, Sendable {
    /// Nothing.
    case ignore
    /// The person is shown the device's name, and the words that its own screen shows.
    case ask(name: String, words: [String])
    /// The entry is signed and sent.
    case sign(CircleAct)
    /// It is too late; the code is wiped.
    case end
  }

  private enum State: Hashable, Sendable {
    case open
    case asked(JoinRequest)
    case over
  }

  /// Its public name, random.
  public let identifier: SyncDigest
  private let circle: SyncDigest
  private let sponsor: PeerKeys
  private let begun: Moment
  private var state = State.open

  /// An invitation of `sponsor` into `circle`.
  public init(
    _ identifier: SyncDigest,
    into circle: SyncDigest,
    by sponsor: PeerKeys,
    at now: Moment
  ) {
    self.identifier = identifier
    self.circle = circle
    self.sponsor = sponsor
    begun = now
  }

  /// Whether a device can still be let in by it.
  public func isOpen(at now: Moment) -> Bool { state != .over && isGood(at: now) }

  private func isGood(at now: Moment) -> Bool {
    now.bootID == begun.bootID && now.boot < begun.boot + Self.lifetime
  }

  /// A request came.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - code: What makes and verifies codes under the invitation's.
  ///   - now: The time.
  ///   - ports: Digests and signatures.
  /// - Returns: what is to be done.
  public mutating func received(
    _ request: JoinRequest,
    _ code: any RecordTagger,
    at now: Moment,
    _ ports: SyncPorts
  ) -> Action {
    guard isGood(at: now) else { return end() }
    switch state {
    case .asked, .over: return .ignore
    case .open:
      let consent = Voucher.consent(
        to: circle,
        invitation: identifier,
        joiner: request.keys,
        sponsor: sponsor
      )
      guard request.invitation == identifier, request.keys.kind == .device,
        code.verify(request.tag, over: request.authenticated),
        ports.signatures.isSignature(request.consent, of: consent, by: request.keys.signing)
      else { return .ignore }
      state = .asked(request)
      return .ask(name: request.keys.name, words: request.keys.words(ports.hash))
    }
  }

  /// The person approved the device that they were asked about, and proved to be the owner of this one.
  public mutating func approved(at now: Moment) -> Action {
    guard isGood(at: now) else { return end() }
    switch state {
    case .open: return .ignore
    case .over: return .end
    case .asked(let request):
      state = .over
      return .sign(
        .add(request.keys, Voucher(invitation: identifier, consent: request.consent))
      )
    }
  }

  private mutating func end() -> Action {
    state = .over
    return .end
  }
}
