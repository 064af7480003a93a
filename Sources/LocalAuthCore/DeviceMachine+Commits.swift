/// What is on its way to the disk.
extension DeviceMachine {
  /// A commit ended, in the order in which they were asked for; `isDurable` says how.
  public mutating func committed(_ commit: Commit, isDurable: Bool, at now: Moment) {
    if !isDurable, commit.record != nil { hasFailed = true }
    switch commit.purpose {
    case .charge(let attempt): charged(attempt, isDurable: isDurable, at: now)
    case .settle(let attempt): settled(attempt, isDurable: isDurable, at: now)
    case .redeem(let id): redeemed(id, isDurable: isDurable, at: now)
    case .remember(let id): remembered(id, isDurable: isDurable, at: now)
    case .close(let id): closed(id, isDurable: isDurable)
    case .act(let id): actStored(id, isDurable: isDurable)
    case .housekeeping: break
    case .reopen(let continuation):
      hasFailed = !isDurable
      if isDurable { goOn(continuation, at: now) } else { giveUp(continuation, at: now) }
    }
  }

  /// Makes the record durable for `purpose`.
  mutating func commit(_ purpose: Purpose, _ kind: CommitKind, at now: Moment) {
    whenStorageWorks(.commit(purpose, kind), at: now)
  }

  /// Goes on once memory and disk cannot differ: after a failure the record is written anew first, whole.
  mutating func whenStorageWorks(_ continuation: Continuation, at now: Moment) {
    guard hasFailed else { return goOn(continuation, at: now) }
    emit(.commit(Commit(purpose: .reopen(continuation), record: record, kind: .guarded)))
  }

  private mutating func goOn(_ continuation: Continuation, at now: Moment) {
    switch continuation {
    case .begin(let id): reopened(id, isDurable: true, at: now)
    case .charge(let attempt): charge(attempt, at: now)
    case .commit(let purpose, let kind):
      emit(.commit(Commit(purpose: purpose, record: record, kind: kind)))
    }
  }

  private mutating func giveUp(_ continuation: Continuation, at now: Moment) {
    switch continuation {
    case .begin(let id): reopened(id, isDurable: false, at: now)
    case .charge(let attempt): step(attempt, at: now) { $0.chargeFailed(Self.unwritable) }
    case .commit(let purpose, let kind):
      committed(Commit(purpose: purpose, record: record, kind: kind), isDurable: false, at: now)
    }
  }
}
