import LocalAuthCore
import LocalAuthKeychain
import LocalAuthSecret
import LocalAuthSync

/// A device on its way into a circle by the recovery key, which sponsors it with nobody's help.
///
/// The key is known to whoever holds the paper and to nobody else, so what has a code under it is believed: which circle
/// it is. Everything else is verified as on any device. It keeps itself until it has ended.
final class SyncRecovery {
  /// What the device gets.
  struct Outcome {
    /// The circle.
    let circle: SyncDigest
    /// The entries of its log, with the one that adds this device.
    let entries: [CircleEntry]
    /// The newest keys of each zone.
    let keys: [(zone: ZoneName, keys: any ZoneKeys)]
  }

  private let code: any RecoveryCode
  private let own: any JoinCode
  private let joiner: any PeerSecrets
  private let link: any HubLink
  private let ports: SyncPorts
  private let body: (Result<Outcome, SyncFailure>) -> Void
  private var offer: JoinOffer?
  private var circle = CircleLog()
  private var entries: [CircleEntry] = []
  private var keys: [(zone: ZoneName, keys: any ZoneKeys)] = []
  private var refusals = 0
  /// The most times that somebody else may be faster.
  private static let refusalsMax = 16

  /// Recovers by `code` over `link`.
  ///
  /// - Parameters:
  ///   - code: The recovery key.
  ///   - own: The role that the device will have, and its password.
  ///   - joiner: The device as a peer.
  ///   - link: The hub, with the recovery key's role; it is closed at the end.
  ///   - ports: Digests and signatures.
  ///   - body: Called once.
  init(
    _ code: any RecoveryCode,
    _ own: any JoinCode,
    _ joiner: any PeerSecrets,
    _ link: any HubLink,
    _ ports: SyncPorts,
    then body: @escaping (Result<Outcome, SyncFailure>) -> Void
  ) {
    self.code = code
    self.own = own
    self.joiner = joiner
    self.link = link
    self.ports = ports
    self.body = body
  }

  private var recovery: PeerIdentifier { code.secrets.keys.identifier(ports.hash) }

  /// Begins, by asking which circle it is.
  func begin() {
    ask(.offer) { [self] reply in
      guard case .letter(let letter) = reply,
        let offer = letter.flatMap({ JoinOffer($0, code) }), offer.sponsor == code.secrets.keys
      else { return end(.failure(.wrongCode)) }
      self.offer = offer
      pullCircle()
    }
  }

  private func pullCircle() {
    ask(.circlePull(after: circle.head.number)) { [self] reply in
      guard case .circle(let new) = reply else { return endUnexpectedly() }
      guard !new.isEmpty else { return pullKeys() }
      do throws(CircleRefusal) {
        for entry in new {
          try circle.append(entry, ports)
          guard circle.circle == offer?.circle else { throw .otherCircle }
        }
      } catch { return end(.failure(.otherCircle)) }
      entries += new
      pullCircle()
    }
  }

  private func pullKeys() {
    guard circle.circle == offer?.circle else { return end(.failure(.otherCircle)) }
    guard circle.recovery == recovery else { return end(.failure(.noSuchRecoveryKey)) }
    guard !circle.isFull else { return end(.failure(.circleFull)) }
    ask(.shares(recovery)) { [self] reply in
      guard case .shares(let shares) = reply else { return endUnexpectedly() }
      let zones = circle.epochs.keys.filter { ZoneName.known.contains($0) }.sorted()
      keys = zones.compactMap { zone in newestKeys(of: zone, shares).map { (zone, $0) } }
      // Without one of them this device would be a member that can read nothing there.
      guard keys.count == zones.count else { return end(.failure(.otherCircle)) }
      makeRole()
    }
  }

  private func newestKeys(of zone: ZoneName, _ shares: [KeyShare]) -> (any ZoneKeys)? {
    let epoch = circle.epoch(of: zone, at: circle.head.number)
    for share in shares where share.zone == zone && share.epoch == epoch {
      do throws(KeyShare.Refusal) {
        try share.verify(for: recovery, zone, epoch: epoch, in: circle, ports)
      } catch { continue }
      if let keys = code.secrets.open(share) { return keys }
    }
    return nil
  }

  private func makeRole() {
    guard refusals == 0 else { return join() }
    ask(.invite(own.role, verifier: own.verifier(), offer: [1])) { [self] _ in join() }
  }

  /// Signs the device in as the recovery key.
  private func join() {
    guard let entry = entry() else { return end(.failure(.notStored)) }
    var joined = circle
    // The hub takes any entry, and one that does not count would end the log for all.
    do throws(CircleRefusal) { try joined.append(entry, ports) } catch {
      return end(.failure(.otherCircle))
    }
    ask(.circlePush(entry, removing: nil)) { [self, joined] reply in
      guard case .pushed(let answer) = reply else { return endUnexpectedly() }
      guard case .accepted(let place) = answer else {
        refusals += 1
        return refusals < Self.refusalsMax ? pullCircle() : end(.failure(.circleChanged))
      }
      circle = joined
      guard place == circle.head else { return end(.failure(.otherCircle)) }
      entries.append(entry)
      ask(.admit(own.role, answer: [1], entry: place.number)) { [self] _ in
        end(.success(Outcome(circle: circle.circle, entries: entries, keys: keys)))
      }
    }
  }

  private func entry() -> CircleEntry? {
    guard let offer else { return nil }
    let consent = Voucher.consent(
      to: circle.circle,
      invitation: offer.invitation,
      joiner: joiner.keys,
      sponsor: code.secrets.keys
    )
    guard let signature = joiner.signer.sign(consent) else { return nil }
    return CircleEntry(
      circle: circle.circle,
      previous: circle.head,
      author: recovery,
      act: .add(joiner.keys, Voucher(invitation: offer.invitation, consent: signature))
    ).signed(by: code.secrets.signer)
  }

  // MARK: The hub

  private func ask(_ request: HubRequest, _ body: @escaping (HubReply) -> Void) {
    link.ask(request) { [self] reply in
      guard case .failed(let error) = reply else { return body(reply) }
      end(.failure(.hub(error)))
    }
  }

  private func endUnexpectedly() {
    end(.failure(.hub(.unexpected("the hub's program answered something else"))))
  }

  private func end(_ result: Result<Outcome, SyncFailure>) {
    link.close()
    body(result)
  }
}
