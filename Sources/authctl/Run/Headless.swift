import LocalAuthClient
import LocalAuthCore
import LocalAuthWire

/// Asking where nobody is shown anything: another process drives the simulated sensor.
enum Headless {
  static let flag = Flag(
    "headless",
    help: "show nothing: another process drives the simulated sensor"
  )
}

extension VerbContext {
  /// Whether nobody is shown anything and the sensor of `device` is driven from elsewhere.
  ///
  /// Fails on a device that is not simulated: there a person must see what is asked.
  func isHeadless(on device: DeviceChoice) throws(Failure) -> Bool {
    guard arguments[Headless.flag] else { return false }
    let status = try call(Methods.status, DeviceVerbs.call(device)).device
    guard status.simulated else {
      throw Failure(
        .notPermitted,
        "--headless needs a simulated device: on \(status.name) a person must see what is asked. "
          + "Name one: authctl --device NAME"
      )
    }
    return true
  }
}
