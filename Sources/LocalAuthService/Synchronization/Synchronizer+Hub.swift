import LocalAuthCore
import LocalAuthKeychain
import LocalAuthSecret
import LocalAuthSync

/// What the hub says besides zones: the circle, keys, and what the other devices say of themselves.
extension Synchronizer {
  /// The conversation with the hub, begun if there is none; nil before the first unlock.
  func linked() -> (any HubLink)? {
    if let link { return link }
    let membership = state.membership
    let sealed = usesNextPassword ? membership.nextPassword : membership.sealedPassword
    guard let sealed, let password = vault.openPassword(sealed) else { return nil }
    link = engine.hubs.link(
      for: device.identity.owner,
      to: membership.address,
      password: SecretBox(password)
    ) { [weak self] in self?.heard($0) }
    return link
  }

  /// Hears what the program that is connected to the hub says by itself.
  ///
  /// A device that has nothing to do has a round each quarter of an hour; who asks how it stands is told what was seen since.
  private func heard(_ notice: HubNotice) {
    switch notice {
    case .news: wake()
    case .looked(let heads): heard(heads)
    // A round has its own answer.
    case .failed(let error):
      guard round == nil else { return }
      failure = error
      tellDoubts()
    }
  }

  /// Ends the conversation, so that the next request begins another.
  func unlink() {
    link?.close()
    link = nil
  }

  /// Sees to it that nobody else knows the role's password: it followed from a code, which its sponsor saw.
  ///
  /// The new one is durable before the hub hears of it. Whoever is killed in between tries both.
  func renewPassword(_ round: SyncRound, then body: @escaping () -> Void) {
    if usesNextPassword { return adoptPassword(round) }
    guard state.membership.isPasswordShared else { return body() }
    // One that the hub may have been told stays: what it was asked first it may do last.
    if let kept = state.membership.nextPassword, let password = vault.openPassword(kept) {
      return renewPassword(vault.verifier(of: password), round)
    }
    guard let password = vault.makePassword().take(), let sealed = vault.seal(password: password)
    else { return body() }
    let verifier = vault.verifier(of: password)
    inTurn { _, change in
      change.state.membership.nextPassword = sealed
      return true
    } then: { [weak self] result in
      guard case .success = result else { return round.end() }
      self?.renewPassword(verifier, round)
    }
  }

  private func renewPassword(_ verifier: String, _ round: SyncRound) {
    round.ask(.setVerifier(verifier)) { [weak self] _ in self?.adoptPassword(round) }
  }

  /// The hub knows the new password: another conversation begins with it, and the round anew, because what was told
  /// in between nobody heard.
  private func adoptPassword(_ round: SyncRound) {
    inTurn { _, change in
      guard let next = change.state.membership.nextPassword else { return false }
      change.state.membership.sealedPassword = next
      change.state.membership.nextPassword = nil
      change.state.membership.isPasswordShared = false
      return true
    } then: { [weak self] result in
      // The hub knows the new one, so that one stays in use.
      guard case .success = result else { return round.end() }
      self?.usesNextPassword = false
      self?.unlink()
      round.meetHub()
    }
  }

  /// Notes that the hub answered, what time it says, and where it says that zones end.
  func heard(_ heads: HubHeads) {
    lastHeard = now.wall
    hubTime = heads.time
    heard(heads.zones)
  }

  // MARK: The circle

  /// Takes entries of the circle's log; `body` gets false if one does not count, which only a hub that lies shows.
  func takeCircle(_ entries: [CircleEntry], then body: @escaping (Bool) -> Void) {
    var isBelieved = true
    inTurn { this, change in
      do throws(CircleRefusal) {
        try this.append(entries, to: &change)
      } catch {
        this.trouble = .circle(.hubTampered(.circle))
        isBelieved = false
      }
      return isBelieved
    } then: { [weak self] result in
      guard let self, case .success = result, isBelieved else { return body(false) }
      if state.circle.member(me, at: state.circle.head.number) == nil { trouble = .removed }
      body(!hasStopped)
    }
  }

  /// Appends entries to the circle's log, and begins the zones that they name.
  func append(_ entries: [CircleEntry], to change: inout Change) throws(CircleRefusal) {
    // A sponsor said by its code which circle it is; the hub could found another with keys of its own.
    let wanted = change.state.membership.circle
    for entry in entries {
      try change.state.circle.append(entry, ports)
      guard wanted == .none || wanted == change.state.circle.circle else { throw .otherCircle }
      if case .remove(let peer, let cuts) = entry.act {
        noteSeen(by: peer, until: cuts, in: &change)
        // Nobody begins at a checkpoint that it left.
        checkpoints = [:]
        change.state.forget(peer)
      }
      if case .roll(let zone, _, _) = entry.act { change.state.zones[zone]?.hearOfKeys() }
      noteRoll(entry, in: &change)
    }
    change.entries += entries
    for zone in change.state.circle.epochs.keys where change.state.zones[zone] == nil {
      change.state.zones[zone] = ZoneReplica(
        zone,
        circle: change.state.circle.circle,
        of: me,
        horizon: TimeHorizon(hubTime ?? now.wall)
      )
    }
  }

