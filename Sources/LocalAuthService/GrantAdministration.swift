public import LocalAuthCore

/// A grant as its owner sees it.
public struct GrantDescription: Sendable {
  /// The device.
  public var device: DeviceIdentity
  /// Whether the device is simulated.
  public var isSimulated: Bool
  /// The grant.
  public var grant: Grant
  /// How long ago it was proven.
  public var age: Duration
  /// How long it still lives, if nobody uses it.
  public var timeLeft: Duration

  /// The description at `now`; nil for a grant that has ended.
  init?(_ grant: Grant, of device: LiveDevice, at now: Moment) {
    guard let age = grant.age(at: now), let timeLeft = grant.timeLeft(at: now) else { return nil }
    self.device = device.identity
    isSimulated = device.record.isSimulated
    self.grant = grant
    self.age = age
    self.timeLeft = timeLeft
  }
}

/// Seeing and ending what was granted.
extension Engine {
  /// What the user's devices still answer without asking, the oldest proof first; of one device, where
  /// one is named.
  public func grants(
    on name: String?,
    caller: Caller
  ) throws(EngineError) -> [GrantDescription] {
    try devices(name, of: caller).flatMap { device in
      let now = device.now(clock.now())
      return device.allGrants.compactMap { GrantDescription($0, of: device, at: now) }
    }
  }

  /// Ends the grant of this name, or all, on the named device or on all of the user's; it needs no
  /// passcode, because it can only take away.
  ///
  /// `body` hears how many ended, once that is durable.
  public func revokeGrants(
    _ id: EvaluationID?,
    on name: String?,
    caller: Caller,
    then body: @escaping (Result<Int, EngineError>) -> Void
  ) {
    let chosen: [LiveDevice]
    do throws(EngineError) {
      chosen = try devices(name, of: caller).filter { !$0.allGrants.isEmpty }
    } catch {
      return body(.failure(error))
    }
    revoke(id, on: chosen[...], count: 0, caller: caller, then: body)
  }

  private func revoke(
    _ id: EvaluationID?,
    on devices: ArraySlice<LiveDevice>,
    count: Int,
    caller: Caller,
    then body: @escaping (Result<Int, EngineError>) -> Void
  ) {
    guard let device = devices.first else {
      guard id == nil || count > 0 else {
        return body(.failure(.refused(Outcome(.itemNotFound, detail: "There is no such grant."))))
      }
      return body(.success(count))
    }
    let ended = runner.meet(device) { $0.revoke(id, at: $1) }
    let rest = devices.dropFirst()
    guard ended > 0 else {
      return revoke(id, on: rest, count: count, caller: caller, then: body)
    }
    complete(
      act("grant revoke", on: device, caller: caller),
      detail: id.map { "grant \($0.text)" } ?? "\(ended) grants"
    ) { [self] result in
      switch result {
      case .failure(let error): body(.failure(error))
      case .success: revoke(id, on: rest, count: count + ended, caller: caller, then: body)
      }
    }
  }
}

extension LiveDevice {
  /// Whatever answers again, or did.
  fileprivate var allGrants: [Grant] {
    record.grants.all + (machine.unlock.map { [$0] } ?? [])
  }
}
