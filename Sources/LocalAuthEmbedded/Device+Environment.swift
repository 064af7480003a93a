public import LocalAuth
import LocalAuthClient
import LocalAuthSecret
package import LocalAuthUnix
import LocalAuthWire
import Synchronization

/// Devices inside the process that the environment chooses, for programs that cannot name one.
extension Device {
  /// What `LOCALAUTH_DEVICE` chooses: `ephemeral`, the path of a directory, or the name of a device
  /// of the user's daemon; without it the user's own machine.
  ///
  /// A device inside the process that the environment alone chose is refused with
  /// ``AuthError/simulatedNotAllowed`` unless `LOCALAUTH_ALLOW_SIMULATED` is 1. An ephemeral one has
  /// the right index finger enrolled and no passcode, and lives as long as the process. That of a
  /// directory is called `simulated`; it is made like that at its first use, and stays.
  ///
  /// `LOCALAUTH_LOCKOUT` names the lockout profile that such a device is made with, instead of
  /// `three-strikes`. `LOCALAUTH_EPHEMERAL_PASSCODE` gives an ephemeral one a passcode. An environment is
  /// no place for a secret, and that is none: what it protects ends with the process.
  ///
  /// - Throws: what the environment asks for and cannot have, or why there is no engine.
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

/// What the environment says of a device that only it describes.
private struct DeviceWish: Hashable {
  private static let lockoutVariable = "LOCALAUTH_LOCKOUT"
  private static let passcodeVariable = "LOCALAUTH_EPHEMERAL_PASSCODE"
  /// The ephemeral devices of this process, by the wish that they were made for.
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

  /// The device of a directory, which is made at its first use and then stays as it is.
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

  /// Says which variable it was that cannot be used.
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
