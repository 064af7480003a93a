import LocalAuthCore
import LocalAuthTerminal
import LocalAuthWire

/// Lays the panel out as lines of text.
enum PanelView {
  /// The smallest screen that has a place for everything.
  static let least = ScreenSize(columns: 72, rows: 18)

  /// The lines of `panel`, one for each row of a screen of `size`.
  ///
  /// None fills its row, because some terminals wrap a full one.
  static func lines(of panel: Panel, size: ScreenSize, hasColor: Bool) -> [String] {
    let isTooSmall = size.columns < least.columns || size.rows < least.rows
    let lines = isTooSmall ? tooSmall(size) : whole(panel, rows: size.rows)
    return lines.prefix(max(size.rows, 1))
      .map { $0.drawn(columns: max(size.columns - 1, 1), hasColor: hasColor) }
  }

  private static func tooSmall(_ size: ScreenSize) -> [PanelLine] {
    [
      PanelLine(
        "Needs \(least.columns)x\(least.rows), has \(size.columns)x\(size.rows).",
        .warning
      ),
      PanelLine("Enlarge the terminal. q quit"),
    ]
  }

  private static func whole(_ panel: Panel, rows: Int) -> [PanelLine] {
    let top =
      [title(panel), PanelLine()] + asking(panel) + [PanelLine()] + state(panel) + [PanelLine()]
    let bottom = [
      message(panel),
      PanelLine(PanelKey.help(for: panel.device, isPlugged: panel.isPlugged), .faint),
    ]
    let room = max(0, rows - top.count - bottom.count)
    let audit = audit(panel, rows: room)
    return top + audit + Array(repeating: PanelLine(), count: room - audit.count) + bottom
  }

  private static func title(_ panel: Panel) -> PanelLine {
    var line = PanelLine(panel.device.name, .bold)
    if panel.device.simulated {
      line.add("  SIMULATED DEVICE: nobody is really authenticated", .warning)
    }
    return line
  }

  private static func message(_ panel: Panel) -> PanelLine {
    guard panel.isConnected else {
      return PanelLine("No daemon answers; waiting for one. Above is what was last known.", .alarm)
    }
    guard let message = panel.message else { return PanelLine() }
    switch message.kind {
    case .info: return PanelLine(message.text)
    case .miss, .retry: return PanelLine(message.text, .warning)
    case .error: return PanelLine(message.text, .alarm)
    }
  }

  // MARK: The audit

  private static func audit(_ panel: Panel, rows: Int) -> [PanelLine] {
    let lines = panel.audit.lines.suffix(rows)
    guard !lines.isEmpty else { return [PanelLine("Audit", "nothing yet")] }
    return lines.enumerated().map { row(of: $1, isFirst: $0 == 0) }
  }

  private static func row(of line: DeviceMessages.AuditLine, isFirst: Bool) -> PanelLine {
    var row = PanelLine(isFirst ? "Audit" : "", "")
    row.add(String(Timestamp.text(line.time).dropFirst(11)) + " ", .faint)
    let isSuccess = line.outcome == OutcomeCode.success.rawValue
    let look: PanelLine.Look = line.hasOutcome ? isSuccess ? .good : .warning : .plain
    row.add(line.hasOutcome ? line.outcome : "under way", look)
    row.add(": " + AuditText.summary(line))
    return row
  }
}
