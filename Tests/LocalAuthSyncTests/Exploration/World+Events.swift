import LocalAuthCore
import LocalAuthKeychain

@testable import LocalAuthSync

extension World {
  /// Whether a device takes part: an honest hub lets no other in.
  func isMember(_ device: Int) -> Bool { !hub.shutOut.contains(device) }

  /// The devices that take part.
  var membersNow: [Int] { devices.indices.filter { isMember($0) } }

  /// Whether an event can happen, and may change something.
  func isPossible(_ event: Event) -> Bool {
    switch event {
    case .put(let device, let key):
      return isMember(device) && (devices[device].isUnlocked || Self.keyClass(key) != .whenUnlocked)
    case .delete(let device, let key):
      return isMember(device)
        && (devices[device].isUnlocked || Self.keyClass(key) != .whenUnlocked)
        && devices[device].replica.shown(Self.names[key]) != nil
    case .lock(let device): return isMember(device) && devices[device].isUnlocked
    case .unlock(let device): return isMember(device) && !devices[device].isUnlocked
    case .skewHour(let device), .skewDays(let device): return isMember(device)
    case .push(let device, let kill):
      guard isMember(device) else { return false }
      let hasBatch = devices[device].replica.outbox.batch != nil
      if kill == .beforeSending, hasBatch { return false }
      return hasBatch || plan(device, reseals: false) != nil
    case .reseal(let device):
      return isMember(device) && devices[device].replica.outbox.batch == nil
        && devices[device].replica.outbox.waiting.isEmpty && plan(device, reseals: true) != nil
    case .pull(let device):
      return isMember(device)
        && (devices[device].replica.chain.head != hub.head || hasCircleNews(device)
          || devices[device].replica.outbox.isBehind)
    case .pullCircle(let device): return isMember(device) && hasCircleNews(device)
    case .roll(let device):
      return isMember(device) && !hasCircleNews(device)
        && mayRoll(device) && devices[device].isUnlocked
    case .remove(let device, let author):
      return isMember(device) && isMember(author) && !hasCircleNews(author)
        && devices[author].replica.chain.head == hub.head
    case .away(let device), .stalled(let device):
      return isMember(device) && membersNow.count > 1
        && devices[device].replica.chain.head != hub.head
        && hub.bodies.values.contains { ModelBody.open($0).version.isTombstone }
    }
  }

  func hasCircleNews(_ device: Int) -> Bool {
    devices[device].circle.head.number < UInt64(hub.circle.count)
  }

  /// Lets an event happen.
  ///
  /// - Throws: what an honest hub must never make a device say.
  mutating func apply(_ event: Event) throws(HubAlarm) {
    switch event {
    case .put(let device, let key): put(device, key)
    case .delete(let device, let key): delete(device, key)
    case .lock(let device): devices[device].isUnlocked = false
    case .unlock(let device): try unlock(device)
    case .skewHour(let device): skew(device, Self.hour)
    case .skewDays(let device): skew(device, 2 * Self.day)
    case .push(let device, let kill): try push(device, kill, reseals: false)
    case .reseal(let device): try push(device, .never, reseals: true)
    case .pull(let device): try pull(device)
    case .pullCircle(let device): pullCircle(device)
    case .roll(let device): roll(device)
    case .remove(let device, let author): remove(device, by: author)
    case .away(let device): try letTimePass(without: device, isSilent: true)
    case .stalled(let device): try letTimePass(without: device, isSilent: false)
    }
  }

  // MARK: People

  private mutating func put(_ device: Int, _ key: Int) {
    let content = newContent(device)
    devices[device].replica.put(
      Self.names[key],
      Self.identifier,
      content: content,
      Self.keyClass(key),
      at: clock(of: device)
    )
    witness(device, key, content, isTombstone: false)
  }

  private mutating func delete(_ device: Int, _ key: Int) {
    let content = newContent(device)
    devices[device].replica.delete(Self.names[key], content: content, at: clock(of: device))
    witness(device, key, content, isTombstone: true)
  }

  private func newContent(_ device: Int) -> SyncDigest {
    ModelBody.content(device, devices[device].replica.changesMade + 1, order: order)
  }

  private mutating func witness(
    _ device: Int,
    _ key: Int,
    _ content: SyncDigest,
    isTombstone: Bool
  ) {
    let before = devices[device].known[Self.names[key]] ?? []
    changes.append(
      Change(
        author: device,
        key: key,
        content: content,
        isTombstone: isTombstone,
        before: before
      )
    )
    devices[device].known[Self.names[key]] = before.union([changes.count - 1])
  }

