import LocalAuthCore
import LocalAuthJSON
import LocalAuthTerminal
import LocalAuthUnix
import LocalAuthWire

/// A device and the daemon, formatted for people and for programs.
enum DeviceText {
  // MARK: For people

  /// Formats a device, and the programs that judge for it, in two columns.
  static func lines(
    _ device: DeviceMessages.Device,
    judgedBy authenticators: [AuthenticatorListMessages.Line] = []
  ) -> [String] {
    var rows = [
      ("Device", device.name + (device.simulated ? " (simulated)" : "")),
      ("State", lockState(device)),
      ("Sensor", sensor(device)),
    ]
    if device.hasSensor {
      let fingers = device.fingers.joined(separator: ", ")
      rows.append(("Fingers", fingers.isEmpty ? "none enrolled" : fingers))
      rows.append(("Biometry", biometry(device)))
    }
    rows.append(("Passcode", passcode(device)))
    for line in authenticators {
      let kind = line.kind.prefix(1).uppercased() + line.kind.dropFirst()
      let state = ClauseAuthenticators.hindrance(of: line, on: device) ?? "ready"
      rows.append((kind, "\(line.name): \(state)"))
    }
    rows.append(("Keychain", keychain(device)))
    rows.append(("Lockout", "\(device.lockout), passcode delays \(device.passcodeDelays)"))
    rows.append(("Prompt", prompt(device)))
    return Columns.lines(rows)
  }

  /// Formats the daemon in two columns.
  static func lines(
    _ daemon: DaemonMessages.Daemon,
    at paths: RuntimePaths
  ) -> [String] {
    let connections = CountText.of(daemon.connections, "connection")
    return Columns.lines([
      (
        "Daemon",
        "\(daemon.version), process \(daemon.pid), up \(uptime(daemon.uptimeSeconds)), "
          + connections
      ),
      (
        "Memory",
        daemon.memoryLocked
          ? "secrets are kept out of swap"
          : "secrets may reach swap: the limit on locked memory (ulimit -l) or a filter refuses mlock"
      ),
      ("Storage", daemon.storage), ("Home", paths.home),
      ("Socket", daemon.socket ?? paths.socket),
    ])
  }

  /// Returns one row of `device list`.
  static func row(_ device: DeviceMessages.Device) -> [String] {
    let fingers = CountText.of(device.fingers.count, "finger")
    return [
      device.name, kind(device), lockState(device),
      device.hasSensor ? fingers : "no sensor",
      device.hasPasscode ? "\(device.passcode) passcode" : "no passcode",
    ]
  }

  /// Says whether it is simulated, in words for lists.
  static func kind(_ device: DeviceMessages.Device) -> String {
    device.simulated ? "simulated" : "this machine"
  }

  private static func sensor(_ device: DeviceMessages.Device) -> String {
    switch device.sensor {
    case "none": "none"
    case "reader": "fingerprint reader"
    default: "\(device.sensor) fingerprint sensor"
    }
  }

  private static func keychain(_ device: DeviceMessages.Device) -> String {
    switch device.keychain {
    case "none": "none yet: 'passcode set' makes it"
    case "damaged": "its keybag is damaged: put a backup of the state back"
    default: device.keychain
    }
  }

  static func lockState(_ device: DeviceMessages.Device) -> String {
    device.lockState == "beforeFirstUnlock" ? "before first unlock" : device.lockState
  }

  static func biometry(_ device: DeviceMessages.Device) -> String {
    standing(
      device.biometry,
      left: device.attemptsLeft,
      retryAfter: device.retryAfterSeconds
    )
  }

  static func passcode(_ device: DeviceMessages.Device) -> String {
    guard device.hasPasscode else { return "none set" }
    let keeper = device.hasPasscodeOfPAM ? "PAM (\(device.pamService ?? "?"))" : "its own"
    if let obstacle = device.passcodeObstacle { return "\(keeper). \(obstacle)" }
    let standing = standing(
      device.passcodeState,
      left: device.passcodeAttemptsLeft,
      retryAfter: device.passcodeRetryAfterSeconds
    )
    return "\(keeper), \(standing)"
  }

