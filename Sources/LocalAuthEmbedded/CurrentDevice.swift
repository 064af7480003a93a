package import LocalAuth
import Synchronization

/// The device for code that cannot name one, because Apple's functions take no device.
package final class CurrentDevice: Sendable {
  /// The device.
  package let device: Device
  /// The prompter that asks the person.
  package let prompter: Prompter

  /// The device's keychain, whose calls share no proof.
  package let keychain: Keychain

  /// Creates a value for a device and a prompter.
  package init(_ device: Device, prompter: Prompter) {
    self.device = device
    self.prompter = prompter
    keychain = Keychain(device: device, prompter: prompter)
  }

  /// The device of the current task and of the tasks it starts.
  @TaskLocal package static var ofTask: CurrentDevice?

  private static let ofProcess = Mutex<CurrentDevice?>(nil)

  /// Sets the device of the process, used by every task without its own; nil for the environment's
  /// choice.
  package static func setOfProcess(_ device: CurrentDevice?) {
    ofProcess.withLock { $0 = device }
  }

  /// The device of the task, else of the process, else the one that `LOCALAUTH_DEVICE` chooses.
  package static func get() throws(DeviceError) -> CurrentDevice {
    if let ofTask { return ofTask }
    if let chosen = ofProcess.withLock({ $0 }) { return chosen }
    return try environment.get()
  }

  /// Read once, so that a change of the variable does not move a process to another device.
  private static let environment: Result<CurrentDevice, DeviceError> = {
    do throws(DeviceError) {
      return .success(CurrentDevice(try Device.fromEnvironment(), prompter: .terminal))
    } catch {
      return .failure(error)
    }
  }()
}
