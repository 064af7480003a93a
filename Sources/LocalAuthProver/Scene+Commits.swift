import LocalAuthCore

/// What is on its way to the disk, in the order in which it was sent.
extension Scene {
  /// Makes the device's record durable; after a failure it is written anew first.
  mutating func commit(_ purpose: World.Write.Purpose) { whenStorageWorks(.commit(purpose)) }

  /// Goes on once memory and disk cannot differ.
  mutating func whenStorageWorks(_ continuation: World.Write.Continuation) {
    guard world.hasFailed else { return goOn(continuation) }
    world.writes.append(World.Write(purpose: .reopen(continuation), record: world.memory))
  }

  private mutating func goOn(_ continuation: World.Write.Continuation) {
    switch continuation {
    case .begin(let slot): reopened(slot, isDurable: true)
    case .charge(let slot, let factor): count(slot, factor)
    case .actCharge: actCount()
    case .commit(let purpose):
      world.writes.append(World.Write(purpose: purpose, record: world.memory))
    }
  }

  private mutating func giveUp(_ continuation: World.Write.Continuation) {
    switch continuation {
    case .begin(let slot): reopened(slot, isDurable: false)
    case .charge(let slot, let factor): chargeFailed(slot, factor, Self.unwritable)
    case .actCharge: actChargeFailed(Self.unwritable)
    case .commit(let purpose): completed(purpose, isDurable: false)
    }
  }

  /// The oldest commit ends.
  mutating func commitEnds(_ end: CommitEnd) {
    guard !world.writes.isEmpty else { return }
    let write = world.writes.removeFirst()
    switch end {
    case .durable: store(write)
    case .failed: break
    case .failedButKept: store(write)
    }
    if end != .durable, write.record != nil { world.hasFailed = true }
    world.history.committed(isDurable: end == .durable)
    if case .reopen(let continuation) = write.purpose {
      world.hasFailed = end != .durable
      return end == .durable ? whenStorageWorks(continuation) : giveUp(continuation)
    }
    if let slot = write.slot, let index = world.index(of: slot) {
      world.sessions[index].isRecorded = end == .durable
    }
    completed(write.purpose, isDurable: end == .durable)
  }

  /// The disk has it.
  mutating func store(_ write: World.Write) {
    guard let record = write.record else { return }
    world.disk = record
    // A passcode stamp was made after the state was found out to be wrong.
    if record.attempts.freshness.passcode != nil { world.isDiskDistrusted = false }
    witnessStored(write.purpose)
  }

  private mutating func completed(_ purpose: World.Write.Purpose, isDurable: Bool) {
    switch purpose {
    case .charge(let slot, let factor): charged(slot, factor, isDurable: isDurable)
    case .settle(let slot, let factor): settled(slot, factor, isDurable: isDurable)
    case .redeem(let slot): redeemed(slot, isDurable: isDurable)
    case .remember(let slot): remembered(slot, isDurable: isDurable)
    case .close(let slot): answer(slot, isDurable ? .success : Outcome(.internalError))
    case .reopen: break
    case .actCharge: actCharged(isDurable: isDurable)
    case .actSettle: actSettled(isDurable: isDurable)
    case .act: actCompleted()
    case .housekeeping: break
    }
  }

  /// The storage works again, or does not.
  private mutating func reopened(_ slot: UInt8, isDurable: Bool) {
    guard let index = world.index(of: slot) else { return }
    guard world.sessions[index].phase == .opening else { return }
    world.sessions[index].phase = .running
    if isDurable { begin(slot) } else { end(slot, Self.unwritable) }
  }
}
