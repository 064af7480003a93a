import LocalAuthCore
import LocalAuthSync

/// The way back after a hub lost something, or showed two histories.
extension Synchronizer {
  /// Begins anew with the zones whose hub is not believed, or lost what is not here, because a person accepted exactly that.
  ///
  /// Everything that the device holds is sent again and merged; nothing here is lost.
  func repair(then body: @escaping (Result<Void, SyncFailure>) -> Void) {
    guard state.zones.replicas.values.contains(where: \.needsRepair) else {
      return body(.failure(.nothingToRepair))
    }
    inTurn { this, change in
      for (zone, replica) in this.state.zones.replicas where replica.needsRepair {
        this.repair(zone, at: replica.chain.head, in: &change)
      }
      return true
    } orEnded: {
      body(.failure(.notMember))
    } then: { [weak self] result in
      guard case .success = result else { return body(.failure(.notStored)) }
      self?.wake()
      body(.success(()))
    }
  }

  private func repair(_ zone: ZoneName, at head: ChainPlace, in change: inout Change) {
    let acceptance = SyncWatermark.Acceptance(
      .zone(zone, circle: state.circle.circle),
      from: head,
      to: .beginning
    )
    guard change.state.zones[zone]?.repair(acceptance) == true else { return }
    checkpoints[zone] = nil
    // What was fetched and no program has got yet cannot be sent from here.
    if zone == .keyValues, !state.hasValues {
      change.state.zones[zone]?.beginAnew()
    }
    forgetBodies(in: zone, &change)
  }

  /// Forgets the bodies that wait to be opened, or to be sent, in a zone.
  func forgetBodies(in zone: ZoneName, _ change: inout Change) {
    for kept in state.bodies.all where kept.isOnItsWay(in: zone) {
      change.state.bodies[kept] = nil
    }
  }
}

extension KeptBody {
  /// Whether it waits to be opened, or to be sent, in `zone`.
  fileprivate func isOnItsWay(in zone: ZoneName) -> Bool {
    switch self {
    case .waiting(let own, _), .sent(let own, _): own == zone
    case .lost: false
    }
  }
}
