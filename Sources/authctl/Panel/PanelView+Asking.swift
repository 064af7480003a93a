import LocalAuthCore
import LocalAuthTerminal
import LocalAuthWire

/// What is asked, by whom, and who waits.
extension PanelView {
  /// What is asked and by whom, in as many lines whether or not anything is.
  static func asking(_ panel: Panel) -> [PanelLine] {
    guard let asked = panel.asked.first else { return silence(panel.device) }
    return [
      PanelLine("Asked", asked.reason, .bold),
      PanelLine("Action", asked.shownAction.isEmpty ? "none in particular" : asked.shownAction),
      PanelLine("By", caller(asked, panel.accounts)),
      PanelLine("Policy", policy(asked)),
      PanelLine("Waiting", waiting(panel.asked.dropFirst())),
    ]
  }

  private static func silence(_ device: DeviceMessages.Device) -> [PanelLine] {
    let name = device.simulated ? " --device \(ShellWord.quoted(device.name))" : ""
    return [
      PanelLine("Asked", "nothing"),
      PanelLine("Try", "authctl\(name) evaluate --policy device-owner --reason test", .faint),
      PanelLine(), PanelLine(), PanelLine(),
    ]
  }

  /// Who asks; the path is last, because it alone may be long.
  private static func caller(
    _ asked: DeviceMessages.Asked,
    _ accounts: [Int64: String]
  ) -> String {
    let caller = AuditText.caller(
      program: asked.program,
      path: "",
      process: asked.pid,
      user: accounts[asked.uid] ?? "user \(asked.uid)",
      terminal: asked.terminal
    )
    return asked.programPath.isEmpty ? caller : "\(caller), \(asked.programPath)"
  }

  private static func policy(_ asked: DeviceMessages.Asked) -> String {
    let purpose = asked.policy.isEmpty ? "a secret" : asked.policy
    let factors = asked.factors.map { word(for: $0) }.joined(separator: ", ")
    let left = "\(PromptView.clock(Int(clamping: asked.secondsLeft))) left"
    return "\(purpose), \(factors.isEmpty ? "being judged" : "awaits \(factors)"), \(left)"
  }

  private static func word(for factor: String) -> String {
    switch Factor(rawValue: factor) {
    case .biometry: "a finger"
    case .passcode: "the passcode"
    case .applicationPassword: "the item's password"
    case .companion: "a companion"
    case .possession: "a key or a code"
    case nil: factor
    }
  }

  private static func waiting(_ others: ArraySlice<DeviceMessages.Asked>) -> String {
    guard let next = others.first else { return "nobody" }
    let more = others.count > 1 ? ", and \(others.count - 1) more" : ""
    return "\(next.program) (process \(next.pid))\(more): \(next.reason)"
  }
}
