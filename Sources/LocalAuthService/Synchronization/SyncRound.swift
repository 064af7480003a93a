import LocalAuthCore
import LocalAuthSync

/// One round of a device with its hub: asks what is new, takes it, sends what waits, and says how far the device is.
///
/// A round ends with the first reply that is a failure. What it did until then stays, and the next round goes on there.
/// Everything that changes is durable before the next request, so a killed round loses nothing either.
final class SyncRound {
  /// Whose round it is; it lets go of the round when that has ended.
  let synchronizer: Synchronizer
  /// Zones that were pulled to their end again because a push was refused.
  private(set) var refusals = 0
  private var hasEnded = false
  /// Whether something of a zone could not be kept or believed, which keeps nothing else from going.
  private var hasFailed = false
  /// Zones of which something came that could not be kept; what is sent of one would be refused.
  private(set) var unkept: Set<ZoneName> = []
  /// That the circle's share of bytes is used up, and the zones that gave up a batch because of it.
  private var fullShare: HubError?
  private var fullZones: Set<ZoneName> = []
  /// What is being done that a person asked for.
  private var pending: SyncErrand?
  /// The most times that a round pulls a zone again because somebody else was faster.
  private static let refusalsMax = 16

  init(_ synchronizer: Synchronizer) { self.synchronizer = synchronizer }

  func begin() {
    guard synchronizer.linked() != nil else {
      return end(.unreachable("the device was not unlocked since its start"))
    }
    switch synchronizer.state.membership.stage {
    case .founding(let entry): found(entry)
    case .joining(let joining): synchronizer.lookForAnswer(joining, self)
    case .member: meetHub()
    }
  }

  /// Asks the hub; `body` gets a reply that is no failure, as long as the round goes on.
  ///
  /// - Parameters:
  ///   - request: What to ask.
  ///   - mayBeRefused: Whether the round goes on without it, so that `body` gets the hub's refusal too.
  ///   - body: Gets the reply.
  func ask(
    _ request: HubRequest,
    mayBeRefused: Bool = false,
    _ body: @escaping (HubReply) -> Void
  ) {
    guard !hasEnded else { return }
    // The device was restarted meanwhile, and has no password before it is unlocked.
    guard let link = synchronizer.linked() else { return end() }
    link.ask(request) { [weak self] reply in
      guard let self, !hasEnded else { return }
      guard case .failed(let error) = reply else { return body(reply) }
      if mayBeRefused, case .refused = error { return body(reply) }
      end(error)
    }
  }

  /// Ends the round before it did everything: by a failure of the hub, or because something cannot be believed or kept.
  func end(_ failure: HubError? = nil) {
    guard !hasEnded else { return }
    hasEnded = true
    pending?.failed(failure)
    synchronizer.roundEnded(failure)
  }

  /// Ends the round, which did everything that the hub has room for, unless something could not be kept or believed.
  func finish() {
    guard !hasEnded else { return }
    guard !hasFailed, !synchronizer.isUnkept else { return end(fullShare) }
    hasEnded = true
    synchronizer.roundFinished(without: fullShare)
  }

  /// Ends it because its device is in no circle any more; nobody is told.
  func cancel() {
    hasEnded = true
    pending?.failed(nil)
    pending = nil
  }

  /// Ends it with a reply that does not fit its request.
  func endUnexpectedly() { end(.unexpected("the hub's program answered something else")) }

  /// Whether another try is due after a push was refused.
  func mayTryAgain() -> Bool {
    refusals += 1
    return refusals <= Self.refusalsMax
  }

  // MARK: Founding

  private func found(_ entry: CircleEntry) {
    // Asked first, so that it is known whether the entry can have reached the hub.
    ask(.heads) { [self] reply in
      guard case .heads = reply else { return endUnexpectedly() }
      synchronizer.mayBeFounded = true
      push(founding: entry)
    }
  }

  private func push(founding entry: CircleEntry) {
    ask(.circlePush(entry, removing: nil)) { [self] reply in
      guard case .pushed(.accepted(let place)) = reply,
        place == entry.place(synchronizer.ports.hash)
      else {
        return end(.refused(code: "23505", reason: "the hub has a circle for this role already"))
      }
      synchronizer.founded(entry) { [self] isDone in isDone ? meetHub() : endUnexpectedly() }
    }
  }

  // MARK: What is new

  /// Asks where everything ends, which is all there is to do in a round without news.
  func meetHub() {
    ask(.heads) { [self] reply in
      guard case .heads(let heads) = reply else { return endUnexpectedly() }
      synchronizer.heard(heads)
      // Nothing is sent to a hub whose log of the circle is not the one that was verified.
      guard !synchronizer.isCircleDoubted else { return pullCircle(heads) }
      synchronizer.renewPassword(self) { [self] in pullCircle(heads) }
    }
  }