  // MARK: Keys

  /// Fetches the keys of epochs that the device lacks.
  func pullKeys(_ round: SyncRound, then body: @escaping () -> Void) {
    let missing = missingEpochs
    guard !missing.isEmpty else { return body() }
    round.ask(.shares(me)) { [weak self] reply in
      guard let self else { return }
      guard case .shares(let shares) = reply else { return round.endUnexpectedly() }
      take(shares, missing) { [weak self] in
        self?.pullOlderKeys(round, missing.keys.sorted()[...], then: body)
      }
    }
  }

  /// The epochs in force or with records, whose keys the device has not as far as its lock lets it have them.
  private var missingEpochs: [ZoneName: Set<UInt32>] {
    var missing: [ZoneName: Set<UInt32>] = [:]
    for (zone, epochs) in state.circle.epochs {
      let has =
        vault.isUnlocked
        ? keys.wholeEpochs(of: zone) : keys.access(to: zone, isUnlocked: false).epochs
      let oldest = state.zones[zone]?.chain.manifest.oldestEpoch ?? 1
      let lacks = Set(epochs.map(\.number).filter { $0 >= oldest }).subtracting(has)
      if !lacks.isEmpty { missing[zone] = lacks }
    }
    return missing
  }

  /// Whether the device has not the keys that are in force in a zone, as far as its lock would let it have them.
  func lacksKeys(of zone: ZoneName) -> Bool {
    guard vault.isOpen, let newest = state.circle.epochs[zone]?.last?.number else { return false }
    return missingEpochs[zone]?.contains(newest) == true
  }

  /// Keeps the keys of shares that verify; others are as if the hub had not sent them.
  private func take(
    _ shares: [KeyShare],
    _ missing: [ZoneName: Set<UInt32>],
    then body: @escaping () -> Void
  ) {
    var opened: [(ZoneName, any ZoneKeys)] = []
    for share in shares where missing[share.zone]?.contains(share.epoch) == true {
      do throws(KeyShare.Refusal) {
        try share.verify(for: me, share.zone, epoch: share.epoch, in: state.circle, ports)
      } catch { continue }
      if let keys = secrets.open(share) { opened.append((share.zone, keys)) }
    }
    keep(opened, then: body)
  }

  private func pullOlderKeys(
    _ round: SyncRound,
    _ zones: ArraySlice<ZoneName>,
    then body: @escaping () -> Void
  ) {
    guard let zone = zones.first else { return body() }
    let next: () -> Void = { [weak self] in
      self?.pullOlderKeys(round, zones.dropFirst(), then: body)
    }
    guard vault.isUnlocked, missingEpochs[zone] != nil, let newest = keys.newest(of: zone) else {
      return next()
    }
    round.ask(.olderKeys(zone, under: newest.epoch)) { [weak self] reply in
      guard let self else { return }
      guard case .olderKeys(let wrapped) = reply else { return round.endUnexpectedly() }
      let circle = state.circle.circle
      let opened = wrapped.filter { $0.zone == zone }.compactMap { older in
        newest.unwrap(older.wrapped, epoch: older.epoch, circle: circle, zone).map { (zone, $0) }
      }
      keep(opened, then: next)
    }
  }

  /// Adds the keys of an epoch, as far as the lock lets the device have them.
  func add(_ keys: any ZoneKeys, of zone: ZoneName, to change: inout Change) {
    guard var sealed = vault.seal(keys, of: zone) else { return }
    if !vault.isUnlocked { sealed.whole = nil }
    guard let kept = vault.open(sealed, epoch: keys.epoch, of: zone) else { return }
    change.keys.append((zone, kept, sealed))
  }

  /// Makes new keys durable, and opens what waited for them.
  private func keep(_ opened: [(ZoneName, any ZoneKeys)], then body: @escaping () -> Void) {
    guard !opened.isEmpty else { return body() }
    inTurn { this, change in
      for (zone, keys) in opened { this.add(keys, of: zone, to: &change) }
      return !change.keys.isEmpty
    } then: { [weak self] _ in
      self?.reconcile { self?.openWaiting(then: body) }
    }
  }

  // MARK: Heartbeats

  /// Hears what the other devices say of themselves, when that is due.
  func pullHeartbeatsIfDue(_ round: SyncRound, then body: @escaping () -> Void) {
    let now = now.boot
    if let asked = lastBeats.asked, now - asked <= Self.beatsInterval, everyDeviceWasHeard {
      return body()
    }
    lastBeats.asked = now
    pullHeartbeats(round, then: body)
  }

