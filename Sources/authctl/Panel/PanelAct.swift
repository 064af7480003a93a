import LocalAuthTerminal
import LocalAuthWire

/// What a key of the panel does to a simulated device.
enum PanelAct: Equatable, Sendable {
  /// A finger is laid on the sensor.
  case touch(finger: String)
  /// A touch that does not match.
  case miss
  case unplug
  case plug
  case reboot
  /// The clock moves forward.
  case advance(Duration)
}

/// A key of the panel that drives a simulated device.
enum PanelKey: Equatable, Sendable {
  /// The enrolled finger with this number, from 1.
  case finger(Int)
  case miss
  case plug
  case reboot
  case clock(Duration)

  /// The key with this character, if it is one.
  init?(_ scalar: Unicode.Scalar) {
    switch scalar {
    case "1"..."9": self = .finger(Int(scalar.value - 0x30))
    case "0": self = .finger(10)
    case "m": self = .miss
    case "u": self = .plug
    case "r": self = .reboot
    case "c": self = .clock(.seconds(60))
    case "h": self = .clock(.seconds(3600))
    case "d": self = .clock(.seconds(86_400))
    default: return nil
    }
  }

  /// Whether it is about the sensor.
  var needsSensor: Bool {
    switch self {
    case .finger, .miss, .plug: true
    case .reboot, .clock: false
    }
  }

  /// The keys there are for `device`, in one line.
  static func help(for device: DeviceMessages.Device, isPlugged: Bool) -> String {
    guard device.simulated else { return "q quit" }
    var keys = ["q quit"]
    if device.hasSensor {
      let count = min(device.fingers.count, 10)
      if count == 1 { keys.append("1 lay the finger") }
      if count > 1 { keys.append("1-\(count % 10) lay a finger") }
      keys += ["m miss", isPlugged ? "u unplug" : "u plug in"]
    }
    return (keys + ["r reboot", "c/h/d clock +1m/1h/1d"]).joined(separator: "  ")
  }
}