  private func pullCircle(_ heads: HubHeads) {
    let verified = synchronizer.state.circle.head
    guard heads.circle != verified else { return believeCircle(heads) }
    guard heads.circle.number >= verified.number else {
      synchronizer.trouble = .circle(.hubRolledBack(verified: verified, offered: heads.circle))
      return end()
    }
    guard heads.circle.number > verified.number else {
      synchronizer.trouble = .circle(.hubForked(nil, at: verified.number))
      return end()
    }
    pullCircle { [self] in believeCircle(heads) }
  }

  /// Goes on with a log of the circle that was verified to its end.
  ///
  /// One that was another before, as while an older copy of the hub was there, leads through all that was verified again,
  /// and then nothing is left of the alarm: what was shown meanwhile was not taken.
  private func believeCircle(_ heads: HubHeads) {
    let verified = synchronizer.state.circle.head
    guard synchronizer.isCircleDoubted else {
      // What follows may be no entry, which nobody signed.
      guard heads.circle.number <= verified.number else {
        synchronizer.trouble = .circle(.hubTampered(.circle))
        return end()
      }
      return pullKeys(heads)
    }
    guard heads.circle == verified || heads.circle.number < verified.number else { return end() }
    synchronizer.trouble = nil
    meetHub()
  }

  /// Pulls the circle's log to its end, which may be another by now than the hub said before.
  func pullCircle(then body: @escaping () -> Void) {
    ask(.circlePull(after: synchronizer.state.circle.head.number)) { [self] reply in
      guard case .circle(let entries) = reply else { return endUnexpectedly() }
      guard !entries.isEmpty else { return body() }
      synchronizer.takeCircle(entries) { [self] isDone in
        isDone ? pullCircle(then: body) : end()
      }
    }
  }

  /// What a round does once it knows the circle: takes what is new, does what it owes, and sends what waits.
  private func pullKeys(_ heads: HubHeads) {
    inOrder([
      { [self] in synchronizer.pullKeys(self, then: $0) },
      // Before others say how far the zone goes.
      { [self] in synchronizer.sendOwedTables(then: $0) },
      { [self] in synchronizer.pullHeartbeatsIfDue(self, then: $0) },
      { [self] in synchronizer.sendValues(then: $0) },
      { [self] in pullZones(zones[...], heads, then: $0) },
      { [self] in synchronizer.admitWhereDue(self, then: $0) },
      { [self] in synchronizer.lookForRequest(self, then: $0) },
      { [self] in synchronizer.revokeWhereDue(self, then: $0) },
      { [self] in runErrands(then: $0) },
      { [self] in endUnlessKept(then: $0) },
      { [self] in synchronizer.rollWhereDue(self, heads, then: $0) },
      { [self] in synchronizer.beginValues(self, then: $0) },
      { [self] in synchronizer.sendTables(then: $0) },
      { [self] in synchronizer.sendDocuments(then: $0) },
      { [self] _ in pushZones(zones[...]) },
    ])
  }

  /// Takes steps one after another, as long as each goes on.
  private func inOrder(_ steps: ArraySlice<(@escaping () -> Void) -> Void>) {
    guard let step = steps.first else { return }
    step { [self] in inOrder(steps.dropFirst()) }
  }

  /// The zones, that of documents last, because it takes longest.
  private var zones: [ZoneName] {
    let zones = synchronizer.state.zones.replicas.keys.sorted()
    return zones.filter { $0 != .documents } + zones.filter { $0 == .documents }
  }

  private func pullZones(
    _ zones: ArraySlice<ZoneName>,
    _ heads: HubHeads,
    then body: @escaping () -> Void
  ) {
    guard let zone = zones.first else { return body() }
    let head = heads.zones.first { $0.zone == zone }?.place ?? .beginning
    let next: () -> Void = { [self] in pullZones(zones.dropFirst(), heads, then: body) }
    guard let replica = synchronizer.state.zones[zone],
      head != replica.chain.head || !replica.inbox.hasAllBodies
    else { return next() }
    replica.chain.mayBegin && synchronizer.isLong(head) && isPullable(replica)
      ? begin(zone, then: next) : pull(zone, then: next)
  }

  /// Does what people asked for, one after another.
  private func runErrands(then body: @escaping () -> Void) {
    guard !synchronizer.errands.isEmpty else { return body() }
    let errand = synchronizer.errands.removeFirst()
    guard !errand.needsWholeZones || isKept else {
      errand.failed(nil)
      return runErrands(then: body)
    }
    pending = errand
    errand.perform(self) { [self] in
      pending = nil
      runErrands(then: body)
    }
  }

  /// Whether everything was kept that came, but for documents, which keep nothing else from going.
  private var isKept: Bool { unkept.isSubset(of: [.documents]) }

  /// Ends a round that could not keep everything.
  private func endUnlessKept(then body: @escaping () -> Void) {
    // Stores that cannot be kept, as one that is too long, keep nothing else from going.
    guard !unkept.isSubset(of: [.documents, .keyValues]) else { return body() }
    tellNews { [self] in end() }
  }

