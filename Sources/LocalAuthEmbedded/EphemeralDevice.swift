public import LocalAuth
import LocalAuthClient
public import LocalAuthSecret
import Synchronization

/// A simulated device that lives in this process, for as long as this value or a context on it.
///
/// All ephemeral devices of a process share one engine, on one thread of LocalAuth's. Nothing of
/// theirs is written to disk, and policies are the shipped ones. A success on one is simulated, and
/// counts because the program named the device.
public final class EphemeralDevice: Sendable {
  /// The device, to be given to contexts.
  public let device: Device
  /// Its name in prompts and in the audit; no other device of the process ever has it.
  public var name: String { link.name }
  /// Administers and drives it.
  package let link: DeviceLink

  private static let lastNumber = Atomic<UInt64>(0)

  /// Makes a device; blocks for a few milliseconds where it has a passcode.
  ///
  /// - Parameters:
  ///   - setup: what it is made of.
  ///   - passcode: its passcode; nil for none.
  /// - Throws: what cannot be used, or why there is no engine.
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

/// The way to one device, which is forgotten when nobody has the way any more.
private final class LivingDevice: ConnectionSource {
  private let name: String
  private let engine: EngineThread

  init(_ name: String, of engine: EngineThread) {
    self.name = name
    self.engine = engine
  }

  deinit {
    // Nobody is left to hear of an error, and the device ends with the process in any case.
    try? DeviceLink(name, of: engine).discard()
  }

  func connect() throws(ClientError) -> DaemonConnection { try engine.connect() }

  func connectToRunning() throws(ClientError) -> DaemonConnection { try engine.connect() }
}