  private var everyDeviceWasHeard: Bool {
    state.circle.peers.allSatisfy { identifier, member in
      member.until != nil || member.keys.kind != .device || state.book.last[identifier] != nil
    }
  }

  /// How old what the others say of themselves may be in a round that has something to do anyway, once each was heard.
  private static let beatsInterval = Duration.seconds(30)

  /// Hears what the other devices say of themselves, as long as the hub says that there is more and it is.
  func pullHeartbeats(
    _ round: SyncRound,
    after role: HubRole? = nil,
    atMost count: Int = CircleLog.peersMax,
    then body: @escaping () -> Void
  ) {
    round.ask(.heartbeats(after: role)) { [weak self] reply in
      guard let self else { return }
      guard case .heartbeats(let beats, let isLast) = reply else {
        return round.endUnexpectedly()
      }
      // They come in the order of their roles, and a hub has no more of them than a circle has devices.
      let isMore = beats.first.map { first in role.map { $0 < first.role } ?? true } ?? false
      hear(beats) { [weak self] in
        guard let self, !isLast, isMore, let last = beats.last?.role, beats.count < count else {
          return body()
        }
        pullHeartbeats(round, after: last, atMost: count - beats.count, then: body)
      }
    }
  }

  private func hear(_ beats: [HubHeartbeat], then body: @escaping () -> Void) {
    inTurn { this, change in
      if let hubTime = this.hubTime { change.state.hear(hubTime, from: .hub) }
      for beat in beats { this.hear(beat, in: &change) }
      return true
    } then: { _ in
      body()
    }
  }

  private func hear(_ beat: HubHeartbeat, in change: inout Change) {
    var isNew = true
    do throws(HeartbeatBook.Refusal) {
      try change.state.book.hear(beat.heartbeat, in: state.circle, ports)
    } catch {
      // One that came before says nothing new.
      guard error == .replayed else { return }
      isNew = false
    }
    change.state.hear(beat.heartbeat.time, from: .peer(beat.heartbeat.author))
    let (heads, author) = (beat.heartbeat.heads, beat.heartbeat.author)
    // Where this device was it knows itself, and an older word was taken back by the last one.
    guard author != me, change.state.book.last[author] == beat.heartbeat else { return }
    // Anybody can bring what another one signed, so a role that is known stays.
    if isNew || roles[author] == nil { roles[author] = beat.role }
    // A fork stays as the alarm of its zone.
    if isNew {
      try? change.state.zones.hear(latest: heads, of: author)
    } else {
      try? change.state.zones.hear(heads, from: author)
    }
  }

  /// Whether this device was silent for a quarter of an hour, or is no longer where it said.
  ///
  /// Who was away while a history was lost would take a word of that for a fork.
  private var isHeartbeatDue: Bool {
    guard let last = state.book.last[me] else { return true }
    let isBack = last.heads.contains { head in
      let chain = state.zones[head.zone]?.chain
      return head.place.number > chain?.head.number ?? 0 || chain?.hasLetGo(head.place) ?? false
    }
    return isBack || silence(since: last.time) >= .milliseconds(Heartbeat.interval)
  }

  /// How long this device said nothing of itself that said so last at `time`.
  ///
  /// A clock that was ahead then and is not any more says nothing of that.
  private func silence(since time: WallInstant) -> Duration {
    guard time > now.wall else { return .milliseconds(now.wall.milliseconds - time.milliseconds) }
    return lastBeats.sent.map { now.boot - $0 } ?? .milliseconds(Heartbeat.interval)
  }

  /// The time of the next heartbeat: others take none that is not later than the one before.
  private var beatTime: WallInstant {
    let last = state.book.last[me]?.time.milliseconds ?? 0
    return max(now.wall, WallInstant(milliseconds: min(last, .max - 1) + 1))
  }

  /// Says how far this device is, every quarter of an hour.
  func sendHeartbeat(_ round: SyncRound, then body: @escaping () -> Void) {
    guard isHeartbeatDue else { return body() }
    let heads = state.zones.heads
    let beat = Heartbeat(
      circle: state.circle.circle,
      author: me,
      time: beatTime,
      circleHead: state.circle.head,
      heads: heads,
      acknowledged: heads.map { state.zones[$0.zone]?.acknowledged ?? 0 }
    )
    guard var beat, let signature = secrets.signer.sign(beat.signed) else { return body() }
    beat.signature = signature
    let signed = beat
    lastBeats.sent = now.boot
    round.ask(.putHeartbeat(signed)) { [weak self] _ in
      self?.inTurn { this, change in
        try? change.state.book.hear(signed, in: this.state.circle, this.ports)
        this.tidy(&change)
        return true
      } then: { _ in
        body()
      }
    }
  }
}
