import LocalAuthCore
import LocalAuthKeychain
import LocalAuthSecret
import LocalAuthSync

/// An invitation that is open on this device; it ends with the process, with the lock's boot, or after ten minutes.
struct Sponsoring {
  var invitation: Invitation
  let code: any JoinCode
  /// The device that answered, as the person is shown it.
  var asked: SyncReport.Answering?
}

/// A device that a person is asked about, and the invitation that it answered.
struct ShownJoiner: Hashable {
  let invitation: SyncDigest
  let device: SyncReport.Answering
}

/// An invitation that is over here, and whose role may live on at the hub.
struct EndedInvitation {
  let role: HubRole
  /// The device that answered it.
  let joiner: PeerIdentifier?
}

extension Synchronizer {
  // MARK: The sponsor

  /// Opens an invitation; the one before ends once the hub is reached.
  ///
  /// - Parameter body: Gets the code to show; nil if the hub did not make the role, and why.
  func invite(then body: @escaping (Result<SecretBox, SyncFailure>) -> Void) {
    guard !state.circle.isFull else { return body(.failure(.circleFull)) }
    guard let code = vault.makeJoinCode() else { return body(.failure(.noInvitation)) }
    let identifier = engine.randomDigest()
    let invitation = Invitation(identifier, into: state.circle.circle, by: secrets.keys, at: now)
    let offer = JoinOffer(
      state.circle.circle,
      invitation: identifier,
      by: secrets.keys,
      code
    )
    run(
      SyncErrand { [weak self] round, done in
        self?.endInvitation()
        self?.revokeWhereDue(round) {
          round.ask(.invite(code.role, verifier: code.verifier(), offer: offer.bytes)) { _ in
            self?.sponsoring = Sponsoring(invitation: invitation, code: code)
            body(.success(code.printed()))
            done()
          }
        }
      } failed: {
        body(.failure(SyncFailure($0)))
      }
    )
  }

  /// Looks whether somebody answered the invitation.
  ///
  /// - Parameter body: Gets the device that did, as the person is shown it; nil for nobody yet.
  func lookForRequest(
    then body: @escaping (Result<SyncReport.Answering?, SyncFailure>) -> Void
  ) {
    guard let open = openInvitation() else { return body(.failure(.noInvitation)) }
    if let asked = open.asked { return body(.success(asked)) }
    run(
      SyncErrand { [weak self] round, done in
        self?.lookForRequest(round) { [weak self] in
          let open = self?.openInvitation()
          body(open.map { .success($0.asked) } ?? .failure(.noInvitation))
          done()
        }
      } failed: {
        body(.failure(SyncFailure($0)))
      }
    )
  }

  /// The open invitation; one that is over is ended.
  private func openInvitation() -> Sponsoring? {
    guard let open = sponsoring else { return nil }
    guard open.invitation.isOpen(at: now) else {
      endInvitation()
      return nil
    }
    return open
  }

  /// Looks whether somebody answered the open invitation, so that the status of this device says so.
  func lookForRequest(_ round: SyncRound, then body: @escaping () -> Void) {
    guard let open = sponsoring, open.asked == nil, open.invitation.isOpen(at: now) else {
      return body()
    }
    round.ask(.requests) { [weak self] reply in
      guard case .requests(let requests) = reply else { return round.endUnexpectedly() }
      self?.meet(requests)
      body()
    }
  }

  private func meet(_ requests: [HubRole: [UInt8]]) {
    guard var open = sponsoring, let bytes = requests[open.code.role],
      let request = JoinRequest(bytes)
    else { return }
    switch open.invitation.received(request, open.code, at: now, ports) {
    case .ask(let name, let words):
      open.asked = SyncReport.Answering(
        identifier: request.keys.identifier(ports.hash),
        name: name,
        words: words
      )
      sponsoring = open
    case .ignore, .sign: break
    case .end: endInvitation()
    }
  }

  /// The device that a person would be asked about now; nil for none.
  var shownJoiner: ShownJoiner? {
    guard let open = sponsoring, open.invitation.isOpen(at: now), let asked = open.asked else {
      return nil
    }
    return ShownJoiner(invitation: open.invitation.identifier, device: asked)
  }

