public import LocalAuthCore
import LocalAuthKeychain
import LocalAuthPolicies
public import LocalAuthSecret
import LocalAuthSensor

extension Engine {
  /// Receives the result of an administrative act.
  public typealias Completion = (Result<Void, EngineError>) -> Void

  // MARK: Ending devices

  /// Deletes a device and everything stored for it.
  public func delete(
    _ name: String,
    passcode: SecretBox?,
    caller: Caller,
    then body: @escaping Completion
  ) {
    onDevice(name, of: caller, body) { [self] device throws(EngineError) in
      guard device.record.isSimulated else {
        throw .notPermitted("The user's own machine cannot be deleted.")
      }
      authorize("device delete", on: device, passcode: passcode, caller: caller) { [self] in
        whenProven($0, body) { remove($0, $1) }
      }
    }
  }

  /// Erases fingers, passcode and counters, as a factory reset does.
  ///
  /// No passcode is needed, because nothing the passcode protected survives. PAM's passcode
  /// survives, and so do the attempts charged against it. Until it takes place, the device is asked
  /// as before.
  public func erase(_ name: String?, caller: Caller, then body: @escaping Completion) {
    onDevice(name, of: caller, body) { [self] device throws(EngineError) in
      cancelAll(on: device)
      erase(act("device erase", on: device, caller: caller), then: body)
    }
  }

  // MARK: Lock state

  /// Locks the device and cancels everything in progress on it.
  public func lock(_ name: String?, caller: Caller, then body: @escaping Completion) {
    onDevice(name, of: caller, body) { [self] device throws(EngineError) in
      guard device.record.passcode != .none else {
        throw .refused(Outcome(.passcodeNotSet, detail: "There is nothing to lock it with."))
      }
      cancelAll(on: device)
      device.follow(device.keybag.lock(at: device.now(clock.now()).boot))
      device.authorizations.deviceClosed()
      complete(
        act("lock", on: device, caller: caller),
        by: { $0.lock($1, at: $2) },
        then: Self.evenUnwritten("The device is locked", body)
      )
    }
  }

  /// Unlocks with the passcode.
  public func unlock(
    _ name: String?,
    passcode: SecretBox,
    caller: Caller,
    then body: @escaping Completion
  ) {
    onDevice(name, of: caller, body) { [self] device throws(EngineError) in
      let ticket = device.keybag.beginUnlock()
      authorize("unlock", on: device, passcode: passcode, caller: caller, wantsKeys: true) {
        [self] in
        whenProven($0, body) { act, end in
          let outcome = open(device, ticket, with: act.opened)
          guard outcome == .success else { return end(.failure(.refused(outcome))) }
          complete(act, then: end)
        }
      }
    }
  }

  /// Unlocks a device whose passcode was proven; any other outcome than success leaves it
  /// unchanged.
  ///
  /// PAM's verdict alone opens no keybag: if none of the passwords opens it, the device stays
  /// locked.
  func open(
    _ device: LiveDevice,
    _ ticket: Keybag.Ticket,
    with opened: (any OpenedKeys)?
  ) -> Outcome {
    guard device.record.passcode != .none else { return .success }
    guard opened != nil || device.sealedKeybag == nil else {
      return Outcome(.authenticationFailed, detail: Self.foreignPassword)
    }
    device.follow(device.keybag.passcodeOpened(ticket), with: opened)
    return device.lockState(at: device.now(clock.now()).boot) == .unlocked
      ? .success : Outcome(.systemCancel, detail: "The device was locked meanwhile.")
  }

  static let foreignPassword =
    "The password is right, but the keybag was made with another: change it with the old one."
  static let firstUnlock = "The first unlock after a start takes the passcode."

  /// Unlocks with a finger, which works only after a first unlock with the passcode.
  public func unlockWithFinger(
    _ request: EvaluationRequest,
    caller: Caller,
    onEvent: @escaping (SessionEvent) -> Void
  ) throws(EngineError) -> EvaluationID {
    let device = try device(named: request.device, of: caller)
    guard !device.keybag.isBeforeFirstUnlock else {
      throw .refused(Outcome(.biometryLockout, detail: Self.firstUnlock))
    }
    return try evaluate(request, caller: caller, onEvent: onEvent)
  }

