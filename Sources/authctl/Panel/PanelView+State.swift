import LocalAuthCore
import LocalAuthWire

/// The device: lock, sensor, fingers, and what is counted.
extension PanelView {
  /// The state of the device, a line for each part that it has.
  static func state(_ panel: Panel) -> [PanelLine] {
    let device = panel.device
    var lines = [PanelLine("State", DeviceText.lockState(device), look(ofLock: device))]
    lines.append(PanelLine("Sensor", sensor(panel)))
    if device.hasSensor {
      lines += fingers(device)
      lines.append(
        PanelLine("Biometry", DeviceText.biometry(device), look(of: device.biometryOutcome))
      )
    }
    lines.append(PanelLine("Passcode", passcode(device), look(of: device.passcodeOutcome)))
    lines.append(
      PanelLine("Lockout", "\(device.lockout), passcode delays \(device.passcodeDelays)")
    )
    return lines
  }

  private static func look(ofLock device: DeviceMessages.Device) -> PanelLine.Look {
    device.lockState == "unlocked" ? .plain : .warning
  }

  private static func look(of outcome: OutcomeCode) -> PanelLine.Look {
    switch outcome {
    case .success, .passcodeNotSet, .biometryNotEnrolled: .plain
    default: .alarm
    }
  }

  private static func sensor(_ panel: Panel) -> String {
    guard panel.device.hasSensor else { return "none" }
    let kind = "\(panel.device.sensor) fingerprint sensor"
    guard let state = panel.sensor["state"] else { return kind }
    guard panel.isPlugged else { return "\(kind), unplugged" }
    return "\(kind), \(panel.sensor["busy"] == "true" ? "held by another program" : state)"
  }

  /// The fingers with their keys, four a line.
  private static func fingers(_ device: DeviceMessages.Device) -> [PanelLine] {
    guard !device.fingers.isEmpty else { return [PanelLine("Fingers", "none enrolled")] }
    let named = device.fingers.enumerated().map { index, finger in
      let name = finger.hasSuffix("-finger") ? String(finger.dropLast(7)) : finger
      return device.simulated ? "\((index + 1) % 10) \(name)" : name
    }
    return stride(from: 0, to: named.count, by: 4).map { first in
      let text = named[first..<min(first + 4, named.count)].joined(separator: "   ")
      return PanelLine(first == 0 ? "Fingers" : "", text)
    }
  }

  private static func passcode(_ device: DeviceMessages.Device) -> String {
    let wrong = device.wrongPasscodes ?? 0
    let counted = wrong > 0 ? ", \(CountText.of(wrong, "wrong one")) counted" : ""
    return DeviceText.passcode(device) + counted
  }
}
