import Glibc
import LocalAuthCore
import LocalAuthJSON
import LocalAuthUnix
import LocalAuthWire

/// A copy of the audit that users cannot reach: in the journal or, if the journal is unavailable,
/// in a file of chained lines.
///
/// Use it on the loop's thread only. The audit is still read from the database.
final class AuditTrail {
  /// The result of verifying the files.
  enum Finding {
    /// All lines verify.
    case intact(lines: Int)
    /// A line does not verify: it, or an earlier one, was changed, inserted, removed or moved.
    case broken(file: String, line: Int)
    /// The file does not end with the line that this service wrote last.
    case cut
  }

  /// The size in bytes above which the file is renamed to `audit.log.1`, replacing the previous
  /// one.
  static let fileSizeMax = 16 << 20
  static let name = "audit.log"

  private let journal: Journal
  private let tagger: any RecordTagger
  private let directory: StateDirectoryHolder
  private let fileSizeMax: Int
  private var file: AppendFile
  private var chain: AuditChain
  private var size: Int
  /// Why the file was found broken at start, or why the last append to it failed; nil otherwise.
  private(set) var failure: String?

  init(
    journal: Journal,
    in directory: StateDirectoryHolder,
    tagger: any RecordTagger,
    fileSizeMax: Int = AuditTrail.fileSizeMax
  ) throws(HostError) {
    self.journal = journal
    self.fileSizeMax = fileSizeMax
    self.tagger = tagger
    self.directory = directory
    do throws(DurableFileError) {
      file = try AppendFile(opening: Self.name, in: directory.directory.directory)
      chain = AuditChain(tagger)
      size = 0
      do throws(SystemError) {
        var bytes = try file.contents()
        let end = bytes.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        if end < bytes.count {
          // A crash interrupted this line; the database has all of it.
          try file.truncate(to: end)
          bytes.removeLast(bytes.count - end)
        }
        if let broken = chain.take(bytes) {
          // New lines continue from the last one that verifies; verification still finds the break.
          failure = "\(Self.name) is broken at line \(broken)"
        }
        size = end
      } catch {
        throw DurableFileError.system(error)
      }
    } catch {
      throw .audit("\(directory.directory.path)/\(Self.name): \(error)")
    }
  }

  /// Copies a finished line to the journal or, if that fails, to the file.
  func add(_ record: AuditRecord) {
    let fields = Self.fields(of: record)
    do throws(SystemError) {
      try journal.send(Self.header(record) + fields.map { ("LOCALAUTH_\($0.uppercased())", $1) })
    } catch {
      append(fields)
    }
  }

  /// Verifies that the files contain what was written.
  func verify() throws(DurableFileError) -> Finding {
    var lines = 0
    var anchor: [UInt8]?
    let older = Self.name + ".1"
    if let bytes = try AppendFile.contents(of: older, in: directory.directory.directory) {
      var found = AuditChain(tagger)
      if let line = found.take(bytes) { return .broken(file: older, line: line) }
      lines += found.count
      anchor = Self.anchor(found.head)
    }
    let bytes = try AppendFile.contents(of: Self.name, in: directory.directory.directory) ?? []
    var found = AuditChain(tagger)
    if let line = found.take(bytes) { return .broken(file: Self.name, line: line) }
    let beginning = bytes.dropFirst(65)
    if let anchor, !beginning.starts(with: anchor) {
      return .broken(file: Self.name, line: 1)
    }
    if anchor == nil, beginning.starts(with: Self.anchorStart) {
      // The file that precedes this one was removed.
      return .broken(file: older, line: 1)
    }
    guard found.head == chain.head else { return .cut }
    return .intact(lines: lines + found.count - (anchor == nil ? 0 : 1))
  }

  /// The first line of a file that follows another: it names the last tag of that file.
  private static func anchor(_ head: [UInt8]) -> [UInt8] {
    anchorStart + Array(#""\#(String(hexadecimal: head))"}"#.utf8)
  }

  private static let anchorStart = Array(#"{"follows":"#.utf8)

  private func append(_ fields: [(String, String)]) {
    do {
      var text: [UInt8] = []
      let members = fields.map { JSONValue.Member(key: $0, value: JSONValue(.string($1))) }
      try JSONValue(.object(members)).write(into: &text)
      if size > fileSizeMax { try rotate() }
      let line = chain.line(text)
      try file.append(line)
      size += line.count
      failure = nil
    } catch {
      failure = "\(error)"
    }
  }

  private func rotate() throws {
    do throws(SystemError) {
      try AppendFile.rename(Self.name, to: Self.name + ".1", in: directory.directory.directory)
    } catch {
      // If the file was removed, verification will find that; new lines must still be written.
      guard error.code == ENOENT else { throw error }
    }
    file = try AppendFile(opening: Self.name, in: directory.directory.directory)
    let anchor = Self.anchor(chain.head)
    chain = AuditChain(tagger)
    let line = chain.line(anchor)
    try file.append(line)
    size = line.count
  }

  private static func header(_ record: AuditRecord) -> [(name: String, value: String)] {
    let outcome = record.outcome ?? .internalError
    // Failures get the priority "notice", because operators look for them. Everything goes to the
    // facility authpriv.
    return [
      (
        "MESSAGE",
        "\(record.action) on \(record.device.name) of user \(record.device.owner): "
          + outcome.rawValue
      ),
      ("PRIORITY", outcome == .success ? "6" : "5"),
      ("SYSLOG_IDENTIFIER", "localauthd"),
      ("SYSLOG_FACILITY", "10"),
    ]
  }

  private static func fields(of record: AuditRecord) -> [(String, String)] {
    var fields = [
      ("evaluation", record.id.text), ("action", record.action),
      ("owner", "\(record.device.owner)"), ("device", record.device.name),
      ("uid", "\(record.callerUID)"), ("pid", "\(record.callerPID)"),
      ("began", "\(record.began.milliseconds)"),
      ("ended", "\(record.ended?.milliseconds ?? 0)"),
      ("outcome", record.outcome?.rawValue ?? ""), ("attempts", "\(record.attempts)"),
      ("simulated", record.isSimulated ? "1" : "0"),
    ]
    let more = [
      ("policy", record.policy), ("reason", record.reason), ("method", record.method),
      ("finger", record.finger?.rawValue ?? ""), ("detail", record.detail),
      ("program", record.program), ("program_path", record.programPath),
      ("terminal", record.terminal), ("shown_action", record.shownAction),
    ]
    fields += more.filter { !$0.1.isEmpty }
    return fields
  }
}
