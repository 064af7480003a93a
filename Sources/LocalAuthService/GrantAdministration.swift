public import LocalAuthCore

/// A grant as its owner sees it.
public struct GrantDescription: Sendable {
  /// The device.
  public var device: DeviceIdentity
  /// Whether the device is simulated.
  public var isSimulated: Bool
  /// The grant.
  public var grant: Grant
  /// The age of the proof.
  public var age: Duration
  /// How long it remains valid, if it is not used.
  public var timeLeft: Duration

  /// The description at `now`; nil if the grant has ended.
  init?(_ grant: Grant, of device: LiveDevice, at now: Moment) {
    guard let age = grant.age(at: now), let timeLeft = grant.timeLeft(at: now) else { return nil }
    self.device = device.identity
    isSimulated = device.record.isSimulated
    self.grant = grant
    self.age = age
    self.timeLeft = timeLeft
  }
}

/// Listing and revoking grants.
extension Engine {
  /// The grants still valid on the named device, or on all of the user's if `name` is nil.
  ///
  /// By device, the oldest first; a device's unlock comes last.
  public func grants(
    on name: String?,
    caller: Caller
  ) throws(EngineError) -> [GrantDescription] {
    try devices(name, of: caller).flatMap { device in
      let now = device.now(clock.now())
      return device.allGrants.compactMap { GrantDescription($0, of: device, at: now) }
    }
  }

  /// Revokes the grant with this identifier, or all if `id` is nil, on the named device or on all
  /// of the user's.
  ///
  /// It needs no passcode, because it can only take away. `body` receives how many ended, once that
  /// is durable.
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
  /// All grants of the device, ended ones included.
  fileprivate var allGrants: [Grant] {
    record.grants.all + (machine.unlock.map { [$0] } ?? [])
  }
}
