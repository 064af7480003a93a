import Glibc
public import LocalAuth
import LocalAuthClient
public import LocalAuthSecret
package import LocalAuthUnix

extension Device {
  /// A device whose engine runs inside this process and keeps its state in `directory`.
  ///
  /// The directory has one owner: all devices of a process that name the same path share one
  /// engine, which ends with the last of them; another process, a daemon included, is kept out.
  ///
  /// - Parameters:
  ///   - name: the name the device was created with; nil for the user's own machine.
  ///   - directory: an absolute path; made if need be, with access for its owner only.
  /// - Throws: ``DeviceError/engine(_:)``, when the state is not to be had.
  public init(_ name: String? = nil, directory: String) throws(DeviceError) {
    self.init(name, servedBy: try EngineThread.serving(directory))
  }

  /// Makes a simulated device whose engine runs inside this process.
  ///
  /// - Parameters:
  ///   - name: its name; no other device of the directory has it.
  ///   - directory: where its state is kept, as in ``init(_:directory:)``.
  ///   - setup: what it is made of.
  ///   - passcode: its passcode; nil for none.
  /// - Returns: the device, for contexts.
  /// - Throws: what cannot be used, or why there is no engine.
  public static func create(
    _ name: String,
    directory: String,
    _ setup: DeviceSetup = DeviceSetup(),
    passcode: consuming Secret? = nil
  ) throws(DeviceError) -> Device {
    let link = DeviceLink(name, of: try EngineThread.serving(directory))
    try link.create(setup, passcode: passcode)
    return Device(name, servedBy: link.source)
  }

  /// What `LOCALAUTH_DEVICE` chooses: `ephemeral`, the path of a directory, or the name of a device
  /// of the user's daemon; without it the user's own machine.
  ///
  /// A device inside the process that the environment alone chose is refused with
  /// ``AuthError/simulatedNotAllowed`` unless `LOCALAUTH_ALLOW_SIMULATED` is 1. An ephemeral one has
  /// the right index finger enrolled and no passcode, and lives as long as the process. That of a
  /// directory is called `simulated`; it is made like that at its first use, and stays.
  ///
  /// - Throws: why there is no engine.
  public static func fromEnvironment() throws(DeviceError) -> Device {
    try fromEnvironment(.current)
  }

  package static func fromEnvironment(
    _ environment: ProcessEnvironment
  ) throws(DeviceError) -> Device {
    let word = environment["LOCALAUTH_DEVICE"]
    let isPath = word?.utf8.contains(UInt8(ascii: "/")) ?? false
    guard let word, word == "ephemeral" || isPath else { return .default }
    guard environment["LOCALAUTH_ALLOW_SIMULATED"] == "1" else {
      return Device(unusable: .simulatedNotAllowed)
    }
    guard isPath else {
      let link = try processDevice.get().link
      let choice = DeviceChoice(chosenByEnvironment: link.name, environment: environment)
      return Device(choice, servedBy: link.source)
    }
    let link = DeviceLink("simulated", of: try EngineThread.serving(word))
    do throws(DeviceError) {
      try link.create(ofTheEnvironment, passcode: nil)
    } catch {
      guard case .exists = error else { throw error }
    }
    let choice = DeviceChoice(chosenByEnvironment: link.name, environment: environment)
    return Device(choice, servedBy: link.source)
  }

  /// What a device is made of that only the environment describes.
  private static var ofTheEnvironment: DeviceSetup {
    var setup = DeviceSetup()
    setup.fingers = [.rightIndex]
    return setup
  }

  private static let processDevice: Result<EphemeralDevice, DeviceError> = {
    do throws(DeviceError) {
      return .success(try EphemeralDevice(ofTheEnvironment))
    } catch {
      return .failure(error)
    }
  }()
}
