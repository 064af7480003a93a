import Glibc
import LocalAuthCore
import LocalAuthCrypto
import LocalAuthTestSupport
import LocalAuthUnix
import Testing

@testable import LocalAuthHost

/// The file that the audit is copied to where there is no journal, and what becomes of it as it grows.
@Suite struct AuditTrailTests {
  private static let sizeMax = 2000
  private static let older = AuditTrail.name + ".1"

  private let scratch = TrailScratch()
  private let tagger = KeyedRecordTagger(DeviceKey.generate())

  private func trail() throws -> AuditTrail {
    try AuditTrail(
      journal: Journal(path: scratch.path + "/no-journal"),
      in: StateDirectoryHolder(try StateDirectory(opening: scratch.path)),
      tagger: tagger,
      fileSizeMax: Self.sizeMax
    )
  }

  private func add(_ count: Int, to trail: AuditTrail) {
    for number in 0..<count {
      var record = AuditRecord(
        id: EvaluationID(high: 1, low: UInt64(number)),
        action: "evaluate",
        device: DeviceIdentity(owner: 1000, name: "sim"),
        callerUID: 1000,
        callerPID: 42,
        isSimulated: true,
        began: WallInstant(milliseconds: 1)
      )
      record.outcome = .success
      trail.add(record)
      #expect(trail.failure == nil)
    }
  }

  /// Adds lines until the file was put aside so often, and says how many.
  private func rotate(_ times: Int, _ trail: AuditTrail) -> Int {
    var (lines, seen, first) = (0, 0, firstLine(AuditTrail.name))
    while seen < times, lines < 1000 {
      add(1, to: trail)
      lines += 1
      let now = firstLine(AuditTrail.name)
      if lines > 1, now != first { seen += 1 }
      first = now
    }
    #expect(seen == times)
    return lines
  }

  private func firstLine(_ name: String) -> String { scratch.lines(of: name).first ?? "" }

  private func finding(_ trail: AuditTrail) throws -> String { "\(try trail.verify())" }

  @Test func fileIsPutAsideWhenItIsFullAndTheNextOneFollowsIt() throws {
    let trail = try trail()
    _ = rotate(2, trail)
    let (old, new) = (scratch.lines(of: Self.older), scratch.lines(of: AuditTrail.name))
    // Full by at most the line that made it so; no third file.
    let size = old.reduce(0) { $0 + $1.utf8.count + 1 }
    #expect(size > Self.sizeMax && size < Self.sizeMax + 500)
    let lastTag = try #require(old.last).prefix(64)
    #expect(new.first?.hasSuffix(#" {"follows":"\#(lastTag)"}"#) == true)
    #expect(try finding(trail) == "intact(lines: \(old.count + new.count - 1))")
    #expect(scratch.names.filter { $0.hasPrefix("audit") } == [AuditTrail.name, Self.older])
  }

  @Test func chainGoesOnOverARotationAndARestart() throws {
    do { _ = rotate(1, try trail()) }
    let again = try trail()
    #expect(again.failure == nil)
    add(3, to: again)
    let count = scratch.lines(of: Self.older).count + scratch.lines(of: AuditTrail.name).count - 1
    #expect(try finding(again) == "intact(lines: \(count))")
    _ = rotate(1, again)
    #expect(try finding(again).hasPrefix("intact"))
  }

  @Test func whatIsDoneToTheFileThatWasPutAsideIsNoticed() throws {
    let trail = try trail()
    _ = rotate(1, trail)
    let whole = scratch.read(Self.older)
    // Without its last line the next file does not follow it any more.
    let lines = scratch.lines(of: Self.older)
    scratch.write(Array((lines.dropLast().joined(separator: "\n") + "\n").utf8), to: Self.older)
    #expect(try finding(trail) == #"broken(file: "audit.log", line: 1)"#)
    var changed = whole
    changed[200] ^= 1
    scratch.write(changed, to: Self.older)
    #expect(try finding(trail) == #"broken(file: "audit.log.1", line: 1)"#)
    scratch.write(whole, to: Self.older)
    #expect(try finding(trail).hasPrefix("intact"))
    scratch.remove(Self.older)
    #expect(try finding(trail) == #"broken(file: "audit.log.1", line: 1)"#)
  }

  @Test func trailGoesOnAfterTheFileWasTakenAway() throws {
    let trail = try trail()
    add(1, to: trail)
    scratch.remove(AuditTrail.name)
    // What comes until then goes into a file that has no name any more.
    _ = rotate(1, trail)
    #expect(!scratch.lines(of: AuditTrail.name).isEmpty)
    #expect(try finding(trail) == #"broken(file: "audit.log.1", line: 1)"#)
  }

  @Test func olderFileIsNotTakenForTheLast() throws {
    let trail = try trail()
    _ = rotate(1, trail)
    let first = scratch.read(Self.older)
    _ = rotate(1, trail)
    scratch.write(first, to: Self.older)
    #expect(try finding(trail) == #"broken(file: "audit.log", line: 1)"#)
  }

  @Test func fileThatBeginsAnewIsNotTakenForOneThatFollows() throws {
    do { _ = rotate(1, try trail()) }
    scratch.write([], to: AuditTrail.name)
    let again = try trail()
    add(1, to: again)
    #expect(try finding(again) == #"broken(file: "audit.log", line: 1)"#)
  }
}

/// A directory of a test's own, with all that is in it.
private final class TrailScratch {
  let path: String

  init() {
    var template = Array("/tmp/la-XXXXXX".utf8CString)
    // SAFETY: the array is a C string that mkdtemp overwrites in place.
    guard unsafe mkdtemp(&template) != nil else { fatalError("mkdtemp: errno \(errno)") }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  var names: [String] {
    // SAFETY: the stream is closed below; each name is copied before the next is read.
    guard let stream = unsafe opendir(path) else { return [] }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { bytes in
        // SAFETY: the kernel ends the name with a zero within the array.
        unsafe bytes.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  func read(_ name: String) -> [UInt8] {
    // SAFETY: the string is a C string for the call.
    let file = unsafe open("\(path)/\(name)", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return [] }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: Int(lseek(file, 0, SEEK_END)))
    // SAFETY: the array has room for that many bytes.
    let count = unsafe pread(file, &bytes, bytes.count, 0)
    return Array(bytes.prefix(max(0, count)))
  }

  func lines(of name: String) -> [String] {
    String(decoding: read(name), as: UTF8.self).split(separator: "\n").map(String.init)
  }

  func write(_ bytes: [UInt8], to name: String) {
    // SAFETY: the string is a C string for the call.
    let file = unsafe open("\(path)/\(name)", O_WRONLY | O_TRUNC | O_CREAT | O_CLOEXEC, 0o600)
    defer { close(file) }
    // SAFETY: the array has that many bytes.
    let count = unsafe Glibc.write(file, bytes, bytes.count)
    precondition(count == bytes.count, "a file can be written in a directory of our own")
  }

  func remove(_ name: String) {
    // SAFETY: the string is a C string for the call.
    _ = unsafe unlink("\(path)/\(name)")
  }

  deinit {
    for name in names { remove(name) }
    // SAFETY: the same.
    _ = unsafe rmdir(path)
  }
}
