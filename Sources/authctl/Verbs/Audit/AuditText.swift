import LocalAuthCore
import LocalAuthJSON
import LocalAuthTerminal
import LocalAuthUnix
import LocalAuthWire

/// The names of accounts, each looked up once.
struct AccountNames {
  private var known: [Int64: String] = [:]

  /// `ann`, or `user 1000` if no account has that number.
  subscript(uid: Int64) -> String {
    mutating get {
      if let name = known[uid] { return name }
      let name = UInt32(exactly: uid).flatMap { SystemAccount.name(of: $0) } ?? "user \(uid)"
      known[uid] = name
      return name
    }
  }
}

/// A line of the audit, formatted for people and for programs.
enum AuditText {
  /// The most characters of a text that a peer chose.
  private static let longestText = 1024

  // MARK: For people

  /// How it ended, then who asked, what was approved and why; each on a line of its own.
  static func lines(_ line: DeviceMessages.AuditLine, _ names: inout AccountNames) -> [String] {
    var texts = ["\(Timestamp.text(line.time)) \(ending(line))"]
    if let caller = caller(line, &names) { texts.append("  by \(caller)") }
    let more = [
      ("action", line.shownAction), ("reason", line.reason), ("detail", detail(line)),
    ]
    texts += more.filter { !$0.1.isEmpty }.map { "  \($0.0): \($0.1)" }
    return texts.map { TerminalText.sanitized($0, limit: longestText) }
  }

  /// What was asked, what proved it, by whom and why, in less than a line.
  static func summary(_ line: DeviceMessages.AuditLine) -> String {
    var text = what(line)
    if line.attempts > 0 { text += ", " + CountText.of(line.attempts, "attempt") }
    if !line.program.isEmpty { text += ", \(line.program)" }
    return [text, line.reason].filter { !$0.isEmpty }.joined(separator: ": ")
  }

  /// `evaluate device-owner by fingerprint (right-index-finger)`.
  private static func what(_ line: DeviceMessages.AuditLine, on device: String = "") -> String {
    var text = line.action
    if !line.policy.isEmpty, line.policy != line.action { text += " \(line.policy)" }
    text += device
    if !line.method.isEmpty { text += " by \(line.method)" }
    if let finger = line.finger { text += " (\(finger))" }
    return text
  }

  private static func ending(_ line: DeviceMessages.AuditLine) -> String {
    let text = "\(line.outcome): \(what(line, on: " on \(line.device)"))"
    var more: [String] = []
    if line.simulated { more.append("simulated") }
    if line.attempts > 0 {
      more.append("after " + CountText.of(line.attempts, "attempt"))
    }
    if let ended = line.ended, ended - line.began >= 1000 {
      more.append("in \(DurationText.words(.seconds((ended - line.began) / 1000)))")
    }
    if !line.hasOutcome { more.append("under way or cut off") }
    return ([text] + more).joined(separator: ", ")
  }

  /// `authctl (/usr/bin/authctl, process 7) of ann on pts/3`; nil for an act of the service itself.
  private static func caller(
    _ line: DeviceMessages.AuditLine,
    _ names: inout AccountNames
  ) -> String? {
    guard line.pid != 0 || !line.program.isEmpty else { return nil }
    return caller(
      program: line.program,
      path: line.programPath,
      process: line.pid,
      user: names[line.uid],
      terminal: line.terminal
    )
  }

  /// `authctl (/usr/bin/authctl, process 7) of ann on pts/3`; what is unknown is empty and left out.
  static func caller(
    program: String,
    path: String,
    process: Int64,
    user: String,
    terminal: String
  ) -> String {
    let about = [path, "process \(process)"].filter { !$0.isEmpty }
    let name = program.isEmpty ? about[0] : "\(program) (\(about.joined(separator: ", ")))"
    return "\(name) of \(user)" + (terminal.isEmpty ? "" : " on \(terminal)")
  }

  /// The detail, without the digest of an action whose words are shown.
  private static func detail(_ line: DeviceMessages.AuditLine) -> String {
    guard !line.shownAction.isEmpty, line.detail.hasPrefix("action sha256 ") else {
      return line.detail
    }
    let rest = line.detail.drop { $0 != ";" }
    return String(rest.drop { $0 == ";" || $0 == " " })
  }

  // MARK: For programs

  /// Writes the members of a line.
  static func write(
    _ line: DeviceMessages.AuditLine,
    to writer: inout JSONWriter<JSONGrowingBuffer>
  ) {
    func given(_ text: String) -> String? { text.isEmpty ? nil : text }
    writer.member("evaluation", line.evaluation)
    writer.member("action", line.action)
    writer.member("device", line.device)
    writer.member("uid", line.uid)
    writer.member("pid", line.pid)
    writer.member("program", given(line.program))
    writer.member("programPath", given(line.programPath))
    writer.member("terminal", given(line.terminal))
    writer.member("policy", given(line.policy))
    writer.member("reason", given(line.reason))
    writer.member("shownAction", given(line.shownAction))
    writer.member("began", Timestamp.text(line.began))
    writer.member("ended", line.ended.map { Timestamp.text($0) })
    writer.member("outcome", line.outcome)
    writer.member("method", given(line.method))
    writer.member("finger", line.finger)
    writer.member("attempts", line.attempts)
    writer.member("simulated", line.simulated)
    writer.member("detail", given(line.detail))
  }
}
