import LocalAuthWire

/// The newest lines of the audit, each in its latest state.
struct PanelAudit: Sendable {
  /// How many lines are kept: more than any terminal has rows.
  static let most = 500

  /// The lines, in the order of their times.
  private(set) var lines: [DeviceMessages.AuditLine] = []

  /// Takes new lines, and known ones in a new state.
  mutating func take(_ new: [DeviceMessages.AuditLine]) {
    let names = Set(new.map(\.evaluation))
    lines.removeAll { names.contains($0.evaluation) }
    lines = Array((lines + new).inOrder.suffix(Self.most))
  }
}
