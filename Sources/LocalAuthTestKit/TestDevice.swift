public import LocalAuth
import LocalAuthClient
public import LocalAuthCore
public import LocalAuthEmbedded
import LocalAuthSecret
import LocalAuthWire

/// A device for a test: ephemeral, with a simulated sensor and a stopped clock.
///
/// First script the events, then call the code under test; nothing sleeps:
///
/// ```swift
/// let device = try TestDevice(fingers: [.rightIndex], passcode: "1234")
/// try device.sensor.script("miss, match:right-index")
/// let evaluation = try await device.context().evaluate(.biometrics, reason: "open the vault")
/// #expect(evaluation.attempts == 2)
/// ```
///
/// If a script runs out while the prompt is open, the clock jumps to the time-out. All calls are
/// synchronous, except those that wait for a prompt. Tests may run in parallel, each with its own
/// devices. The device ends with this value or with the last context on it, whichever is later.
public final class TestDevice: Sendable {
  /// Drives the device's sensor.
  public let sensor: TestSensor
  /// The device's clock.
  public let clock: TestClock
  private let ephemeral: EphemeralDevice
  private let state: TestDeviceState
  var link: DeviceLink { ephemeral.link }

  /// Creates an unlocked device.
  ///
  /// - Parameters:
  ///   - fingers: the enrolled fingers.
  ///   - passcode: its passcode; nil for none.
  ///   - lockout: the lockout profile.
  ///   - hasSensor: whether it has a sensor.
  ///   - passcodeDelays: the name of the table of delays after wrong passcodes; nil for the
  ///     default.
  /// - Throws: `DeviceError` if a value is invalid or the engine cannot start.
  public init(
    fingers: [Finger] = [],
    passcode: String? = nil,
    lockout: LockoutProfileName = .threeStrikes,
    hasSensor: Bool = true,
    passcodeDelays: String? = nil
  ) throws(DeviceError) {
    var setup = DeviceSetup()
    setup.fingers = fingers
    setup.lockout = lockout
    setup.hasSensor = hasSensor
    setup.passcodeDelays = passcodeDelays
    setup.hasStoppedClock = true
    state = TestDeviceState(passcode: passcode)
    ephemeral = try EphemeralDevice(setup, passcode: state.secret)
    sensor = TestSensor(link: ephemeral.link, state: state)
    clock = TestClock(link: ephemeral.link)
  }

  /// The device, for code that creates its own contexts.
  public var device: Device { ephemeral.device }

  /// A prompter that records prompts and leaves answering to the script.
  var prompter: Prompter { .custom(state) }

  /// Its name in prompts and in the audit.
  public var name: String { ephemeral.name }

  /// Creates a new context on the device.
  ///
  /// The script answers its prompts, and ``prompts`` records them.
  public func context() -> AuthContext {
    let context = AuthContext(device: device)
    context.prompter = prompter
    return context
  }

  /// The device's keychain, in a new context as created by ``context()``.
  ///
  /// - Parameter service: the service of its accounts.
  /// - Returns: the keychain, which retains its context.
  public func keychain(service: String = "") -> Keychain {
    Keychain(context: context(), service: service)
  }

  /// The prompts shown so far by contexts of ``context()``, oldest first.
  public var prompts: [Prompt] { state.prompts }

  // MARK: Looking at it

  /// The current state of the device.
  public func status() throws(DeviceError) -> TestDeviceStatus {
    TestDeviceStatus(try link.call(Methods.status).device)
  }

  /// The device's audit, at most 10,000 lines, oldest first.
  public func auditLines() throws(DeviceError) -> [TestAuditLine] {
    var call = DeviceMessages.AuditCall()
    call.device = name
    call.limit = 10_000
    return try link.call(Methods.audit, call).lines.map(TestAuditLine.init)
  }

  // MARK: Changing it

  /// Locks the device, which must have a passcode, and cancels its evaluations.
  public func lock() throws(DeviceError) { _ = try link.call(Methods.lockDevice) }

  /// Unlocks the device with its passcode.
  public func unlock() throws(DeviceError) {
    try withPasscode { (passcode) throws(DeviceError) in
      guard let passcode else { throw .refused(.passcodeNotSet) }
      var call = DeviceMessages.UnlockCall()
      call.device = name
      call.passcode = passcode
      _ = try link.call(Methods.unlockDevice, call)
    }
  }

  /// Unlocks the device with its first enrolled finger; requires an earlier unlock with the
  /// passcode.
  ///
  /// A context with a `AuthContext.reuseDuration` may reuse this unlock.
  public func unlockWithFinger() throws(DeviceError) {
    try link.unlock(with: Secret(testing: "match"))
  }

  /// Restarts the device: a new boot, locked, with all counters preserved.
  public func reboot() throws(DeviceError) { _ = try link.call(Methods.rebootDevice) }

  /// Sets or changes the passcode.
  public func setPasscode(_ new: String) throws(DeviceError) {
    try withPasscode { (passcode) throws(DeviceError) in
      try DeviceLink.lending(Secret(testing: new)) { (secret) throws(DeviceError) in
        var call = DeviceMessages.SetPasscodeCall()
        call.device = name
        call.new = secret
        call.passcode = passcode
        _ = try link.call(Methods.setPasscode, call)
      }
    }
    state.passcode = new
  }

  /// Removes the passcode.
  public func removePasscode() throws(DeviceError) {
    try withPasscode { (passcode) throws(DeviceError) in
      var call = DeviceMessages.RemovePasscodeCall()
      call.device = name
      call.passcode = passcode
      _ = try link.call(Methods.removePasscode, call)
    }
    state.passcode = nil
  }

  private func withPasscode(
    _ body: (WireSecret?) throws(DeviceError) -> Void
  ) throws(DeviceError) {
    try DeviceLink.lending(state.secret, body)
  }
}
