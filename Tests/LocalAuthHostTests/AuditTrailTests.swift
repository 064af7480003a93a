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

  private func trail(
    in scratch: TrailScratch? = nil,
    fileSizeMax: Int = Self.sizeMax
  ) throws -> AuditTrail {
    let path = (scratch ?? self.scratch).path
    return try AuditTrail(
      journal: Journal(path: path + "/no-journal"),
      in: StateDirectoryHolder(try StateDirectory(opening: path)),
      tagger: tagger,
      fileSizeMax: fileSizeMax
    )
  }

  private func record(_ number: Int) -> AuditRecord {
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
    return record
  }

  private func add(_ count: Int, to trail: AuditTrail, isWritten: Bool = true) {
    for number in 0..<count {
      trail.add(record(number))
      #expect((trail.failure == nil) == isWritten)
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
    #expect(try finding(trail) == "intact(lines: \(old.count + new.count - 1), lost: 0)")
    #expect(scratch.names.filter { $0.hasPrefix("audit") } == [AuditTrail.name, Self.older])
  }

  @Test func chainGoesOnOverARotationAndARestart() throws {
    do { _ = rotate(1, try trail()) }
    let again = try trail()
    #expect(again.failure == nil)
    add(3, to: again)
    let count = scratch.lines(of: Self.older).count + scratch.lines(of: AuditTrail.name).count - 1
    #expect(try finding(again) == "intact(lines: \(count), lost: 0)")
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
    #expect(try finding(trail) == "broken(1 break, in audit.log at line 1)")
    var changed = whole
    changed[200] ^= 1
    scratch.write(changed, to: Self.older)
    #expect(try finding(trail) == "broken(1 break, in audit.log.1 at line 1)")
    scratch.write(whole, to: Self.older)
    #expect(try finding(trail).hasPrefix("intact"))
    scratch.remove(Self.older)
    #expect(try finding(trail) == "broken(1 break, in audit.log.1 at line 1)")
  }

  @Test func everyBreakIsFoundAndNotTheFirstAlone() throws {
    let places = "in audit.log.1 at line 2, in audit.log at lines 2 and 4"
    do {
      let trail = try trail()
      _ = rotate(1, trail)
      add(3, to: trail)
      try #require(scratch.lines(of: Self.older).count >= 4)
      scratch.write(changed([1], in: Self.older), to: Self.older)
      scratch.write(changed([1, 3], in: AuditTrail.name), to: AuditTrail.name)
      #expect(try finding(trail) == "broken(3 breaks, \(places))")
    }
    // What is written after a restart is no break of its own.
    let again = try self.trail()
    add(1, to: again)
    #expect(try finding(again) == "broken(3 breaks, \(places))")
  }

  /// The file with another last byte in the text of each of these lines, counted from 0.
  private func changed(_ numbers: Set<Int>, in name: String) -> [UInt8] {
    scratch.lines(of: name).enumerated().flatMap { number, line in
      Array((numbers.contains(number) ? line.dropLast() + "?" : line[...]).utf8)
        + [UInt8(ascii: "\n")]
    }
  }

  @Test func breaksWithoutEndAreCountedAndTheFirstTwentyNamed() throws {
    let trail = try trail()
    add(1, to: trail)
    scratch.write(Array(repeating: UInt8(ascii: "\n"), count: 5000), to: AuditTrail.name)
    let found = try finding(trail)
    #expect(found.hasPrefix("broken(5000 breaks, in audit.log at lines 1, 2, 3,"))
    #expect(found.contains(", 20 and 4980 more; audit.log ends elsewhere than it was left)"))
  }

  @Test func trailGoesOnAfterTheFileWasTakenAway() throws {
    let trail = try trail()
    add(1, to: trail)
    scratch.remove(AuditTrail.name)
    // What comes until then goes into a file that has no name any more.
    _ = rotate(1, trail)
    #expect(!scratch.lines(of: AuditTrail.name).isEmpty)
    #expect(try finding(trail) == "broken(1 break, in audit.log.1 at line 1)")
  }

  @Test func olderFileIsNotTakenForTheLast() throws {
    let trail = try trail()
    _ = rotate(1, trail)
    let first = scratch.read(Self.older)
    _ = rotate(1, trail)
    scratch.write(first, to: Self.older)
    #expect(try finding(trail) == "broken(1 break, in audit.log at line 1)")
  }

  @Test func fileThatBeginsAnewIsNotTakenForOneThatFollows() throws {
    do { _ = rotate(1, try trail()) }
    scratch.write([], to: AuditTrail.name)
    let again = try trail()
    add(1, to: again)
    #expect(try finding(again) == "broken(1 break, in audit.log at line 1)")
  }

  @Test func rotationThatACrashInterruptedIsFinishedAtTheNextStart() throws {
    do { _ = rotate(1, try trail()) }
    // The first file is aside already; the next one has not its name yet.
    scratch.write(scratch.read(AuditTrail.name), to: AuditTrail.name + ".new")
    scratch.remove(AuditTrail.name)
    let again = try trail()
    add(1, to: again)
    #expect(try finding(again).hasPrefix("intact"))
    #expect(scratch.names.filter { $0.hasPrefix("audit") } == [AuditTrail.name, Self.older])
  }

  // MARK: A full disk

  /// Adds lines until one finds no room, and says how many did.
  ///
  /// The last page of the file has some for whole lines, and for a part of the one that fails.
  private func addUntilFull(_ trail: AuditTrail) -> Int {
    for count in 0..<100 {
      trail.add(record(count))
      if trail.failure != nil { return count }
    }
    Issue.record("the disk was not full")
    return 100
  }

  @Test(.enabled(if: TrailScratch.canMount, "only root can mount a file system"))
  func fullDiskLeavesAWholeChainThatTellsHowManyLinesWereLost() throws {
    let disk = try #require(TrailScratch(kibibytes: 64))
    do {
      let trail = try trail(in: disk, fileSizeMax: 1 << 20)
      var warnings: [String] = []
      trail.onWarning = { warnings.append($0) }
      add(3, to: trail)
      disk.fill()
      let written = 3 + addUntilFull(trail)
      #expect(disk.lines(of: AuditTrail.name).count == written)
      #expect(disk.read(AuditTrail.name).last == UInt8(ascii: "\n"))
      add(9, to: trail, isWritten: false)
      #expect(warnings.count == 1 && warnings[0].contains("No space left"))
      disk.empty()
      add(1, to: trail)
      #expect(warnings.count == 2 && warnings[1].contains("10 lines are missing"))
      let told = disk.lines(of: AuditTrail.name)[written].dropFirst(65)
      #expect(told.hasPrefix(#"{"lost":"10","detail":""#) && told.contains("No space left"))
      #expect(try finding(trail) == "intact(lines: \(written + 2), lost: 10)")
    }
    let again = try trail(in: disk)
    #expect(again.failure == nil)
    #expect(try finding(again).hasSuffix("lost: 10)"))
  }

  @Test(.enabled(if: TrailScratch.canMount, "only root can mount a file system"))
  func whatWasLostIsToldAlsoWhereNoLineFollows() throws {
    let disk = try #require(TrailScratch(kibibytes: 64))
    let trail = try trail(in: disk, fileSizeMax: 1 << 20)
    add(1, to: trail)
    disk.fill()
    let written = 1 + addUntilFull(trail)
    disk.empty()
    trail.tellLost()
    #expect(disk.lines(of: AuditTrail.name).count == written + 1)
    #expect(try finding(trail) == "intact(lines: \(written + 1), lost: 1)")
  }

  @Test(.enabled(if: TrailScratch.canMount, "only root can mount a file system"))
  func fileIsNotPutAsideBeforeTheNextOneHasRoom() throws {
    let disk = try #require(TrailScratch(kibibytes: 64))
    let trail = try trail(in: disk)
    while disk.read(AuditTrail.name).count <= Self.sizeMax { add(1, to: trail) }
    let written = disk.lines(of: AuditTrail.name).count
    disk.fill()
    add(2, to: trail, isWritten: false)
    #expect(disk.lines(of: AuditTrail.name).count == written)
    #expect(!disk.names.contains(Self.older))
    disk.empty()
    add(1, to: trail)
    #expect(disk.lines(of: Self.older).count == written)
    #expect(try finding(trail) == "intact(lines: \(written + 2), lost: 2)")
  }
}

