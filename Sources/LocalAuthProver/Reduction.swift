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
    var hasher = DecisiveHasher(sets: isOwn ? setup.namedSets : nil)
    state.hashDecisive(into: &hasher)
    return hasher.finalize()
  }
}

extension ModelState {
  /// Hashes what decides what can follow.
  fileprivate func hashDecisive(into hasher: inout DecisiveHasher) {
    hasher.combine(machine)
    hasher.combine(disk)
    hasher.value(isDiskDistrusted)
    hasher.value(wallAhead)
    hasher.value(machine.sensor)
    hasher.value(writes.count)
    for write in writes {
      hasher.combine(write.purpose)
      hasher.value(write.kind)
      if let record = write.record { hasher.combine(record) } else { hasher.value(-1) }
    }
    hasher.value(asked.count)
    for one in asked { one.hashDecisive(into: &hasher) }
    if let acting {
      hasher.value(acting.act)
      acting.truth.hashDecisive(into: &hasher)
    } else {
      hasher.value(-1)
    }
    history.hashDecisive(into: &hasher)
    guard let outside else { return }
    hasher.value(outside)
    eachJudges { prints, programs in
      hasher.value(prints)
      hasher.value(programs)
    }
  }
}

extension ModelState.Asked {
  fileprivate func hashDecisive(into hasher: inout DecisiveHasher) {
    hasher.name(id)
    hasher.value(client)
    hasher.value(request)
    finger.hashDecisive(into: &hasher)
    passcode.hashDecisive(into: &hasher)
    possession.hashDecisive(into: &hasher)
    hasher.value(UInt64(wrongTouches) << 32 | UInt64(wrongPasscodes))
    hasher.value(wrongKeys)
    hasher.combine(witnessed)
    hasher.value(agent)
    let flags =
      (isRecorded ? 1 : 0) | (isShown ? 2 : 0) | (isAnswered ? 4 : 0) | (isRedeeming ? 8 : 0)
    hasher.value(
      flags | (isStoodFor ? 16 : 0) | (isRemembered ? 32 : 0) | (isReuseSeen ? 64 : 0)
        | (isSuccessSeen ? 128 : 0)
    )
  }
}

extension ModelState.Truth? {
  fileprivate func hashDecisive(into hasher: inout DecisiveHasher) {
    guard let truth = self else { return hasher.value(-1) }
    let flags =
      (truth.charge == nil ? 0 : 1) | (truth.isChargeDurable ? 2 : 0) | (truth.isProven ? 4 : 0)
      | (truth.isCleared ? 8 : 0) | (truth.hasAskedAgain ? 16 : 0)
    let words =
      (truth.isAborted ? 32 : 0) | (truth.isTouched ? 64 : 0) | (truth.hasSpoken ? 128 : 0)
    hasher.value(flags | words | (truth.isRight.map { $0 ? 256 : 512 } ?? 0))
    hasher.value(truth.age)
    hasher.value(truth.count)
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
    for count in Counted.allCases { hasher.value(self[count], mostly: Count()) }
    hasher.value(UInt64(othersShares[0]) << 32 | UInt64(othersShares[1]))
    hasher.value(sincePasscode)
    hasher.value(sinceMatch)
    hasher.value(sinceUnlock)
    hasher.value((isDistrusted ? 1 : 0) | (violated == nil ? 0 : 2))
    hasher.value(promises.count)
    for promise in promises {
      hasher.name(promise.id)
      hasher.value(UInt64(promise.scope) << 8 | UInt64(promise.factors.rawValue))
      hasher.value(promise.idle)
      hasher.value(promise.age)
      hasher.value(promise.unused)
      hasher.value(promise.maxAge)
      hasher.value(promise.usesLeft)
      hasher.value(promise.endsIn)
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