  /// Restarts a simulated device.
  ///
  /// Counters are kept.
  public func reboot(_ name: String?, caller: Caller, then body: @escaping Completion) {
    onSimulated(name, of: caller, body) { [self] device in
      cancelAll(on: device)
      device.rebootClock()
      device.follow(device.keybag.restarted())
      device.authorizations.deviceClosed()
      complete(
        act("device reboot", on: device, caller: caller),
        by: { $0.reboot($1, at: $2) },
        then: Self.evenUnwritten("The device has restarted", body)
      )
    }
  }

  /// What is said of an act that takes keys away, which counts though the disk does not take it.
  private static func evenUnwritten(
    _ done: String,
    _ body: @escaping Completion
  ) -> Completion {
    { result in
      body(
        result.mapError { _ in
          .internalError("\(done), but that could not be written down: the disk may be full.")
        }
      )
    }
  }

  /// Advances a simulated device's clock and fires what falls due.
  ///
  /// Passcode delays do not end sooner, except on an ephemeral device: otherwise advancing the
  /// clock would skip every delay. With the passcode, which is charged as in every act, they do.
  public func advanceClock(
    _ name: String?,
    by duration: Duration,
    passcode: SecretBox? = nil,
    caller: Caller,
    then body: @escaping Completion
  ) {
    onSimulated(name, of: caller, body) { [self] device throws(EngineError) in
      guard duration >= .zero, duration <= .seconds(10 * 365 * 86_400) else {
        throw .invalidArgument("A clock moves forward by at most ten years.")
      }
      guard passcode != nil else {
        advance(device, by: duration)
        return complete(act("clock advance", on: device, caller: caller), then: body)
      }
      authorize("clock advance", on: device, passcode: passcode, caller: caller) { [self] in
        whenProven($0, body) {
          advance(device, by: duration)
          complete($0, then: $1)
        }
      }
    }
  }

  func advance(_ device: LiveDevice, by duration: Duration) {
    device.advanceClock(by: duration)
    let (offset, keepsWaits) = (device.clock.offset, !options.isEphemeral)
    runner.meet(device) { machine, _ in
      machine.clockAdvanced(by: duration, to: offset, keepsWaits: keepsWaits)
    }
    device.timers.fire(at: device.now(clock.now()).boot)
  }

  // MARK: Steps

  /// Runs `body` on the named device and passes what it throws to `completion`.
  func onDevice(
    _ name: String?,
    of caller: Caller,
    _ completion: Completion,
    _ body: (LiveDevice) throws(EngineError) -> Void
  ) {
    do throws(EngineError) {
      try body(try device(named: name, of: caller))
    } catch {
      completion(.failure(error))
    }
  }

  private func onSimulated(
    _ name: String?,
    of caller: Caller,
    _ completion: Completion,
    _ body: (LiveDevice) throws(EngineError) -> Void
  ) {
    onDevice(name, of: caller, completion) { device throws(EngineError) in
      guard device.record.isSimulated else {
        throw .notPermitted("Only a simulated device can be told to do that.")
      }
      try body(device)
    }
  }

  private func remove(_ act: DeviceAct, _ body: @escaping Completion) {
    let device = act.device
    guard !device.machine.isRemoved else { return body(.failure(.gone(device))) }
    // Set before the removal is written; a later write would bring the device back.
    runner.meet(device) { machine, _ in machine.remove(true) }
    cancelAll(on: device)
    var line = act.audit
    close(&line, .success, on: device)
    runner.remove(device.identity, line) { [self] result in
      switch result {
      case .failure(let error):
        let isGone = devices[device.identity] !== device
        runner.meet(device) { machine, _ in machine.remove(isGone) }
        body(.failure(EngineError(error)))
      case .success:
        forget(device)
        body(.success(()))
      }
    }
  }
}
