import LocalAuthCore

@testable import LocalAuthSync

/// What a hub that lies can answer: it has everything that was ever signed, and signs nothing itself.
extension World {
  /// Tries each lie on each member; returns how many there were.
  func checkLies(_ premises: inout Premises) throws(Fault) -> Int {
    var count = 0
    for device in membersNow {
      for (name, lie) in lies(to: device) {
        count += 1
        try expectRefusal(of: lie, name, device)
      }
      count += try checkWithheldCircle(device)
      count += try checkForks(device)
      count += try checkFalseAnswers(device)
    }
    for device in devices.indices where !isMember(device) {
      count += try checkRemoved(device, &premises)
    }
    premises.add(.liesChangeNothing, count)
    return count
  }

  // MARK: Answers

  private func lies(to device: Int) -> [(String, ZoneAnswer)] {
    let head = devices[device].replica.chain.head
    let honest = hub.answer(behind: head)
    var lies = orderLies(honest, head) + bodyLies(honest) + entryLies(honest)
    if head.number > 0 {
      let earlier = hub.places[Int(head.number) - 1]
      lies.append(("an earlier head", ZoneAnswer(entries: [], bodies: [:], head: earlier)))
      lies.append(("nothing left", ZoneAnswer(entries: [], bodies: [:], head: .beginning)))
    }
    return lies.filter { $0.1 != honest }
  }

  private func orderLies(_ honest: ZoneAnswer, _ head: ChainPlace) -> [(String, ZoneAnswer)] {
    var lies: [(String, ZoneAnswer)] = []
    func add(_ name: String, _ change: (inout [ZoneEntry]) -> Void) {
      var answer = honest
      change(&answer.entries)
      lies.append((name, answer))
    }
    for index in honest.entries.indices.dropLast() {
      add("entry \(index) dropped") { $0.remove(at: index) }
      add("entry \(index) late") { $0.swapAt(index, index + 1) }
    }
    if let first = honest.entries.first, let last = honest.entries.last {
      add("the first entry twice") { $0.insert(first, at: 0) }
      add("the last entry twice") { $0.append(last) }
    }
    if head.number > 0 {
      let old = hub.entries[Int(head.number) - 1]
      add("an entry once more") { $0.insert(old, at: 0) }
    }
    return lies
  }

  private func bodyLies(_ honest: ZoneAnswer) -> [(String, ZoneAnswer)] {
    var lies: [(String, ZoneAnswer)] = []
    let names = honest.bodies.keys.sorted()
    for name in names {
      var missing = honest
      missing.bodies[name] = nil
      lies.append(("a body missing", missing))
      for other in names where other > name {
        var swapped = honest
        swapped.bodies[name] = honest.bodies[other]
        swapped.bodies[other] = honest.bodies[name]
        lies.append(("bodies exchanged", swapped))
      }
      for old in oldBodies(of: name) {
        var replayed = honest
        replayed.bodies[name] = old
        lies.append(("an old body", replayed))
      }
    }
    return lies
  }

  private func oldBodies(of name: RecordName) -> Set<SyncDigest> {
    Set(hub.entries.flatMap(\.changes).filter { $0.name == name }.compactMap(\.body))
  }

  /// Entries with the signature that they had before they were changed.
  private func entryLies(_ honest: ZoneAnswer) -> [(String, ZoneAnswer)] {
    var lies: [(String, ZoneAnswer)] = []
    for (index, entry) in honest.entries.enumerated() {
      func add(
        _ name: String,
        author: PeerIdentifier? = nil,
        changes: [ZoneChange]? = nil,
        epoch: UInt32? = nil
      ) {
        var answer = honest
        let changed = ZoneEntry(
          circle: entry.circle,
          zone: entry.zone,
          previous: entry.previous,
          author: author ?? entry.author,
          batch: entry.batch,
          changes: changes ?? entry.changes,
          epoch: epoch ?? entry.epoch,
          circleHead: entry.circleHead,
          heads: entry.heads,
          signature: entry.signature
        )
        answer.entries[index] = changed
        if index == honest.entries.count - 1 { answer.head = changed.place(Self.ports.hash) }
        for change in changed.changes { answer.bodies[change.name] = change.body }
        lies.append((name, answer))
      }
      for peer in Self.peers where peer != entry.author { add("another author", author: peer) }
      add("another epoch", epoch: entry.epoch + 1)
      add("no changes", changes: [])
      for change in entry.changes {
        for old in oldBodies(of: change.name).sorted() where old != change.body {
          let replaced = entry.changes.map { one in
            one.name == change.name ? ZoneChange(one.name, old, one.keyClass) : one
          }
          add("an old body in an entry", changes: replaced)
        }
        let purged = entry.changes.map { one in
          one.name == change.name ? ZoneChange(one.name, nil, .afterFirstUnlock) : one
        }
        add("a purge in an entry", changes: purged)
      }
    }
    return lies
  }

  private func expectRefusal(of lie: ZoneAnswer, _ name: String, _ device: Int) throws(Fault) {
    var world = self
    world.pullCircle(device)
    try world.expectAlarm("\(name), shown to \(device)", device) { world throws(HubAlarm) in
      try world.take(lie, device)
    }
  }

