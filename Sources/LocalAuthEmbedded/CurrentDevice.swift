package import LocalAuth
import Synchronization

/// The device that code means which cannot name one: Apple's functions take no device.
package final class CurrentDevice: Sendable {
  /// The device.
  package let device: Device
  /// Who asks the person there.
  package let prompter: Prompter

  /// Its keychain, each call on its own.
  package let keychain: Keychain

  /// This device, where that prompter asks.
  package init(_ device: Device, prompter: Prompter) {
    self.device = device
    self.prompter = prompter
    keychain = Keychain(device: device, prompter: prompter)
  }

  /// The device of the task that runs, and of those that it starts.
  @TaskLocal package static var ofTask: CurrentDevice?

  private static let ofProcess = Mutex<CurrentDevice?>(nil)

  /// Makes it the device of everything in the process that has none of its own; nil is what the
  /// environment chooses.
  package static func setOfProcess(_ device: CurrentDevice?) {
    ofProcess.withLock { $0 = device }
  }

  /// The device of the task, or of the process, or what `LOCALAUTH_DEVICE` chooses.
  package static func get() throws(DeviceError) -> CurrentDevice {
    if let ofTask { return ofTask }
    if let chosen = ofProcess.withLock({ $0 }) { return chosen }
    return try environment.get()
  }

  /// Read once: a process does not move to another device because a variable changed.
  private static let environment: Result<CurrentDevice, DeviceError> = {
    do throws(DeviceError) {
      return .success(CurrentDevice(try Device.fromEnvironment(), prompter: .terminal))
    } catch {
      return .failure(error)
    }
  }()
}
