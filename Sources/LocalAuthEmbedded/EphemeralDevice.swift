public import LocalAuth
import LocalAuthClient
public import LocalAuthSecret
import Synchronization

/// A simulated device in this process, which lives as long as this value or a context on it.
///
/// All ephemeral devices of a process share one engine, on one thread of LocalAuth's own. Nothing
/// is written to disk, and only the shipped policies apply. Successes are simulated, and count
/// because the program named the device.
public final class EphemeralDevice: Sendable {
  /// The device, for use in contexts.
  public let device: Device
  /// Its name in prompts and in the audit, never reused within the process.
  public var name: String { link.name }
  /// Administers and drives the device.
  package let link: DeviceLink

  private static let lastNumber = Atomic<UInt64>(0)

  /// Creates a device; blocks for a few milliseconds if it has a passcode.
  ///
  /// - Parameters:
  ///   - setup: its hardware and settings.
  ///   - passcode: its passcode; nil for none.
  /// - Throws: ``DeviceError`` if a value is invalid or the engine cannot start.
  public init(
    _ setup: DeviceSetup = DeviceSetup(),
    passcode: consuming Secret? = nil
  ) throws(DeviceError) {
    let number = Self.lastNumber.add(1, ordering: .relaxed).newValue
    let name = "ephemeral-\(number)"
    let engine = try EngineThread.ephemeral()
    try DeviceLink(name, of: engine).create(setup, passcode: passcode)
    link = DeviceLink(name, of: LivingDevice(name, of: engine))
    device = Device(name, servedBy: link.source)
  }
}

/// Connects to one device, and deletes the device with the last reference.
private final class LivingDevice: ConnectionSource {
  private let name: String
  private let engine: EngineThread

  init(_ name: String, of engine: EngineThread) {
    self.name = name
    self.engine = engine
  }

  deinit {
    // An error cannot be reported any more, and the device ends with the process in any case.
    try? DeviceLink(name, of: engine).discard()
  }

  func connect() throws(ClientError) -> DaemonConnection { try engine.connect() }

  func connectToRunning() throws(ClientError) -> DaemonConnection { try engine.connect() }
}
