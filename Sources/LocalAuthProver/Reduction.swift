import LocalAuthCore

// One situation in the place of all that nothing can tell from it (decision 42).
//
// Each of these gives another name to what is only compared, or drops what nothing reads, so what
// follows is the same. `ReductionTests` has the full and the reduced model meet the same events.

extension Model {
  /// Stands for the situation in a search.
  var fingerprint: Int {
    guard isReduced else { return state.hashValue }
    // A reader's own numbers say which prints there are.
    let isOwn = !setup.byThemselves.contains(.biometry)
    var hasher = DecisiveHasher(sets: isOwn ? setup.policy.requirement.generations.sorted() : nil)
    state.hashDecisive(into: &hasher)
    return hasher.finalize()
  }
}

extension ModelState {
  /// Hashes what decides what can follow.
  fileprivate func hashDecisive(into hasher: inout DecisiveHasher) {
    hasher.combine(machine)
    hasher.combine(disk)
    hasher.combine(isDiskDistrusted)
    hasher.combine(wallAhead)
    hasher.combine(machine.sensor)
    hasher.combine(writes.count)
    for write in writes {
      hasher.combine(write.purpose)
      hasher.combine(write.kind)
      if let record = write.record { hasher.combine(record) } else { hasher.combine(-1) }
    }
    hasher.combine(asked.count)
    for one in asked { one.hashDecisive(into: &hasher) }
    if let acting {
      hasher.combine(acting.act)
      acting.truth.hashDecisive(into: &hasher)
    } else {
      hasher.combine(-1)
    }
    history.hashDecisive(into: &hasher)
    guard let outside else { return }
    hasher.combine(outside)
    for record in [machine.record, disk] + writes.compactMap(\.record) {
      hasher.combine(record.prints)
      hasher.combine(record.programs)
    }
  }
}

extension ModelState.Asked {
  fileprivate func hashDecisive(into hasher: inout DecisiveHasher) {
    hasher.name(id)
    hasher.combine(client)
    hasher.combine(request)
    finger.hashDecisive(into: &hasher)
    passcode.hashDecisive(into: &hasher)
    possession.hashDecisive(into: &hasher)
    hasher.combine(UInt64(wrongTouches) << 32 | UInt64(wrongPasscodes))
    hasher.combine(wrongKeys)
    hasher.combine(witnessed)
    hasher.combine(agent)
    let flags =
      (isRecorded ? 1 : 0) | (isShown ? 2 : 0) | (isAnswered ? 4 : 0) | (isRedeeming ? 8 : 0)
    hasher.combine(
      flags | (isStoodFor ? 16 : 0) | (isRemembered ? 32 : 0) | (isReuseSeen ? 64 : 0)
    )
  }
}

extension ModelState.Truth? {
  fileprivate func hashDecisive(into hasher: inout DecisiveHasher) {
    guard let truth = self else { return hasher.combine(-1) }
    let flags =
      (truth.charge == nil ? 0 : 1) | (truth.isChargeDurable ? 2 : 0) | (truth.isProven ? 4 : 0)
      | (truth.isCleared ? 8 : 0) | (truth.hasAskedAgain ? 16 : 0)
    let words =
      (truth.isAborted ? 32 : 0) | (truth.isTouched ? 64 : 0) | (truth.hasSpoken ? 128 : 0)
    hasher.combine(flags | words | (truth.isRight.map { $0 ? 256 : 512 } ?? 0))
    hasher.combine(truth.age)
    hasher.combine(truth.count)
  }
}

extension ModelState.Truth {
  /// Makes all ages one at which every refusal and every forgetting that the charge led to is over.
  mutating func clampAge(_ tables: [DelayTable]) {
    guard count > 0 else { return }
    let spans = tables.map { table in
      max(table.promisedWait(after: count), table.forgets?.span(of: .max) ?? 0)
    }
    age = min(age, spans.max() ?? 0)
  }
}

extension History {
  fileprivate func hashDecisive(into hasher: inout DecisiveHasher) {
    hasher.combine(finger)
    hasher.combine(passcode)
    hasher.combine(possession)
    hasher.combine(sincePasscode)
    hasher.combine(sinceMatch)
    hasher.combine(sinceUnlock)
    hasher.combine((isDistrusted ? 1 : 0) | (violated == nil ? 0 : 2))
    hasher.combine(promises.count)
    for promise in promises {
      hasher.name(promise.id)
      hasher.combine(UInt64(promise.scope) << 8 | UInt64(promise.factors.rawValue))
      hasher.combine(promise.idle)
      hasher.combine(promise.age)
      hasher.combine(promise.unused)
      hasher.combine(promise.maxAge)
      hasher.combine(promise.usesLeft)
      hasher.combine(promise.endsIn)
    }
  }
}

extension DeviceRecord {
  /// Drops when something happened in an earlier boot, of which nobody knows how long ago it was.
  ///
  /// Whoever reads it all the same finds that it was just now, which is what would do most harm.
  mutating func forgetEarlierBoots() {
    let now = ModelState.now
    let freshness = attempts.freshness
    func renewed(_ stamp: Freshness.Stamp?) -> Freshness.Stamp? {
      stamp.map { $0.boot == now.bootID ? $0 : Freshness.Stamp(at: now.boot, boot: $0.boot) }
    }
    attempts.freshness = Freshness(
      passcode: renewed(freshness.passcode),
      match: renewed(freshness.match)
    )
  }
}
