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
    /// All lines verify; so many more were lost because they could not be written.
    case intact(lines: Int, lost: Int)
    /// Something was changed, inserted, removed or moved.
    case broken(AuditDamage)
  }

  /// The size in bytes above which the file is renamed to `audit.log.1`, replacing the previous
  /// one.
  static let fileSizeMax = 16 << 20
  static let name = "audit.log"
  private static let older = name + ".1"
  /// The file that follows, until it is put in its place.
  private static let next = name + ".new"

  private let journal: Journal
  private let tagger: any RecordTagger
  private let directory: StateDirectoryHolder
  private let fileSizeMax: Int
  private var file: AppendFile
  private var chain: AuditChain
  private var size: Int
  /// The number of lines that could not be written and of which the file does not tell yet.
  private var lost = 0
  /// Why the file was found broken at start, or why the last append to it failed; nil otherwise.
  private(set) var failure: String?
  /// Called with a line for the log when lines begin to be lost, and when they are written again.
  var onWarning: (String) -> Void = { _ in }

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
      try Self.finishRotation(in: directory.directory.directory)
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
        if let broken = chain.take(bytes).first {
          // New lines continue from the last one; verification still finds the break.
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
    tellLost()
    var (lines, lost) = (0, self.lost)
    var damage = AuditDamage()
    var anchor: [UInt8]?
    if let bytes = try AppendFile.contents(of: Self.older, in: directory.directory.directory) {
      var found = AuditChain(tagger)
      damage.add(found.take(bytes), in: Self.older)
      lines += found.count
      lost += Self.lost(in: bytes)
      anchor = Self.anchor(found.head)
    }
    let bytes = try AppendFile.contents(of: Self.name, in: directory.directory.directory) ?? []
    var found = AuditChain(tagger)
    let breaks = found.take(bytes)
    let beginning = bytes.dropFirst(65)
    if let anchor, !beginning.starts(with: anchor), breaks.first != 1 {
      damage.add([1], in: Self.name)
    }
    if anchor == nil, beginning.starts(with: Self.anchorStart) {
      // The file that precedes this one was removed.
      damage.add([1], in: Self.older)
    }
    damage.add(breaks, in: Self.name)
    // The line that this service wrote last is not the last one any more.
    if found.head != chain.head { damage.cut = Self.name }
    guard damage.isNone else { return .broken(damage) }
    lost += Self.lost(in: bytes)
    return .intact(lines: lines + found.count - (anchor == nil ? 0 : 1), lost: lost)
  }

  /// The first line of a file that follows another: it names the last tag of that file.
  private static func anchor(_ head: [UInt8]) -> [UInt8] {
    anchorStart + Array(#""\#(String(hexadecimal: head))"}"#.utf8)
  }

  private static let anchorStart = Array(#"{"follows":"#.utf8)

  // MARK: Writing

  private func append(_ fields: [(String, String)]) {
    do {
      let text = try Self.text(fields)
      if size > fileSizeMax { try rotate() }
      try write(lost == 0 ? [text] : [lossText(), text])
      wrote()
    } catch {
      failure = "\(error)"
      lost += 1
      guard lost == 1 else { return }
      onWarning("\(Self.name) cannot be written, and lines will be missing there: \(error)")
    }
  }

  /// Writes how many lines were lost, if any were and there is room for that now.
  func tellLost() {
    guard lost > 0, (try? write([lossText()])) != nil else { return }
    wrote()
  }

  private func wrote() {
    failure = nil
    guard lost > 0 else { return }
    onWarning("\(Self.name) is written again; \(lost) lines are missing there")
    lost = 0
  }

  /// Adds lines of these texts to the file and the chain, or to neither.
  private func write(_ texts: [[UInt8]]) throws(SystemError) {
    var longer = chain
    let lines = texts.flatMap { longer.line($0) }
    try file.append(lines)
    chain = longer
    size += lines.count
  }

  private static func text(_ fields: [(String, String)]) throws(JSONWriteError) -> [UInt8] {
    var text: [UInt8] = []
    let members = fields.map { JSONValue.Member(key: $0, value: JSONValue(.string($1))) }
    try JSONValue(.object(members)).write(into: &text)
    return text
  }

  // MARK: Lines that were lost

  /// The line that stands where others were lost: how many, and why the last of them was.
  private func lossText() throws(JSONWriteError) -> [UInt8] {
    try Self.text([(Self.lostKey, "\(lost)"), ("detail", failure ?? "")])
  }

  private static let lostKey = "lost"

  /// The number of lines that verified lines say were lost.
  private static func lost(in lines: [UInt8]) -> Int {
    let start = Array(#"{"\#(lostKey)":""#.utf8)
    return lines.split(separator: UInt8(ascii: "\n")).reduce(0) { sum, line in
      let text = line.dropFirst(65)
      guard text.starts(with: start) else { return sum }
      let digits = text.dropFirst(start.count).prefix { $0 != UInt8(ascii: "\"") }
      return sum + (Int(String(decoding: digits, as: UTF8.self)) ?? 0)
    }
  }

  // MARK: The next file

  /// Puts the file aside and goes on with one that names its last tag.
  ///
  /// The next file is written first, so that the two follow each other also where there is no room
  /// for it yet.
  private func rotate() throws {
    var next = try AppendFile(opening: Self.next, in: directory.directory.directory)
    try next.truncate(to: 0)
    var beginning = AuditChain(tagger)
    let line = beginning.line(Self.anchor(chain.head))
    try next.append(line)
    // If the file was removed, verification will find that; new lines must still be written.
    try AppendFile.rename(Self.name, to: Self.older, in: directory.directory.directory)
    try AppendFile.rename(Self.next, to: Self.name, in: directory.directory.directory)
    file = next
    chain = beginning
    size = line.count
  }

  /// Puts the next file in its place, if a crash came when the one before was aside already.
  private static func finishRotation(
    in directory: borrowing PrivateDirectory
  ) throws(DurableFileError) {
    guard try AppendFile.contents(of: name, in: directory) == nil else { return }
    do throws(SystemError) {
      try AppendFile.rename(next, to: name, in: directory)
    } catch {
      throw .system(error)
    }
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
