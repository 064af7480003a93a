public import LocalAuth
public import LocalAuthSecret
import Synchronization

/// A simulated device that lives in this process and goes with this value.
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
    let link = DeviceLink("ephemeral-\(number)", of: try EngineThread.ephemeral())
    try link.create(setup, passcode: passcode)
    self.link = link
    device = Device(link.name, servedBy: link.source)
  }

  deinit {
    // Nobody is left to hear of an error, and the device ends with the process in any case.
    try? link.discard()
  }
}