  /// Says that passcodes are refused still, which a clock that moves forward does not end; nil if
  /// they are not.
  static func lastingRefusal(_ device: DeviceMessages.Device) -> String? {
    guard device.passcodeState == OutcomeCode.passcodeThrottled.rawValue,
      let seconds = device.passcodeRetryAfterSeconds
    else { return nil }
    return "Passcodes are refused for \(DurationText.words(.seconds(seconds))) still: only time "
      + "itself ends that."
  }

  /// Describes whether a factor is usable, how many attempts are left, or when it becomes usable.
  static func standing(_ state: String, left: Int64?, retryAfter: Int64?) -> String {
    guard state == "usable" else {
      let words = hindrance(state)
      guard let retryAfter else {
        return state == OutcomeCode.biometryLockout.rawValue
          ? "\(words) until the passcode is used" : words
      }
      return "\(words), try again in \(DurationText.words(.seconds(retryAfter)))"
    }
    guard let left else { return "usable" }
    return "usable, " + CountText.of(left, "try", "tries") + " left"
  }

  /// Describes why a factor cannot be used, to follow its name.
  private static func hindrance(_ state: String) -> String {
    switch OutcomeCode(rawValue: state) {
    case .biometryLockout, .authenticatorLockout: "locked"
    case .passcodeThrottled: "too many wrong ones"
    case .biometryNotEnrolled: "no finger is enrolled"
    case .biometryNotAvailable: "the sensor cannot be used"
    case .biometryDisconnected: "the sensor is disconnected"
    case .authenticatorNotAvailable: "none is connected"
    case .passcodeNotSet: "none set"
    case .some(let other): other.sentence
    case .none: state
    }
  }

  private static func prompt(_ device: DeviceMessages.Device) -> String {
    guard device.prompting else { return "none" }
    return device.waiting == 0 ? "one is shown" : "one is shown, \(device.waiting) more wait"
  }

  /// Formats seconds in the two largest units: `3 d 4 h`, `5 min 20 s`.
  private static func uptime(_ seconds: Int64) -> String {
    switch seconds {
    case ..<60: "\(seconds) s"
    case ..<3600: "\(seconds / 60) min \(seconds % 60) s"
    case ..<86_400: "\(seconds / 3600) h \(seconds % 3600 / 60) min"
    default: "\(seconds / 86_400) d \(seconds % 86_400 / 3600) h"
    }
  }

  // MARK: For programs

  /// Writes the members of a device.
  static func write(
    _ device: DeviceMessages.Device,
    to writer: inout JSONWriter<JSONGrowingBuffer>
  ) {
    writer.member("name", device.name)
    writer.member("simulated", device.simulated)
    writer.member("sensor", device.sensor)
    writer.member("fingers", device.fingers)
    writer.member("passcode", device.passcode)
    writer.member("pamService", device.pamService)
    writer.member("lockState", device.lockState)
    writer.member("keychain", device.keychain)
    writer.member("lockout", device.lockout)
    writer.member("passcodeDelays", device.passcodeDelays)
    writer.member("biometry", device.biometry)
    writer.member("remainingAttempts", device.attemptsLeft)
    writer.member("retryAfterSeconds", device.retryAfterSeconds)
    writer.member("passcodeState", device.passcodeState)
    writer.member("passcodeObstacle", device.passcodeObstacle)
    writer.member("passcodeRemainingAttempts", device.passcodeAttemptsLeft)
    writer.member("passcodeRetryAfterSeconds", device.passcodeRetryAfterSeconds)
    writer.member("domainState", device.domainState)
    writer.member("prompting", device.prompting)
    writer.member("waiting", device.waiting)
  }

  /// Writes the members of the daemon.
  static func write(
    _ daemon: DaemonMessages.Daemon,
    at paths: RuntimePaths,
    to writer: inout JSONWriter<JSONGrowingBuffer>
  ) {
    writer.member("version", daemon.version)
    writer.member("pid", daemon.pid)
    writer.member("uptimeSeconds", daemon.uptimeSeconds)
    writer.member("connections", daemon.connections)
    writer.member("memoryLocked", daemon.memoryLocked)
    writer.member("storage", daemon.storage)
    writer.member("home", paths.home)
    writer.member("socket", daemon.socket ?? paths.socket)
  }
}
