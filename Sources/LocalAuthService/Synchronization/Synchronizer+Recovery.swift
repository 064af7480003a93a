import LocalAuthCore
import LocalAuthKeychain
import LocalAuthSecret
import LocalAuthSync

/// Making the recovery key: a peer on paper, by which a device joins when no other one is left.
extension Synchronizer {
  /// Makes a recovery key, which nobody keeps.
  ///
  /// The entry that has it ends the one before, so that there is always one in force.
  ///
  /// The hub gets a role for it and its shares before the circle's log has it. So a key that was shown opens
  /// everything, and one whose making was interrupted was never shown.
  ///
  /// - Parameter body: Gets the key to show.
  func makeRecoveryKey(then body: @escaping (Result<SecretBox, SyncFailure>) -> Void) {
    guard let code = vault.makeRecoveryCode() else { return body(.failure(.notStored)) }
    run(
      SyncErrand(needsWholeZones: true) { [weak self] round, done in
        // The key in force stays where no other one can follow it.
        guard self?.state.circle.isFull != true else {
          body(.failure(.circleFull))
          return done()
        }
        self?.addRecoveryKey(code, round) { isTaken in
          body(isTaken ? .success(code.printed()) : .failure(.circleChanged))
          done()
        }
      } failed: {
        body(.failure(SyncFailure($0)))
      }
    )
  }

  private func addRecoveryKey(
    _ code: any RecoveryCode,
    _ round: SyncRound,
    then body: @escaping (Bool) -> Void
  ) {
    let keys = code.secrets.keys
    let offer = JoinOffer(
      state.circle.circle,
      invitation: engine.randomDigest(),
      by: keys,
      code
    )
    round.ask(.invite(code.role, verifier: code.verifier(), offer: offer.bytes)) { [weak self] _ in
      round.ask(.admit(code.role, answer: [1], entry: nil)) { [weak self] _ in
        self?.shareKeys(with: keys, round) { [weak self] in
          guard let self else { return }
          push(round, .recovery(keys), removing: recoveryKeyInForce, then: body)
        }
      }
    }
  }

  /// Whose role at the hub ends with the entry that has another recovery key: also any other that came by the key before.
  private var recoveryKeyInForce: HubRemoval? {
    state.circle.recovery.map { peer in
      HubRemoval(entry: 0, role: HubRole(ofRecovery: peer), remaining: remaining(without: peer))
    }
  }
}