/// A directory of a test's own, with all that is in it.
private final class TrailScratch {
  let path: String
  /// Whether a small file system is mounted there.
  private var isDisk = false

  /// Whether this process may mount: root outside of a container that forbids it.
  static let canMount = TrailScratch(kibibytes: 64) != nil

  /// A file system in memory, so small that it can be filled.
  convenience init?(kibibytes: Int) {
    self.init()
    // SAFETY: the strings are C strings for the call.
    let status = unsafe mount("tmpfs", path, "tmpfs", 0, "size=\(kibibytes)k,mode=700")
    guard status == 0 else { return nil }
    isDisk = true
  }

  /// Leaves no page free.
  func fill() {
    // SAFETY: the string is a C string for the call.
    let file = unsafe open("\(path)/ballast", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    defer { close(file) }
    let page = [UInt8](repeating: 1, count: 4096)
    // SAFETY: the array has that many bytes.
    while unsafe Glibc.write(file, page, page.count) > 0 {}
  }

  /// Gives back what ``fill()`` took.
  func empty() { remove("ballast") }

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
    // SAFETY: the same; a file that is open does not keep it mounted.
    if isDisk { unsafe umount2(path, Int32(MNT_DETACH)) }
    // SAFETY: the same.
    _ = unsafe rmdir(path)
  }
}
