/// Commits and what waits for them.
extension DeviceMachine {
  /// A commit ended; commits end in the order in which they were requested.
  public mutating func committed(
    _ commit: Commit,
    _ result: Result<Void, StorageError>,
    at now: Moment
  ) {
    if case .reopen(let continuation) = commit.purpose {
      return reopened(continuation, result, at: now)
    }
    if case .failure(let error) = result, commit.record != nil { failure = error }
    completed(commit.purpose, isDurable: result.isSuccess, at: now)
  }

  /// Checks the storage before something outside the record is stored;
  /// ``Effect/storageChecked(_:_:)`` follows.
  public mutating func checkStorage(for id: EvaluationID, at now: Moment) {
    whenStorageWorks(.check(id), at: now)
  }

  private mutating func reopened(
    _ continuation: Continuation,
    _ result: Result<Void, StorageError>,
    at now: Moment
  ) {
    switch result {
    case .success:
      failure = nil
      goOn(continuation, at: now)
    case .failure(let error):
      failure = error
      giveUp(continuation, at: now)
    }
  }

  private mutating func completed(_ purpose: Purpose, isDurable: Bool, at now: Moment) {
    switch purpose {
    case .charge(let attempt): charged(attempt, isDurable: isDurable, at: now)
    case .settle(let attempt): settled(attempt, isDurable: isDurable, at: now)
    case .redeem(let id): redeemed(id, isDurable: isDurable, at: now)
    case .remember(let id): remembered(id, isDurable: isDurable, at: now)
    case .close(let id): closed(id, isDurable: isDurable)
    case .act(let id): emit(.stored(id, isDurable: isDurable))
    case .answer(let attempt): answerCharged(attempt, isDurable: isDurable)
    case .housekeeping, .reopen: break
    }
  }

  /// Makes the record durable for `purpose`, with an audit line if there is one to write.
  mutating func commit(
    _ purpose: Purpose,
    _ kind: CommitKind,
    _ audit: Audit? = nil,
    at now: Moment
  ) {
    whenStorageWorks(.commit(purpose, kind, audit), at: now)
  }

  /// Continues once memory and disk agree; after a failure the whole record is rewritten first.
  mutating func whenStorageWorks(_ continuation: Continuation, at now: Moment) {
    guard !isRemoved else { return giveUp(continuation, at: now) }
    guard failure != nil else { return goOn(continuation, at: now) }
    emit(
      .commit(Commit(purpose: .reopen(continuation), record: record, kind: .guarded, audit: nil))
    )
  }

  private mutating func goOn(_ continuation: Continuation, at now: Moment) {
    switch continuation {
    case .begin(let id): reopened(id, isDurable: true, at: now)
    case .check(let id): emit(.storageChecked(id, nil))
    case .charge(let attempt): charge(attempt, at: now)
    case .answer(let attempt): chargeAnswer(attempt, at: now)
    case .commit(let purpose, let kind, let audit):
      let commit = Commit(purpose: purpose, record: record, kind: kind, audit: audit)
      emit(accountAct(for: purpose).map { .commitWithAccount(commit, $0) } ?? .commit(commit))
    }
  }

  /// What the account's machine must do for the commit; nil if this device counts for itself.
  private func accountAct(for purpose: Purpose) -> AccountAct? {
    switch purpose {
    case .charge(let attempt), .settle(let attempt):
      guard let run = self[attempt], isCountedElsewhere(run.guess) else { return nil }
      return run.machine.settling.map { .settle($0) }
        ?? .charge(run.guess, isSubmitted: run.wasSubmitted)
    case .answer, .redeem, .remember, .close, .act, .housekeeping, .reopen: return nil
    }
  }

  private mutating func giveUp(_ continuation: Continuation, at now: Moment) {
    switch continuation {
    case .begin(let id): reopened(id, isDurable: false, at: now)
    case .check(let id): emit(.storageChecked(id, failure))
    case .charge(let attempt):
      let refusal = unwritable
      step(attempt, at: now) { $0.chargeFailed(refusal) }
    case .answer(let attempt): answerCharged(attempt, isDurable: false)
    case .commit(let purpose, _, _): completed(purpose, isDurable: false, at: now)
    }
  }

  /// The outcome of anything that cannot be stored.
  package var unwritable: Outcome {
    if isRemoved { return Outcome(.systemCancel, detail: "The device was deleted meanwhile.") }
    return failure.map { Outcome($0) } ?? Outcome(.internalError)
  }
}

extension Result where Success == Void {
  var isSuccess: Bool { if case .success = self { true } else { false } }
}
