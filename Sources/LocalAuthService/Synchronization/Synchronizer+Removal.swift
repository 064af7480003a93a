import LocalAuthCore
import LocalAuthSync

/// Throwing out.
extension Synchronizer {
  /// Removes a device in the next round.
  func removePeer(
    _ peer: PeerIdentifier,
    then body: @escaping (Result<Void, SyncFailure>) -> Void
  ) {
    run(
      SyncErrand { [weak self] round, done in
        self?.remove(peer, round) { result in
          body(result)
          done()
        }
      } failed: {
        body(.failure(SyncFailure($0)))
      }
    )
  }

  /// Removes a device: what it wrote counts up to here, and its role at the hub ends.
  ///
  /// What it wrote counts up to places of zones, so a device that has not let a lost history go removes nobody: the
  /// others could never reach such a place. Any other alarm may be the doing of who is to be removed, and keeps nobody
  /// in the circle.
  func remove(
    _ peer: PeerIdentifier,
    _ round: SyncRound,
    then body: @escaping (Result<Void, SyncFailure>) -> Void
  ) {
    pullHeartbeats(round) { [weak self] in
      guard let self else { return }
      guard !state.zones.haveLostEntries else { return body(.failure(.unrepaired)) }
      round.surveyDoubted { [weak self] in self?.remove(peer, $0, round, then: body) }
    }
  }

  /// Signs the removal.
  ///
  /// It may have been removed since this was asked for, by another device or by an entry whose answer was lost.
  private func remove(
    _ peer: PeerIdentifier,
    _ surveys: [ZoneName: ZoneSurvey],
    _ round: SyncRound,
    then body: @escaping (Result<Void, SyncFailure>) -> Void
  ) {
    guard let member = state.circle.peers[peer], member.until == nil else {
      return body(.success(()))
    }
    let isRecovery = member.keys.kind == .recovery
    let removal = HubRemoval(
      entry: isRecovery ? 0 : member.since,
      role: isRecovery ? HubRole(ofRecovery: peer) : roles[peer],
      remaining: remaining(without: peer, surveys)
    )
    let act = CircleAct.remove(peer, cuts: state.zones.cuts(surveys))
    push(round, act, removing: removal) { isTaken in
      body(isTaken ? .success(()) : .failure(.circleChanged))
    }
  }

  /// Who else is in the circle, and where each zone ends that was begun.
  ///
  /// One with an entry that nobody can verify is left out: what a removed device wrote there must not keep it in the
  /// circle.
  private func remaining(
    without peer: PeerIdentifier,
    _ surveys: [ZoneName: ZoneSurvey]
  ) -> HubRemaining {
    let ends = state.circle.epochs.keys.sorted().compactMap { zone -> ZoneHead? in
      if let survey = surveys[zone] { return survey.isWhole ? ZoneHead(zone, survey.end) : nil }
      return ZoneHead(zone, state.zones[zone]?.chain.head ?? .beginning)
    }
    return remaining(without: peer, until: ends)
  }

  /// Who else is in the circle by its log, whatever anybody's role at the hub says of itself.
  ///
  /// Only the role of a recovery key is named: the hub may have let it in before it learnt which entry that was. It follows
  /// from the key.
  func remaining(without peer: PeerIdentifier, until heads: [ZoneHead] = []) -> HubRemaining {
    let others = state.circle.peers.filter { $0.value.until == nil && $0.key != peer }
    return HubRemaining(
      entries: others.values.map(\.since).sorted(),
      roles: others.keys.filter { $0 == state.circle.recovery }.map { HubRole(ofRecovery: $0) },
      heads: heads
    )
  }
}