  /// Sends what waits, and tells the others; documents afterwards, because they take longest and may find no room.
  private func pushZones(_ zones: ArraySlice<ZoneName>) {
    guard let zone = zones.first else { return tell { [self] in finish() } }
    guard zone == .documents else {
      return push(zone) { [self] in
        leaveCheckpoint(of: zone) { [self] in pushZones(zones.dropFirst()) }
      }
    }
    tell { [self] in
      let head = synchronizer.state.zones[zone]?.chain.head
      push(zone) { [self] in
        // What a version waits for may be there now.
        let isNew = synchronizer.state.zones[zone]?.chain.head != head
        synchronizer.hasMoreDocuments = isNew && synchronizer.unsentDocuments?.isEmpty == false
        leaveCheckpoint(of: zone) { [self] in tellNews { [self] in finish() } }
      }
    }
  }

  /// Pulls a zone to its end.
  func pull(_ zone: ZoneName, then body: @escaping () -> Void) {
    guard let replica = synchronizer.state.zones[zone], isPullable(replica),
      !unkept.contains(zone)
    else { return body() }
    guard !replica.awaitsRecords else {
      return pullRecords(zone) { [self] in pull(zone, then: body) }
    }
    let head = replica.chain.head
    ask(.zonePull(zone, after: head.number, limit: Self.entriesAtOnce)) { [self] reply in
      guard case .zone(let page) = reply else { return endUnexpectedly() }
      catchUp(with: page) { [self] in
        synchronizer.take(page, of: zone, after: head) { [self] isDone in
          guard isDone else { return failed(zone, then: body) }
          synchronizer.ends[zone] = OfferedEnd(behind: page)
          page.isLast ? body() : pull(zone, then: body)
        }
      }
    }
  }

  private func isPullable(_ replica: ZoneReplica) -> Bool {
    replica.alarm == nil && (replica.chain.zone != .keyValues || !synchronizer.hasDamagedStore)
  }

  /// Goes on without a zone of which something cannot be believed or kept.
  ///
  /// What a person asked for is done all the same, or a member would stay by filling the items that this device may have.
  func failed(_ zone: ZoneName, then body: @escaping () -> Void) {
    hasFailed = true
    if synchronizer.state.zones[zone]?.alarm == nil { unkept.insert(zone) }
    body()
  }

  /// Pulls the circle and its keys once more if somebody wrote an entry of this page who knew more of it: it was read
  /// before the page was.
  func catchUp(with page: ZonePage, then body: @escaping () -> Void) {
    let known = synchronizer.state.circle.head.number
    guard page.entries.contains(where: { $0.circleHead.number > known }) else { return body() }
    catchUp(then: body)
  }

  /// Pulls the circle and its keys once more.
  func catchUp(then body: @escaping () -> Void) {
    pullCircle { [self] in synchronizer.pullKeys(self, then: body) }
  }

  /// The most entries of a page.
  static let entriesAtOnce: UInt16 = 256

  // MARK: What waits

  /// Sends all that can be sent of a zone; what is changed meanwhile goes with what follows it.
  func push(_ zone: ZoneName, then body: @escaping () -> Void) {
    guard !unkept.contains(zone) else { return body() }
    synchronizer.nextBatch(of: zone, takingRoom: fullShare == nil) { [self] sending in
      guard let sending else { return body() }
      synchronizer.owesNews = true
      ask(.zonePush(sending.batch.entry, sending.bodies), mayBeRefused: true) { [self] reply in
        switch reply {
        case .pushed(let answer): pushed(answer, zone, isAll: sending.isAll, then: body)
        case .failed(let error): pushFailed(error, zone, then: body)
        default: endUnexpectedly()
        }
      }
    }
  }

  private func pushed(
    _ answer: PushAnswer,
    _ zone: ZoneName,
    isAll: Bool,
    then body: @escaping () -> Void
  ) {
    synchronizer.take(answer, of: zone) { [self] isDone in
      guard isDone else { return end() }
      switch answer {
      case .accepted: isAll ? body() : push(zone, then: body)
      case .refused:
        guard mayTryAgain() else { return end() }
        pull(zone) { [self] in push(zone, then: body) }
      }
    }
  }

  /// A circle that has used up its share can still delete: what takes room waits, and does not keep what makes some.
  ///
  /// The hub took nothing of the batch, or would have said so, even if it had come before.
  private func pushFailed(
    _ error: HubError,
    _ zone: ZoneName,
    then body: @escaping () -> Void
  ) {
    guard error.isFullShare, fullZones.insert(zone).inserted else { return end(error) }
    fullShare = error
    pushed(.refused, zone, isAll: false, then: body)
  }

  private func tell(then body: @escaping () -> Void) {
    synchronizer.sendHeartbeat(self) { [self] in tellNews(then: body) }
  }

  private func tellNews(then body: @escaping () -> Void) {
    guard synchronizer.owesNews else { return body() }
    ask(.tell) { [self] _ in
      synchronizer.owesNews = false
      body()
    }
  }
}
