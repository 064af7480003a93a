public import LocalAuth
import LocalAuthClient
import LocalAuthSecret
package import LocalAuthUnix
import LocalAuthWire
import Synchronization

/// Devices inside the process, chosen by the environment for programs that cannot name one.
extension Device {
  /// The device that `LOCALAUTH_DEVICE` chooses: `ephemeral`, the path of a directory, or the name
  /// of a device of the user's daemon; if it is unset, the user's own machine.
  ///
  /// A device inside the process that the environment alone chose fails with
  /// ``AuthError/simulatedNotAllowed`` unless `LOCALAUTH_ALLOW_SIMULATED` is 1. An ephemeral device
  /// has the right index finger enrolled and no passcode, and lives as long as the process. The
  /// device of a directory is called `simulated`; it is created in the same way on first use, and
  /// then stays.
  ///
  /// `LOCALAUTH_LOCKOUT` names the lockout profile such a device is created with, instead of
  /// `three-strikes`. `LOCALAUTH_EPHEMERAL_PASSCODE` gives an ephemeral device a passcode. An
  /// environment is no place for a secret, but this passcode is none: what it protects ends with
  /// the process.
  ///
  /// - Throws: ``DeviceError`` if the environment's choice is invalid or the engine cannot start.
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
    let wish = DeviceWish(environment)
    let link = isPath ? try wish.device(in: word) : try wish.ephemeralDevice().link
    let choice = DeviceChoice(chosenByEnvironment: link.name, environment: environment)
    return Device(choice, servedBy: link.source)
  }
}

/// The environment's settings for a device inside the process.
private struct DeviceWish: Hashable {
  private static let lockoutVariable = "LOCALAUTH_LOCKOUT"
  private static let passcodeVariable = "LOCALAUTH_EPHEMERAL_PASSCODE"
  /// The ephemeral devices of this process, by their settings.
  private static let devices = Mutex<[DeviceWish: EphemeralDevice]>([:])

  private let lockout: String?
  private let passcode: String?

  init(_ environment: ProcessEnvironment) {
    lockout = environment[Self.lockoutVariable]
    passcode = environment[Self.passcodeVariable]
  }

  private var setup: DeviceSetup {
    var setup = DeviceSetup()
    setup.fingers = [.rightIndex]
    if let lockout { setup.lockout = .named(lockout) }
    return setup
  }

  func ephemeralDevice() throws(DeviceError) -> EphemeralDevice {
    try Self.devices.withLock { (devices) throws(DeviceError) in
      if let device = devices[self] { return device }
      let device = try naming { () throws(DeviceError) in
        try EphemeralDevice(setup, passcode: passcode.map { Secret(copying: $0.utf8) })
      }
      devices[self] = device
      return device
    }
  }

  /// The device of a directory, created on first use and never changed later.
  func device(in directory: String) throws(DeviceError) -> DeviceLink {
    guard passcode == nil else {
      throw .invalid(
        "\(Self.passcodeVariable) is for an ephemeral device; one in a directory keeps its own"
      )
    }
    let link = DeviceLink("simulated", of: try EngineThread.serving(directory))
    do throws(DeviceError) {
      try naming { () throws(DeviceError) in try link.create(setup, passcode: nil) }
    } catch {
      guard case .exists = error else { throw error }
      try check(link, in: directory)
    }
    return link
  }

  private func check(_ link: DeviceLink, in directory: String) throws(DeviceError) {
    guard let lockout else { return }
    let kept = try link.call(Methods.status).device.lockout
    guard kept == lockout else {
      throw .invalid(
        "the device in \(directory) was made with the lockout profile '\(kept)': "
          + "unset \(Self.lockoutVariable), or name another directory"
      )
    }
  }

  /// Names the variable in the message of an invalid value.
  private func naming<Value>(
    _ body: () throws(DeviceError) -> Value
  ) throws(DeviceError) -> Value {
    do throws(DeviceError) {
      return try body()
    } catch {
      guard lockout != nil, case .invalid(let message) = error else { throw error }
      throw .invalid("\(Self.lockoutVariable): \(message)")
    }
  }
}
