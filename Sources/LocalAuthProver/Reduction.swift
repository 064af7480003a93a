import LocalAuthCore

// One situation in the place of all that nothing can tell from it (decision 42).
//
// Each of these gives another name to what is only compared, or drops what nothing reads, so what
// follows is the same. `ReductionTests` has the full and the reduced model meet the same events.

extension Model {
  /// Stands for the situation in a search.
  var fingerprint: Int {
    guard isReduced else { return state.hashValue }
    var hasher = Hasher()
    state.hashDecisive(into: &hasher)
    return hasher.finalize()
  }
}

extension ModelState {
  /// Hashes what decides what can follow.
  fileprivate func hashDecisive(into hasher: inout Hasher) {
    machine.hashDecisive(into: &hasher)
    hashSurroundings(into: &hasher)
  }

  /// Numbers the sets of fingers in the order of the records that name them, while nothing else does.
  ///
  /// The reader's own numbers are left alone, because they say which prints there are.
  mutating func renameSets(_ setup: Setup) {
    guard outside == nil, needsRenaming, proofGenerations.isEmpty,
      setup.policy.requirement.generations.isEmpty
    else { return }
    var names: [UInt64: UInt64] = [:]
    eachRecord { record in
      let set = record.enrolment
      let name = names[set.generation] ?? Self.firstSet + UInt64(names.count)
      names[set.generation] = name
      record.enrolment = EnrolmentSet(fingers: set.fingers, generation: name)
    }
  }

  /// The set of a fresh device.
  static let firstSet: UInt64 = 2

  /// Whether the sets have other numbers than those of their order.
  private var needsRenaming: Bool {
    var last = Self.firstSet
    func isNext(_ record: DeviceRecord) -> Bool {
      let set = record.enrolment.generation
      guard set == last || set == last + 1 else { return false }
      last = set
      return true
    }
    guard machine.record.enrolment.generation == last else { return true }
    guard isNext(disk) else { return true }
    return !writes.allSatisfy { $0.record.map(isNext) ?? true }
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