  private mutating func skew(_ device: Int, _ ahead: Int64) {
    devices[device].ahead = devices[device].ahead == ahead ? 0 : ahead
  }

  private mutating func unlock(_ device: Int) throws(HubAlarm) {
    devices[device].isUnlocked = true
    try openInbox(device)
  }

  private mutating func openInbox(_ device: Int) throws(HubAlarm) {
    let waited = devices[device].replica.inbox.waiting
    try devices[device].replica.openInbox(
      ModelKeys(access: devices[device].access),
      at: clock(of: device)
    )
    for name in waited.keys where devices[device].replica.inbox.waiting[name] == nil {
      learn(device, name)
    }
  }

  /// What a device opened it knows as well as whoever pushed it.
  private mutating func learn(_ device: Int, _ name: RecordName) {
    let body = devices[device].replica.chain.manifest.lines[name]?.body
    devices[device].known[name, default: []]
      .formUnion(body.flatMap { hub.knownOfBody[$0] } ?? [])
  }

  // MARK: The hub

  func mayRoll(_ device: Int) -> Bool {
    devices[device].replica.mayRoll(hubHead: hub.head, in: devices[device].circle)
  }

  func plan(_ device: Int, reseals: Bool, purging purges: [RecordName] = []) -> PushPlan? {
    devices[device].replica.plan(
      in: devices[device].circle,
      devices[device].access,
      purging: purges,
      reseals: reseals
    )
  }

  mutating func push(
    _ device: Int,
    _ kill: Event.Kill,
    reseals: Bool,
    purging purges: [RecordName] = []
  ) throws(HubAlarm) {
    if devices[device].replica.outbox.batch == nil {
      compose(device, reseals: reseals, purging: purges)
    }
    guard kill != .beforeSending, let batch = devices[device].replica.outbox.batch else { return }
    var known: [RecordName: Set<Int>] = [:]
    for name in batch.versions.keys { known[name] = sentKnowledge[BatchPlace(device, name)] }
    let answer = hub.push(batch, known)
    guard kill != .beforeAnswer else { return }
    try devices[device].replica.answered(answer, in: devices[device].circle, Self.ports)
  }

  mutating func compose(_ device: Int, reseals: Bool, purging purges: [RecordName] = []) {
    guard let plan = plan(device, reseals: reseals, purging: purges) else { return }
    var bodies: [RecordName: SyncDigest] = [:]
    for (name, version) in plan.versions {
      guard let place = Self.names.firstIndex(of: name) else { continue }
      bodies[name] = ModelBody.seal(place, version, plan.epoch)
      sentKnowledge[BatchPlace(device, name)] = devices[device].known[name]
    }
    batches += 1
    let batch = BatchIdentifier(high: UInt64(device), low: batches)
    let circle = devices[device].circle
    let composed = devices[device].replica.compose(
      plan,
      bodies,
      batch,
      in: circle,
      signedBy: Self.signers[device]
    )
    precondition(composed != nil, "what was planned can be composed")
  }

  mutating func pull(_ device: Int) throws(HubAlarm) {
    pullCircle(device)
    try take(hub.answer(behind: devices[device].replica.chain.head), device)
    try openInbox(device)
  }

  /// Lets a device take an answer, and the witness with it.
  mutating func take(_ answer: ZoneAnswer, _ device: Int) throws(HubAlarm) {
    let before = devices[device].replica
    try devices[device].replica.pull(
      answer,
      in: devices[device].circle,
      ModelKeys(access: devices[device].access),
      at: clock(of: device),
      Self.ports
    )
    witnessPull(answer, device, before)
  }

  private mutating func witnessPull(_ answer: ZoneAnswer, _ device: Int, _ before: ZoneReplica) {
    var purged: Set<RecordName> = []
    var touched: Set<RecordName> = []
    for entry in answer.entries {
      for change in entry.changes {
        touched.insert(change.name)
        if change.body == nil { purged.insert(change.name) }
      }
    }
    for name in purged {
      // Rule 6: who had not seen the tombstone gives up what it had.
      let mine = devices[device].known[name] ?? []
      let old = before.records[name]
      if old?.mirrored != nil,
        old?.mirrored?.isTombstone != true || before.inbox.waiting[name] != nil
      {
        for change in mine where !changes[change].isTombstone { forgiven.insert(change) }
      }
    }
    for name in touched
    where devices[device].replica.inbox.waiting[name] == nil && hub.bodies[name] != nil {
      learn(device, name)
    }
  }

