import LocalAuthCore
import LocalAuthPolicies
import LocalAuthWire

/// Which authenticators of this machine satisfy each clause of a requirement, and what is missing.
struct ClauseAuthenticators {
  /// One authenticator for a clause, or what is missing where there is none.
  struct Row {
    /// The clause in words.
    let clause: String
    /// The authenticator's name; nil if there is none.
    let name: String?
    /// Whether it can be asked.
    let isReady: Bool
    /// Its state, or what is missing.
    let state: String
  }

  let rows: [Row]

  /// Finds those for `requirement` on `device` among the `programs` of the machine.
  init(
    _ requirement: Requirement,
    on device: DeviceMessages.Device,
    among programs: [AuthenticatorListMessages.Line]
  ) {
    var seen: Set<Requirement> = []
    rows = Self.leaves(requirement).filter { seen.insert($0).inserted }.flatMap { leaf in
      Self.rows(for: leaf, on: device, among: programs)
    }
  }

  /// The rows in three columns.
  var lines: [String] {
    Columns.table(rows.map { [$0.clause, $0.name ?? "none", $0.state] })
  }

  private static func leaves(_ requirement: Requirement) -> [Requirement] {
    switch requirement {
    case .allOf(let parts), .anyOf(let parts): parts.flatMap(leaves)
    case .biometry, .passcode, .applicationPassword, .companion, .possession: [requirement]
    }
  }

  private static func rows(
    for leaf: Requirement,
    on device: DeviceMessages.Device,
    among programs: [AuthenticatorListMessages.Line]
  ) -> [Row] {
    let clause = leaf.words()
    switch leaf {
    case .biometry where device.sensor == "simulated":
      let state = device.fingers.isEmpty ? "no finger is enrolled" : "ready"
      return [Row(clause, "simulated-sensor", isReady: !device.fingers.isEmpty, state)]
    case .biometry:
      let readers = programs.filter { $0.evidence == AuthenticatorClass.biometry.rawValue }
      return rows(clause, readers, on: device)
    case .possession(let possession):
      let had = programs.filter { $0.evidence == AuthenticatorClass.possession.rawValue }
      return rows(clause, had.filter { possession.includes($0.name, kind: $0.kind) }, on: device)
    case .passcode: return [passcode(clause, on: device)]
    case .applicationPassword, .companion:
      return [Row(clause, nil, isReady: true, "comes with the request")]
    case .allOf, .anyOf: return []
    }
  }

  private static func rows(
    _ clause: String,
    _ fitting: [AuthenticatorListMessages.Line],
    on device: DeviceMessages.Device
  ) -> [Row] {
    guard !fitting.isEmpty else {
      let manual = "no manifest names one: localauth-authenticator(5)"
      return [Row(clause, nil, isReady: false, manual)]
    }
    return fitting.map { line in
      let hindrance = hindrance(of: line, on: device)
      return Row(clause, line.name, isReady: hindrance == nil, hindrance ?? "ready")
    }
  }

  /// Why an authenticator cannot be asked on `device`; nil if it can.
  static func hindrance(
    of line: AuthenticatorListMessages.Line,
    on device: DeviceMessages.Device
  ) -> String? {
    if line.simulated != device.simulated {
      return line.simulated ? "is for simulated devices" : "is for your own machine"
    }
    if line.state != "ready" { return line.message ?? line.state }
    return line.enrolled == 0 ? "nothing of yours is enrolled" : nil
  }

  private static func passcode(_ clause: String, on device: DeviceMessages.Device) -> Row {
    switch device.passcode {
    case "none": Row(clause, nil, isReady: false, "none is set")
    case "pam":
      Row(
        clause,
        "pam",
        isReady: device.passcodeObstacle == nil,
        device.passcodeObstacle ?? "the service \(device.pamService ?? "localauth")"
      )
    default: Row(clause, "passcode", isReady: true, "ready")
    }
  }
}

extension ClauseAuthenticators.Row {
  fileprivate init(_ clause: String, _ name: String?, isReady: Bool, _ state: String) {
    self.init(clause: clause, name: name, isReady: isReady, state: state)
  }
}