  /// Lets a device in that answered the invitation, because the person has seen its name and words.
  ///
  /// The invitation stays until the hub has let it in, so whoever is interrupted approves once more. What is left to do
  /// behind the circle's entry is done without that, too.
  ///
  /// - Parameters:
  ///   - shown: The device that the person was shown; another one that answers by now is not let in.
  ///   - body: Gets whether it is in.
  func approve(
    _ shown: ShownJoiner?,
    then body: @escaping (Result<Void, SyncFailure>) -> Void
  ) {
    guard var open = sponsoring, let asked = open.asked, let shown else {
      return body(.failure(.noInvitation))
    }
    guard ShownJoiner(invitation: open.invitation.identifier, device: asked) == shown else {
      return body(.failure(.otherDevice))
    }
    guard case .sign(let act) = open.invitation.approved(at: now),
      case .add(let keys, _) = act
    else {
      endInvitation()
      return body(.failure(.noInvitation))
    }
    run(
      SyncErrand { [weak self] round, done in
        // It may have been declined or locked since.
        if let failure = self?.whyNotApproved(open.invitation) {
          body(.failure(failure))
          return done()
        }
        // Also if nobody hears that the entry was taken.
        self?.admissions.areOwed = true
        self?.add(keys, by: act, round) { [weak self] isTaken in
          guard let self, isTaken else {
            body(.failure(self?.whyNotTaken ?? .notStored))
            return done()
          }
          admitWhereDue(round) { [weak self] in
            body(self?.admitted(keys) ?? .failure(.notMember))
            done()
          }
        }
      } failed: {
        body(.failure(SyncFailure($0)))
      }
    )
  }

  /// Ends the invitation once the hub has let in who answered it.
  private func admitted(_ keys: PeerKeys) -> Result<Void, SyncFailure> {
    let peer = keys.identifier(ports.hash)
    if let refusal = admissions.refusals[peer] { return .failure(.hub(refusal)) }
    // The device was locked meanwhile, or the hub has the letter no more.
    guard admissions.mayBeDone(for: peer) || state.book.last[peer] != nil else {
      return .failure(vault.isUnlocked ? .noInvitation : .locked)
    }
    sponsoring = nil
    return .success(())
  }

  /// Why nobody can be let in by this invitation now; nil if somebody can.
  private func whyNotApproved(_ invitation: Invitation) -> SyncFailure? {
    guard let open = sponsoring?.invitation, open.identifier == invitation.identifier,
      open.isOpen(at: now)
    else { return .noInvitation }
    // The keys could not be passed on, and the other would be in the circle without them.
    return vault.isUnlocked ? nil : .locked
  }

  /// Adds a device to the circle's log, unless it is there since it was approved before.
  private func add(
    _ keys: PeerKeys,
    by act: CircleAct,
    _ round: SyncRound,
    then body: @escaping (Bool) -> Void
  ) {
    guard state.circle.peers[keys.identifier(ports.hash)] == nil else { return body(true) }
    push(round, act, then: body)
  }

  /// Lets those in at the hub who are in the circle's log because of this device's invitation, and were not let in yet.
  ///
  /// Whom the hub refuses keeps nothing else from being done: a member can post its letter once more, for another role.
  func admitWhereDue(_ round: SyncRound, then body: @escaping () -> Void) {
    guard admissions.areOwed, vault.isUnlocked else { return body() }
    round.ask(.requests) { [weak self] reply in
      guard let self else { return }
      guard case .requests(let requests) = reply else { return round.endUnexpectedly() }
      let owed = owed(requests)
      admissions.begin()
      admit(owed.joiners[...], round) { [weak self] in
        self?.admissions.end(owing: owed.areOthers)
        body()
      }
    }
  }

  /// Who is to be let in, as which role, and whether there are others of whom that cannot be told.
  ///
  /// Every member can read a letter and post it for a role of its own, which would stay when the member goes. The code
  /// says whose the role is; without it nobody is let in whose letter came for two. Who was let in before is heard.
  private func owed(
    _ requests: [HubRole: [UInt8]]
  ) -> (joiners: [(role: HubRole, keys: PeerKeys)], areOthers: Bool) {
    var roles: [PeerKeys: [HubRole]] = [:]
    for (role, letter) in requests.sorted(by: { $0.key < $1.key }) {
      if let keys = sponsored(letter) { roles[keys, default: []].append(role) }
    }
    var joiners: [(role: HubRole, keys: PeerKeys)] = []
    var areOthers = false
    for (keys, roles) in roles {
      let peer = keys.identifier(ports.hash)
      guard !admissions.areDone(for: peer), state.book.last[peer] == nil else { continue }
      let invited = sponsoring.flatMap { $0.asked?.identifier == peer ? $0.code.role : nil }
      let own = invited.map { role in roles.filter { $0 == role } } ?? roles
      if own.count == 1 { joiners.append((own[0], keys)) }
      if own.count > 1 { areOthers = true }
    }
    return (joiners, areOthers)
  }

