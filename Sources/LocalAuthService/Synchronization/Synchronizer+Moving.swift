import LocalAuthCore
import LocalAuthSecret
public import LocalAuthSync

/// A hub that is somewhere else from now on, as when its administrator moved it to another server.
extension Synchronizer {
  /// Has the hub asked at another address from now on, if it is the hub of this circle there and has all that was verified.
  ///
  /// The one before is asked for nothing meanwhile, so that nothing is verified behind the comparison.
  ///
  /// - Parameters:
  ///   - address: The address.
  ///   - acceptsOlder: Whether zones may be those of an older copy, which then is an alarm that a repair ends.
  ///   - body: Gets why nothing was changed.
  func move(
    to address: HubAddress,
    acceptingOlder acceptsOlder: Bool,
    then body: @escaping (Result<Void, SyncFailure>) -> Void
  ) {
    guard !isMoving else { return body(.failure(.circleChanged)) }
    isMoving = true
    round?.end()
    unlink()
    compare(passwords[...], at: address, acceptsOlder) { [weak self] result in
      guard let self else { return body(.failure(.notMember)) }
      guard case .success = result else { return moved(result, body) }
      inTurn { _, change in
        change.state.membership.address = address
        return true
      } orEnded: {
        body(.failure(.notMember))
      } then: { [weak self] stored in
        self?.moved(stored.mapError { _ in .notStored }, body)
      }
    }
  }

  private func moved(
    _ result: Result<Void, SyncFailure>,
    _ body: @escaping (Result<Void, SyncFailure>) -> Void
  ) {
    isMoving = false
    wake()
    body(result)
  }

  /// What the role's password may be at a hub; the last one that it was told is tried last.
  private var passwords: [[UInt8]] {
    let membership = state.membership
    return [membership.sealedPassword] + (membership.nextPassword.map { [$0] } ?? [])
  }

  private func compare(
    _ passwords: ArraySlice<[UInt8]>,
    at address: HubAddress,
    _ acceptsOlder: Bool,
    then body: @escaping (Result<Void, SyncFailure>) -> Void
  ) {
    guard let sealed = passwords.first, let password = vault.openPassword(sealed) else {
      return body(.failure(.notStored))
    }
    HubComparison(
      with: engine.hubs.link(
        for: device.identity.owner,
        to: address,
        password: SecretBox(password)
      ) { _ in },
      state.circle,
      state.zones,
      acceptingOlder: acceptsOlder,
      ports
    ) { [weak self] result in
      guard case .failure(.hub(let error)) = result, error.isDenial, passwords.count > 1 else {
        return body(result)
      }
      self?.compare(passwords.dropFirst(), at: address, acceptsOlder, then: body)
    }.begin()
  }
}

extension Engine {
  /// Has the hub of the caller's device asked at another address from now on, after the owner's proof, if it is the hub of
  /// the device's circle there and has all that was verified.
  ///
  /// - Parameters:
  ///   - hub: The hub without a role, which the device has already.
  ///   - acceptsOlder: Whether zones may be those of an older copy.
  ///   - request: The device.
  ///   - proof: How the owner proves to be that.
  ///   - body: Called at the end.
  public func moveHub(
    to hub: @escaping (HubRole) -> HubAddress?,
    acceptingOlder acceptsOlder: Bool,
    _ request: CallerDevice,
    by proof: OwnersProof,
    then body: @escaping Completion
  ) {
    onKeyedDevice(request, body) { [self] device throws(EngineError) in
      guard let hub = hub(.nobody) else {
        throw .invalidArgument("That is no address of a hub.")
      }
      let decision = CircleDecision.move(to: hub.host)
      proven(decision, on: device, by: proof, request.caller, body) { synchronizer, done in
        let address = hub.address(for: synchronizer.state.membership.address.role)
        synchronizer.move(to: address, acceptingOlder: acceptsOlder, then: done)
      }
    }
  }
}
