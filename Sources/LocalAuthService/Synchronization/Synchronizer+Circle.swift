import LocalAuthCore
import LocalAuthKeychain
import LocalAuthSecret
import LocalAuthSync

/// A step that a person asked for, which a round does once it has taken what is new.
struct SyncErrand {
  /// Whether it waits for a round that could keep what came, because it is worth nothing if this device cannot keep it.
  var needsWholeZones = false
  /// Does it; the closure that it gets is called when the round may go on.
  let perform: (SyncRound, @escaping () -> Void) -> Void
  /// Says that the round ended before.
  let failed: (HubError?) -> Void
}

/// What changes the circle: founding, letting in, and new keys.
extension Synchronizer {
  /// Has a step done in the next round.
  func run(_ errand: SyncErrand) {
    errands.append(errand)
    wakeForWaiting()
  }

  /// Tells everybody who waits that the round ended before.
  func failErrands(_ failure: HubError?) {
    let waiting = errands
    errands = []
    for errand in waiting { errand.failed(failure) }
  }

  /// Signs an entry for the circle's log as it is.
  func entry(_ act: CircleAct) -> CircleEntry? {
    CircleEntry(
      circle: state.circle.circle,
      previous: state.circle.head,
      author: me,
      act: act
    ).signed(by: secrets.signer)
  }

  /// Appends an entry to the circle's log at the hub, and here once it is there.
  ///
  /// - Parameters:
  ///   - round: The round.
  ///   - act: What the entry does.
  ///   - removal: Who is removed.
  ///   - body: Gets whether it was taken; false if somebody was faster.
  func push(
    _ round: SyncRound,
    _ act: CircleAct,
    removing removal: HubRemoval? = nil,
    then body: @escaping (Bool) -> Void
  ) {
    guard let entry = entry(act), counts(entry) else { return body(false) }
    owesNews = true
    round.ask(.circlePush(entry, removing: removal)) { [weak self] reply in
      guard let self else { return }
      guard case .pushed(let answer) = reply else { return round.endUnexpectedly() }
      guard case .accepted(let place) = answer else { return body(false) }
      guard place == entry.place(ports.hash) else { return round.endUnexpectedly() }
      takeCircle([entry], then: body)
    }
  }

  /// Whether everybody takes an entry: the hub takes any, and one that does not count would end the log for all.
  private func counts(_ entry: CircleEntry) -> Bool {
    var circle = state.circle
    do throws(CircleRefusal) { try circle.append(entry, ports) } catch { return false }
    return true
  }

  /// Why an entry of this device was not taken.
  var whyNotTaken: SyncFailure { state.circle.isFull ? .circleFull : .circleChanged }

  // MARK: Founding

  /// The hub has the entry that founds the circle.
  func founded(_ entry: CircleEntry, then body: @escaping (Bool) -> Void) {
    inTurn { this, change in
      do throws(CircleRefusal) {
        try this.append([entry], to: &change)
      } catch { return false }
      change.state.membership.stage = .member
      change.state.membership.circle = change.state.circle.circle
      return true
    } then: { [weak self] result in
      guard case .success = result else { return body(false) }
      body(self?.state.membership.stage == .member)
    }
  }

  // MARK: Keys

  /// Begins an epoch of each zone whose keys are to be renewed.
  func rollWhereDue(_ round: SyncRound, _ heads: HubHeads, then body: @escaping () -> Void) {
    let due = zonesInUse.filter { state.zones[$0]?.isRollDue(in: state.circle) ?? true }
    // Where somebody was faster the next round takes that.
    roll(due[...], round, heads) { _ in body() }
  }

  /// Begins an epoch of each zone in the next round, because a person wants new keys.
  func rollAll(then body: @escaping (Result<Void, SyncFailure>) -> Void) {
    run(
      SyncErrand { [weak self] round, done in
        round.ask(.heads) { [weak self] reply in
          guard let self else { return }
          guard case .heads(let heads) = reply else { return round.endUnexpectedly() }
          roll(zonesInUse[...], round, heads) { failure in
            body(failure.map { .failure($0) } ?? .success(()))
            done()
          }
        }
      } failed: {
        body(.failure(SyncFailure($0)))
      }
    )
  }

  /// Begins an epoch of each of these zones; `body` gets why one has none, and nil if all have.
  ///
  /// A device whose mirror is not complete begins none: whatever it lacks nobody could open any more. A zone whose keys cannot
  /// be renewed keeps no other one from it.
  private func roll(
    _ zones: ArraySlice<ZoneName>,
    _ round: SyncRound,
    _ heads: HubHeads,
    then body: @escaping (SyncFailure?) -> Void
  ) {
    guard let zone = zones.first else { return body(nil) }
    let next: (SyncFailure?) -> Void = { [weak self] failure in
      self?.roll(zones.dropFirst(), round, heads) { body($0 ?? failure) }
    }
    let head = heads.zones.first { $0.zone == zone }?.place ?? .beginning
    guard vault.isUnlocked, state.zones[zone]?.mayRoll(hubHead: head, in: state.circle) ?? true
    else { return next(.incomplete) }
    roll(zone, round) { isRolled in next(isRolled ? nil : .circleChanged) }
  }

  /// The zones that this device has, and those that it needs.
  private var zonesInUse: [ZoneName] {
    var zones = Set(state.zones.replicas.keys).union([.items])
    if usesValues { zones.insert(.keyValues) }
    if usesDocuments { zones.insert(.documents) }
    if usesTables { zones.insert(.tables) }
    return zones.sorted()
  }

