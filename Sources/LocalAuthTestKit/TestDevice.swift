public import LocalAuth
import LocalAuthClient
public import LocalAuthCore
public import LocalAuthEmbedded
import LocalAuthSecret
import LocalAuthWire

/// A device for a test: ephemeral, with a simulated sensor and a clock that stands still.
///
/// Say first what will happen, then call the code under test; nothing sleeps:
///
/// ```swift
/// let device = try TestDevice(fingers: [.rightIndex], passcode: "1234")
/// try device.sensor.script("miss, match:right-index")
/// let evaluation = try await device.context().evaluate(.biometrics, reason: "open the vault")
/// #expect(evaluation.attempts == 2)
/// ```
///
/// A script that runs out while the prompt is open lets the clock jump to the time-out. Every call
/// here is synchronous, unless it waits for a prompt. Tests may run in parallel, each with devices
/// of its own. The device goes with this value, or with the last context on it.
public final class TestDevice: Sendable {
  /// Drives its sensor.
  public let sensor: TestSensor
  /// Its clock.
  public let clock: TestClock
  private let ephemeral: EphemeralDevice
  private let state: TestDeviceState
  private var link: DeviceLink { ephemeral.link }

  /// Makes a device that is unlocked.
  ///
  /// - Parameters:
  ///   - fingers: the fingers that are enrolled.
  ///   - passcode: its passcode; nil for none.
  ///   - lockout: when misses lock fingers.
  ///   - hasSensor: whether it has a sensor.
  ///   - passcodeDelays: the name of the table by which wrong passcodes are delayed; nil for the
  ///     default.
  /// - Throws: what cannot be used.
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

  /// The device, for code that makes its contexts itself.
  public var device: Device { ephemeral.device }

  /// Somebody can be asked, and what answers is the script.
  var prompter: Prompter { .custom(state) }

  /// Its name in prompts and in the audit.
  public var name: String { ephemeral.name }

  /// A new context on the device.
  ///
  /// Somebody can be asked, and what answers is the script; ``prompts`` tells what was asked.
  public func context() -> AuthContext {
    let context = AuthContext(device: device)
    context.prompter = prompter
    return context
  }

  /// The device's keychain, in a new context as ``context()`` makes it.
  ///
  /// - Parameter service: what its accounts belong to.
  /// - Returns: the keychain; its context lives as long.
  public func keychain(service: String = "") -> Keychain {
    Keychain(context: context(), service: service)
  }

  /// What contexts of ``context()`` have shown so far, oldest first.
  public var prompts: [Prompt] { state.prompts }

  // MARK: Looking at it

  /// The device as it stands.
  public func status() throws(DeviceError) -> TestDeviceStatus {
    TestDeviceStatus(try link.call(Methods.status).device)
  }

  /// The device's audit, oldest line first; at most 10,000 lines.
  public func auditLines() throws(DeviceError) -> [TestAuditLine] {
    var call = DeviceMessages.AuditCall()
    call.device = name
    call.limit = 10_000
    return try link.call(Methods.audit, call).lines.map(TestAuditLine.init)
  }

  // MARK: Changing it

  /// Locks the device, which cancels what runs on it; it needs a passcode for that.
  public func lock() throws(DeviceError) { _ = try link.call(Methods.lockDevice) }

  /// Unlocks it with its passcode.
  public func unlock() throws(DeviceError) {
    try withPasscode { (passcode) throws(DeviceError) in
      guard let passcode else { throw .refused(.passcodeNotSet) }
      var call = DeviceMessages.UnlockCall()
      call.device = name
      call.passcode = passcode
      _ = try link.call(Methods.unlockDevice, call)
    }
  }

  /// Unlocks it with its first enrolled finger, which takes an earlier unlock with the passcode.
  ///
  /// A context that has a ``AuthContext/reuseDuration`` may reuse this.
  public func unlockWithFinger() throws(DeviceError) {
    try link.unlock(with: Secret(testing: "match"))
  }

  /// Restarts it: another boot, locked, and no counter cleared.
  public func reboot() throws(DeviceError) { _ = try link.call(Methods.rebootDevice) }

  /// Sets its passcode, or changes it.
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

  /// Removes its passcode.
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
