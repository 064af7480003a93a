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

  /// What is counted for the owner, and how often the owner was charged.
  var ownersCounts: [Counted: (failures: UInt32, charged: UInt32)]? {
    guard setup.surroundings == .others else { return nil }
    return Dictionary(
      uniqueKeysWithValues: [.finger, .passcode].map {
        ($0, (failures($0), state.history[$0].charged))
      }
    )
  }

  /// Checks that the event counted nothing for the owner unless the owner tried something.
  mutating func checkOwnersCounts(_ before: [Counted: (failures: UInt32, charged: UInt32)]?) {
    guard let before, state.history.othersTried else { return }
    state.history.othersTried = false
    premises.insert(Premises(.othersUseNothingUp))
    for (count, was) in before where state.history[count].charged == was.charged {
      check(.othersUseNothingUp, failures(count) <= was.failures)
    }
  }
}