  /// Whether who began the newest epoch was removed: its keys may have been given to nobody.
  private func isLost(_ zone: ZoneName) -> Bool {
    guard let author = state.circle.epochs[zone]?.last?.author else { return false }
    return state.circle.peers[author]?.until != nil
  }

  private func newKeys(after epoch: UInt32) -> (any ZoneKeys)? {
    let first = vault.makeZoneKeys()
    return epoch == 0 ? first : first.next(after: epoch)
  }

  private func roll(_ zone: ZoneName, _ round: SyncRound, then body: @escaping (Bool) -> Void) {
    let current = keys.newest(of: zone)
    let epoch = state.circle.epoch(of: zone, at: state.circle.head.number)
    guard current?.epoch ?? 0 == epoch || isLost(zone) else { return body(false) }
    if let plan = state.plannedKeys[zone], plan.epoch == epoch + 1,
      plan.circleHead == state.circle.head
    {
      guard let new = vault.open(plan.keys, epoch: plan.epoch, of: zone) else { return body(false) }
      return begin(zone, new, round, then: body)
    }
    guard let new = current.map({ $0.next(after: epoch) }) ?? newKeys(after: epoch),
      let sealed = vault.seal(new, of: zone)
    else { return body(false) }
    inTurn { this, change in
      let plan = PlannedEpoch(epoch: new.epoch, at: this.state.circle.head, sealed)
      change.state.plannedKeys[zone] = plan
      return true
    } then: { [weak self] result in
      guard case .success = result else { return body(false) }
      self?.begin(zone, new, round, then: body)
    }
  }

  /// Begins an epoch with keys that are kept.
  private func begin(
    _ zone: ZoneName,
    _ new: any ZoneKeys,
    _ round: SyncRound,
    then body: @escaping (Bool) -> Void
  ) {
    guard let shares = shares(of: new, zone) else { return body(false) }
    let older = olderKeys(of: zone, under: new)
    let head = state.circle.head.number
    round.ask(.putShares(shares)) { [weak self] _ in
      round.ask(.putOlderKeys(older, at: head)) { [weak self] _ in
        guard let self else { return }
        let digest = KeyShare.digest(shares, ports.hash)
        push(round, .roll(zone, epoch: new.epoch, shares: digest)) { [weak self] isTaken in
          guard isTaken else { return body(false) }
          self?.reconcile { body(true) }
        }
      }
    }
  }

  /// An epoch began: if this device began it as it had planned, it has its keys by the same commit.
  func noteRoll(_ entry: CircleEntry, in change: inout Change) {
    guard case .roll(let zone, let epoch, _) = entry.act,
      let plan = change.state.plannedKeys[zone], plan.epoch <= epoch
    else { return }
    change.state.plannedKeys[zone] = nil
    guard entry.author == me, plan.epoch == epoch, plan.circleHead == entry.previous,
      let keys = vault.open(plan.keys, epoch: epoch, of: zone)
    else { return }
    change.keys.append((zone, keys, plan.keys))
  }

  /// One share for each peer; nil if one cannot be made.
  private func shares(of keys: any ZoneKeys, _ zone: ZoneName) -> [KeyShare]? {
    var shares: [KeyShare] = []
    for (peer, member) in state.circle.peers where member.until == nil {
      guard let share = secrets.share(keys, to: peer, member.keys, zone, in: state.circle) else {
        return nil
      }
      shares.append(share)
    }
    return shares
  }

  private func olderKeys(of zone: ZoneName, under new: any ZoneKeys) -> [OlderKeys] {
    let circle = state.circle.circle
    let wanted = state.zones[zone]?.epochsInUse(in: state.circle) ?? []
    return wanted.prefix(HubRequest.sharesMax).compactMap { epoch in
      guard let older = keys[zone, epoch],
        let wrapped = new.wrap(older, circle: circle, zone)
      else { return nil }
      return OlderKeys(zone, epoch: epoch, under: new.epoch, wrapped: wrapped)
    }
  }

  // MARK: Letting in

  /// Shares the keys of all zones with a peer that joins.
  ///
  /// - Parameters:
  ///   - peer: The peer.
  ///   - round: The round.
  ///   - refused: Gets the hub's refusal instead, if the round goes on without the peer; nil if it does not.
  ///   - body: Called when the hub has all shares.
  func shareKeys(
    with peer: PeerKeys,
    _ round: SyncRound,
    orRefused refused: ((HubReply) -> Void)? = nil,
    then body: @escaping () -> Void
  ) {
    shareKeys(with: peer, zonesInUse[...], round, refused, then: body)
  }

  private func shareKeys(
    with peer: PeerKeys,
    _ zones: ArraySlice<ZoneName>,
    _ round: SyncRound,
    _ refused: ((HubReply) -> Void)?,
    then body: @escaping () -> Void
  ) {
    guard let zone = zones.first else { return body() }
    let next: () -> Void = { [weak self] in
      self?.shareKeys(with: peer, zones.dropFirst(), round, refused, then: body)
    }
    let receiver = peer.identifier(ports.hash)
    guard let newest = keys.newest(of: zone),
      let share = secrets.share(newest, to: receiver, peer, zone, in: state.circle)
    else { return next() }
    round.ask(.putShares([share]), mayBeRefused: refused != nil) { reply in
      guard case .failed = reply else { return next() }
      refused?(reply)
    }
  }
}
