import LocalAuthCore

/// What is on its way to the disk, in the order in which it was sent.
extension Scene {
  /// Makes the device's record durable; refused while memory and disk may differ.
  mutating func commit(_ purpose: World.Write.Purpose) {
    guard !world.hasFailed else { return completed(purpose, isDurable: false) }
    world.writes.append(World.Write(purpose: purpose, record: world.memory))
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
    case .reopen(let slot): reopened(slot, isDurable: isDurable)
    case .actCharge: actCharged(isDurable: isDurable)
    case .actSettle: actSettled(isDurable: isDurable)
    case .act: actCompleted()
    case .housekeeping: break
    }
  }

  /// The storage works again, or does not.
  private mutating func reopened(_ slot: UInt8, isDurable: Bool) {
    world.hasFailed = !isDurable
    guard let index = world.index(of: slot) else { return }
    guard world.sessions[index].phase == .opening else { return }
    world.sessions[index].phase = .running
    if isDurable { begin(slot) } else { end(slot, Self.unwritable) }
  }
}
