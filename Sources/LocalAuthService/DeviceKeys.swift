import LocalAuthCore
import LocalAuthKeychain

/// A device's keys; the only place that applies ``Keybag`` actions to the vault.
extension LiveDevice {
  /// Performs a keybag action; `opened` are the keys that came with the event.
  ///
  /// Returns the reason if the keybag refused. Keys that are not installed are wiped with `opened`.
  @discardableResult
  func follow(_ action: Keybag.Action, with opened: (any OpenedKeys)? = nil) -> Keybag.Refusal? {
    // Only now the keys are there, or gone.
    defer { lockWatches.look() }
    switch action {
    case .nothing, .discard: return nil
    case .install(let classes): opened?.install(classes)
    case .reopen(let classes): vault.bringBack(classes)
    case .sealAt(let instant): sealKeys(at: instant)
    case .seal(let classes): vault.setAside(classes)
    case .wipeSealed: vault.wipeAside(.whenUnlocked)
    case .wipe(let classes): vault.wipe(classes)
    case .adopt(let kept, let wiped):
      opened?.install(kept)
      vault.wipe(wiped)
    case .commit: preconditionFailure("a change of the passcode is committed by its own way")
    case .refuse(let refusal): return refusal
    }
    return nil
  }

  /// Seals the keys of the unlocked device once its grace period is over.
  private func sealKeys(at instant: BootInstant) {
    _ = timers.add(at: instant) { [weak self] in
      guard let self else { return }
      follow(keybag.timePassed(at: instant))
    }
  }

  /// Replaces the secret of the enrolled set, which invalidates everything bound to the old set.
  func enrolmentChanged() {
    authorizations.enrolmentChanged()
    follow(keybag.fingersRevoked())
    renewEnrolledSet()
  }

  /// Gives the keybag, if there is one, a new secret for the enrolled set.
  ///
  /// A damaged keybag is left alone: it opens nothing.
  func renewEnrolledSet() {
    let generation = record.enrolment.fingers.isEmpty ? nil : record.enrolment.generation
    guard let keybag = sealedKeybag, let renewed = vault.renewEnrolledSet(generation, in: keybag)
    else { return }
    sealedKeybag = renewed
  }
}

extension EngineError {
  /// Nothing of the device is locked: no unlocking helps.
  static let damagedKeybag = EngineError.internalError(
    "The device's keybag is damaged: put a backup of the state back."
  )
}

extension LiveDevice {
  /// Whether there is a keybag that this device's key opens, whatever the state of the lock.
  var opensKeybag: Bool { sealedKeybag != nil && vault.held.contains(.always) }

  /// Whether the keys of a class are in memory and the device's state lets them be used.
  func canUse(_ protection: ProtectionClass, at now: BootInstant) -> Bool {
    keybag.access(to: protection, at: now) == .available && vault.held.contains(protection)
  }
}

/// The device of a caller that a call is about.
public struct CallerDevice {
  /// The device; the user's own machine if nil.
  public var device: String?
  /// Whether a simulated device counts.
  public var allowsSimulated: Bool
  /// Who asks.
  public var caller: Caller

  /// `device`, of this caller.
  public init(of device: String?, allowsSimulated: Bool, _ caller: Caller) {
    self.device = device
    self.allowsSimulated = allowsSimulated
    self.caller = caller
  }
}

extension Engine {
  /// The caller's device, if it counts here and has keys.
  ///
  /// Where the keybag does not open no unlocking helps, so that nothing is said to be locked.
  func keyedDevice(
    named name: String?,
    _ allowsSimulated: Bool,
    _ caller: Caller
  ) throws(EngineError) -> LiveDevice {
    let device = try device(named: name, of: caller)
    guard allowsSimulated || !device.record.isSimulated else {
      throw .refused(Outcome(.simulatedNotAllowed))
    }
    guard device.sealedKeybag != nil else { throw .refused(Outcome(.passcodeNotSet)) }
    guard device.opensKeybag else { throw .damagedKeybag }
    return device
  }

  /// The device of a request, if it counts here and has keys.
  func keyedDevice(_ request: CallerDevice) throws(EngineError) -> LiveDevice {
    try keyedDevice(named: request.device, request.allowsSimulated, request.caller)
  }

  /// Runs `body` on such a device, and passes what it throws to `completion`.
  func onKeyedDevice<Value>(
    _ request: CallerDevice,
    _ completion: (Result<Value, EngineError>) -> Void,
    _ body: (LiveDevice) throws(EngineError) -> Void
  ) {
    do throws(EngineError) {
      try body(try keyedDevice(request))
    } catch {
      completion(.failure(error))
    }
  }
}