  private mutating func expectAlarm(
    _ name: String,
    _ device: Int,
    _ act: (inout World) throws(HubAlarm) -> Void
  ) throws(Fault) {
    let before = devices[device].replica.records
    do throws(HubAlarm) {
      try act(&self)
    } catch {
      guard devices[device].replica.alarm == error, devices[device].replica.records == before else {
        throw Fault(property: .liesChangeNothing, why: "\(name): something was changed")
      }
      return
    }
    throw Fault(property: .liesChangeNothing, why: "\(name): believed")
  }

  // MARK: Longer lies

  /// The hub keeps the circle's log to itself and shows a zone that knows it.
  private func checkWithheldCircle(_ device: Int) throws(Fault) -> Int {
    let answer = hub.answer(behind: devices[device].replica.chain.head)
    let known = devices[device].circle.head.number
    guard answer.entries.contains(where: { $0.circleHead.number > known }) else { return 0 }
    var world = self
    try world.expectAlarm("a circle withheld from \(device)", device) { world throws(HubAlarm) in
      try world.take(answer, device)
    }
    return 1
  }

  /// The hub shows a batch that it refused, to one device alone.
  private func checkForks(_ device: Int) throws(Fault) -> Int {
    var count = 0
    let head = devices[device].replica.chain.head
    for author in devices.indices where author != device {
      guard let batch = devices[author].replica.outbox.batch, batch.entry.previous == head,
        hub.head.number > head.number, hub.answers[batch.entry.batch] == nil
      else { continue }
      count += 1
      var world = self
      world.pullCircle(device)
      let place = batch.entry.place(Self.ports.hash)
      var bodies: [RecordName: SyncDigest] = [:]
      for change in batch.entry.changes { bodies[change.name] = change.body }
      let fork = ZoneAnswer(entries: [batch.entry], bodies: bodies, head: place)
      do throws(HubAlarm) { try world.take(fork, device) } catch { continue }
      let real = hub.answer(behind: place)
      var back = world
      try back.expectAlarm("back from a fork", device) { world throws(HubAlarm) in
        try world.take(real, device)
      }
      for other in membersNow where other != device {
        try world.expectFork(seenBy: other, place)
      }
    }
    return count
  }

  private func expectFork(seenBy other: Int, _ place: ChainPlace) throws(Fault) {
    var chain = devices[other].replica.chain
    guard chain.head.number >= place.number else { return }
    do throws(HubAlarm) { try chain.hear(place, from: Self.peers[0]) } catch { return }
    throw Fault(property: .liesChangeNothing, why: "a fork crosses to \(other) unnoticed")
  }

  /// The hub says that it took what it did not take.
  private func checkFalseAnswers(_ device: Int) throws(Fault) -> Int {
    guard let batch = devices[device].replica.outbox.batch,
      hub.answers[batch.entry.batch] == nil
    else { return 0 }
    let circle = devices[device].circle
    let further = ChainPlace(
      number: batch.entry.number + 5,
      digest: batch.entry.place(Self.ports.hash).digest
    )
    for wrong in [batch.entry.previous, further] {
      var other = self
      try other.expectAlarm("another place for a batch", device) { world throws(HubAlarm) in
        try world.devices[device].replica.answered(.accepted(wrong), in: circle, Self.ports)
      }
    }
    var world = self
    let place = batch.entry.place(Self.ports.hash)
    do throws(HubAlarm) {
      try world.devices[device].replica.answered(.accepted(place), in: circle, Self.ports)
    } catch { return 2 }
    try world.expectAlarm("a batch that the hub forgot", device) { world throws(HubAlarm) in
      try world.take(world.hub.answer(behind: place), device)
    }
    return 3
  }

  /// The hub lets a removed device in, which was never told.
  private func checkRemoved(_ device: Int, _ premises: inout Premises) throws(Fault) -> Int {
    var world = self
    let key = 0
    do throws(HubAlarm) {
      try world.take(hub.answer(behind: devices[device].replica.chain.head), device)
      world.hub.shutOut.remove(device)
      if world.devices[device].replica.outbox.batch == nil {
        try world.apply(.put(device, key: key))
      }
      try world.push(device, .never, reseals: false)
    } catch { return 0 }
    guard world.hub.head != hub.head else { return 0 }
    world.hub.shutOut.insert(device)
    premises.add(.removedIsVoid)
    for member in membersNow {
      var informed = world
      informed.pullCircle(member)
      let answer = informed.hub.answer(behind: informed.devices[member].replica.chain.head)
      do throws(Fault) {
        try informed.expectAlarm("a removed device", member) { world throws(HubAlarm) in
          try world.take(answer, member)
        }
        try world.expectLateAlarm(member)
      } catch { throw Fault(property: .removedIsVoid, why: error.why) }
    }
    return membersNow.count
  }

  /// Who is told of the removal only after the entry finds out then.
  private func expectLateAlarm(_ member: Int) throws(Fault) {
    var world = self
    let answer = world.hub.answer(behind: world.devices[member].replica.chain.head)
    do throws(HubAlarm) { try world.take(answer, member) } catch { return }
    world.pullCircle(member)
    let head = world.devices[member].replica.chain.head
    try world.expectAlarm("a removal told too late", member) { world throws(HubAlarm) in
      try world.take(ZoneAnswer(entries: [], bodies: [:], head: head), member)
    }
  }
}