  private func admit(
    _ joiners: ArraySlice<(role: HubRole, keys: PeerKeys)>,
    _ round: SyncRound,
    then body: @escaping () -> Void
  ) {
    guard let (role, keys) = joiners.first else { return body() }
    let peer = keys.identifier(ports.hash)
    let entry = state.circle.peers[peer]?.since
    let next: (HubReply) -> Void = { [weak self] reply in
      self?.admissions.note(reply, of: peer)
      self?.admit(joiners.dropFirst(), round, then: body)
    }
    shareKeys(with: keys, round, orRefused: next) { [weak self] in
      self?.admissions.ask(for: peer)
      round.ask(.admit(role, answer: [1], entry: entry), mayBeRefused: true, next)
    }
  }

  /// The keys of a member who asked this device with this letter.
  ///
  /// Whoever was told a code can post anybody's keys; the consent says whose letter it is.
  private func sponsored(_ letter: [UInt8]) -> PeerKeys? {
    guard let request = JoinRequest(letter),
      let member = state.circle.member(
        request.keys.identifier(ports.hash),
        at: state.circle.head.number
      ), member == request.keys
    else { return nil }
    let consent = Voucher.consent(
      to: state.circle.circle,
      invitation: request.invitation,
      joiner: member,
      sponsor: secrets.keys
    )
    let isTheirs = ports.signatures.isSignature(request.consent, of: consent, by: member.signing)
    return isTheirs ? member : nil
  }

  /// Ends the open invitation without letting anybody in.
  func decline() {
    endInvitation()
    wake()
  }

  /// Ends the open invitation, which the hub is still to be told.
  private func endInvitation() {
    guard let open = sponsoring else { return }
    sponsoring = nil
    endedInvitations.append(EndedInvitation(role: open.code.role, joiner: open.asked?.identifier))
  }

  /// Ends roles of invitations that are over, so that nobody waits for an answer.
  ///
  /// Who is in the circle's log all the same is to be let in.
  func revokeWhereDue(_ round: SyncRound, then body: @escaping () -> Void) {
    guard let ended = endedInvitations.first else { return body() }
    let next: (HubReply) -> Void = { [weak self] _ in
      self?.endedInvitations.removeFirst()
      self?.revokeWhereDue(round, then: body)
    }
    guard ended.joiner.map({ state.circle.peers[$0] == nil }) ?? true else { return next(.done) }
    round.ask(.revoke(ended.role), mayBeRefused: true, next)
  }

  // MARK: The device that joins

  /// Looks for the sponsor's answer, and asks once more as long as there is none.
  func lookForAnswer(_ request: JoinRequest, _ round: SyncRound) {
    round.ask(.answer) { [weak self] reply in
      guard let self else { return }
      guard case .letter(let letter) = reply else { return round.endUnexpectedly() }
      guard letter == nil else { return readCircle(CircleLog(), [], round) }
      round.ask(.ask(request.bytes)) { [weak self] _ in
        round.finish()
        self?.schedule(after: Self.answerInterval)
      }
    }
  }

  /// How often a device that joins looks for its sponsor's answer.
  private static let answerInterval = Duration.seconds(2)

  /// Reads the circle's log to its end, and keeps nothing of it yet.
  ///
  /// All who typed a code are one role at the hub, and all of them see the answer: the log says whom it is for.
  private func readCircle(_ known: CircleLog, _ entries: [CircleEntry], _ round: SyncRound) {
    round.ask(.circlePull(after: known.head.number)) { [weak self] reply in
      guard let self else { return }
      guard case .circle(let new) = reply else { return round.endUnexpectedly() }
      guard !new.isEmpty else { return answered(known, entries, round) }
      var circle = known
      do throws(CircleRefusal) {
        for entry in new { try circle.append(entry, ports) }
        guard circle.circle == state.membership.circle else { throw .otherCircle }
      } catch {
        trouble = .circle(.hubTampered(.circle))
        return round.end()
      }
      readCircle(circle, entries + new, round)
    }
  }

  /// The sponsor let a device in by the code: this one, if the circle's log has its keys.
  private func answered(_ circle: CircleLog, _ entries: [CircleEntry], _ round: SyncRound) {
    guard circle.peers[me] != nil else {
      // The role is that of the other device, and a password of this one's would lock it out.
      unlink()
      trouble = .codeWasUsed
      return round.end()
    }
    inTurn { this, change in
      // They were verified a moment ago.
      try? this.append(entries, to: &change)
      change.state.membership.stage = .member
      return true
    } then: { [weak self] result in
      guard let self, case .success = result else { return round.end() }
      // Only a member's connection hears what the others tell.
      unlink()
      guard state.circle.member(me, at: state.circle.head.number) != nil else {
        trouble = .removed
        return round.end()
      }
      round.meetHub()
    }
  }
}