  /// Brings the circle's log of a device to the hub's.
  mutating func pullCircle(_ device: Int) {
    for entry in hub.circle.dropFirst(Int(devices[device].circle.head.number)) {
      do throws(CircleRefusal) {
        try devices[device].circle.append(entry, Self.ports)
      } catch {
        preconditionFailure("an honest hub has only entries that count: \(error)")
      }
    }
    let circle = devices[device].circle
    for epoch in circle.epochs[.items] ?? []
    where circle.member(Self.peers[device], at: epoch.since) != nil {
      devices[device].epochs.insert(epoch.number)
    }
  }

  // MARK: The circle

  /// The answer is lost each time: who appended hears of it when it asks for the log again.
  private mutating func roll(_ device: Int) {
    let circle = devices[device].circle
    let epoch = circle.epoch(of: .items, at: circle.head.number) + 1
    hub.circle.append(Self.entry(.roll(.items, epoch: epoch, shares: .none), by: device, circle))
  }

  private mutating func remove(_ device: Int, by author: Int) {
    let cut = ZoneHead(.items, devices[author].replica.chain.head)
    let act = CircleAct.remove(Self.peers[device], cuts: [cut])
    hub.circle.append(Self.entry(act, by: author, devices[author].circle))
    hub.shutOut.insert(device)
  }

  // MARK: Time

  /// A hundred days, in which the others synchronize and drop what may be dropped.
  private mutating func letTimePass(without device: Int, isSilent: Bool) throws(HubAlarm) {
    let others = membersNow.filter { $0 != device }
    let wereUnlocked = devices.map(\.isUnlocked)
    try synchronize(others)
    elapsed += 100 * Self.day
    for other in others {
      devices[other].replica.horizon.hear(clock, from: .hub)
      for peer in others where peer != other {
        devices[other].replica.horizon.hear(clock, from: .peer(Self.peers[peer]))
      }
    }
    guard let purger = others.first else { return }
    var book = HeartbeatBook()
    for peer in membersNow {
      let isHeard = peer != device || !isSilent
      let time = isHeard ? clock.milliseconds : clock.milliseconds - 99 * Self.day
      try hear(peer, at: WallInstant(milliseconds: time), &book)
    }
    let due = devices[purger].replica.duePurges(book, in: devices[purger].circle)
    for name in due where !isSilent {
      let seen = devices[device].replica.records[name]?.mirrored
      if seen != hub.bodies[name].map({ ModelBody.open($0).version }) { hasPurgedUnseen = true }
    }
    if !due.isEmpty { try push(purger, .never, reseals: false, purging: due) }
    for other in others { try pull(other) }
    for other in others { devices[other].isUnlocked = wereUnlocked[other] }
  }

  private func hear(
    _ peer: Int,
    at time: WallInstant,
    _ book: inout HeartbeatBook
  ) throws(HubAlarm) {
    let replica = devices[peer].replica
    let circle = devices[peer].circle
    var heartbeat = Heartbeat(
      circle: circle.circle,
      author: Self.peers[peer],
      time: time,
      circleHead: circle.head,
      heads: [ZoneHead(.items, replica.chain.head)],
      acknowledged: [replica.acknowledged]
    )
    guard let signed = heartbeat?.signed else { return }
    heartbeat?.signature = Self.signers[peer].sign(signed) ?? []
    guard let heartbeat else { return }
    do throws(HeartbeatBook.Refusal) {
      try book.hear(heartbeat, in: circle, Self.ports)
    } catch {
      preconditionFailure("a member is heard: \(error)")
    }
  }

  /// Unlocks the devices and lets them exchange until nothing is left to say.
  ///
  /// - Returns: false if they do not end.
  @discardableResult
  mutating func synchronize(_ members: [Int]) throws(HubAlarm) -> Bool {
    for device in members {
      devices[device].isUnlocked = true
      try openInbox(device)
    }
    for _ in 0..<12 {
      var isQuiet = true
      for device in members {
        if isPossible(.pull(device)) {
          try pull(device)
          isQuiet = false
        }
        if isPossible(.push(device, .never)) {
          try push(device, .never, reseals: false)
          isQuiet = false
        } else if isPossible(.reseal(device)) {
          try push(device, .never, reseals: true)
          isQuiet = false
        }
      }
      if isQuiet { return true }
    }
    return false
  }
}
