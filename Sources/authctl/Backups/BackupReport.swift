import LocalAuthBackup
import LocalAuthCore
import LocalAuthJSON
import LocalAuthKeychain
import LocalAuthTerminal
import LocalAuthWire

/// What people and programs are told of a backup.
enum BackupReport {
  /// Lines that say what a header says.
  static func lines(_ header: BackupHeader, _ path: String) -> [String] {
    let opener = header.kind == .password ? "a password" : "its device alone"
    var lines = [
      "\(path): of \(TerminalText.sanitized(header.label, limit: 300)), \(Timestamp.text(header.created.milliseconds)), opened by \(opener)",
      "\(CountText.of(header.counts.total, "item"))\(classes(header.counts))",
    ]
    if header.counts.fileKeys > 0 {
      lines.append("\(header.counts.fileKeys) of them open protected files")
    }
    if let newer = newer(header) { lines.append(newer) }
    if header.counts.totalLeftOut > 0 {
      let reasons = LeftOut.allCases.compactMap { reason in
        header.counts.leftOut[reason].map { "\($0) \(text(reason))" }
      }
      lines.append("left out: \(reasons.joined(separator: ", "))")
    }
    return lines
  }

  /// A warning about a backup that a newer version wrote; nil for any other.
  static func newer(_ header: BackupHeader) -> String? {
    guard header.version > BackupFormat.version else { return nil }
    return "A newer LocalAuth wrote it: what this one does not know of it is left out."
  }

  private static func classes(_ counts: BackupCounts) -> String {
    let parts = ProtectionClass.allCases.compactMap { protection in
      counts.included[protection].map { "\($0) \(protection.name)" }
    }
    return parts.isEmpty ? "" : ": " + parts.joined(separator: ", ")
  }

  private static func text(_ reason: LeftOut) -> String {
    switch reason {
    case .passcodeSet: "that end with the passcode"
    case .token: "of a token"
    case .accessControl: "that ask for something"
    case .otherDevice: "that do not open"
    case .locked: "that are locked"
    case .otherGroup: "of other groups"
    }
  }

  /// Writes what a header says.
  static func write<Sink: ~Copyable>(
    _ header: BackupHeader,
    _ path: String,
    to writer: inout JSONWriter<Sink>
  ) {
    writer.member("file", path)
    writer.member("backup", String(hexadecimal: header.identifier))
    writer.member("device", header.label)
    writer.member("created", Timestamp.text(header.created.milliseconds))
    writer.member("openedBy", header.kind == .password ? "password" : "device")
    writer.member("items", Int64(clamping: header.counts.total))
    writer.member("fileKeys", Int64(clamping: header.counts.fileKeys))
    let classes = ProtectionClass.allCases.filter { header.counts.included[$0] != nil }
    writer.member("classes", classes) { protection, writer in
      writer.member("class", protection.name)
      writer.member("items", Int64(clamping: header.counts.included[protection] ?? 0))
    }
    let reasons = LeftOut.allCases.filter { header.counts.leftOut[$0] != nil }
    writer.member("leftOut", reasons) { reason, writer in
      writer.member("reason", reason.word)
      writer.member("items", Int64(clamping: header.counts.leftOut[reason] ?? 0))
    }
  }

  /// Writes what a restore did, or would do.
  static func write<Sink: ~Copyable>(
    _ reply: BackupMessages.FinishReply,
    to writer: inout JSONWriter<Sink>
  ) {
    writer.member("restored", reply.restored)
    writer.member("older", reply.older)
    writer.member("otherDevice", reply.otherDevice)
    writer.member("damaged", reply.damaged)
    writer.member("unknownClass", reply.unknownClass)
    writer.member("skipped", reply.skipped)
    writer.member("deaths", reply.deaths)
  }

  /// What a restore did, in words.
  static func sentence(_ reply: BackupMessages.FinishReply, _ done: String) -> String {
    let others: [(Int64, String)] = [
      (reply.older, "not newer than here"), (reply.otherDevice, "of another device"),
      (reply.damaged, "damaged"), (reply.unknownClass, "unknown here"),
      (reply.skipped, "skipped"), (reply.deaths, "deleted for good"),
    ]
    let rest = others.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    return (["\(CountText.of(reply.restored, "item")) \(done)"] + rest).joined(separator: ", ")
      + "."
  }
}
