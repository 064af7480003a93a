import LocalAuthCore

/// What other users try, of which each has a share of one count.
extension Model {
  /// Another user's proof clears what that user tried.
  mutating func forgiveShare(of attempt: AttemptID) {
    guard let share = share(of: attempt) else { return }
    let own = state.history.othersShares[share]
    state.history.othersShares[share] = 0
    let judged = state.history.othersPasscode.judged
    state.history.othersPasscode.judged = judged - min(judged, own)
    // A success ends refusals.
    state.history.othersPasscode.left = 0
    let other = state.asked.first { $0.id == attempt.owner }?.request.other
    for index in state.asked.indices where state.asked[index].request.other == other {
      state.asked[index].passcode?.isCleared = true
    }
  }

  /// Which of the other users makes the attempt.
  func share(of attempt: AttemptID) -> Int? {
    guard let index = state.index(of: attempt.owner), state.asked[index].request.isOthers else {
      return nil
    }
    return Int(state.asked[index].request.other) - 1
  }

  /// What is counted for the owner.
  var ownersCharges: [Charges] {
    guard setup.surroundings == .others else { return [] }
    return [.finger, .passcode].map {
      Charges(count: $0, charged: state.history[$0].charged, failures: failures($0))
    }
  }

  /// Checks that an event which charged others counted nothing for an owner who tried nothing; `before` is what was
  /// counted until then.
  mutating func checkOwnersCharges(_ before: [Charges]) {
    guard premises.contains(Premises(.othersUseNothingUp)) else { return }
    for was in before where state.history[was.count].charged == was.charged {
      check(.othersUseNothingUp, failures(was.count) <= was.failures)
    }
  }

  /// What was charged to a count.
  struct Charges {
    let count: Counted
    let charged: UInt32
    let failures: UInt32
  }
}
