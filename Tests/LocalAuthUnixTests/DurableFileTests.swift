import Glibc
import LocalAuthTestSupport
import LocalAuthUnix
import Testing

@Suite struct DurableFileTests {
  private let scratch = ScratchDirectory()

  private func create(_ bytes: [UInt8], _ name: String = "key") throws {
    let directory = try PrivateDirectory(opening: scratch.path)
    // SAFETY: the buffer is the array's own, valid inside the closure.
    try unsafe bytes.withUnsafeBytes {
      try unsafe DurableFile.create(name, in: directory, contents: $0)
    }
  }

  private func replace(_ bytes: [UInt8], _ name: String = "key") throws {
    let directory = try PrivateDirectory(opening: scratch.path)
    // SAFETY: the buffer is the array's own, valid inside the closure.
    try unsafe bytes.withUnsafeBytes {
      try unsafe DurableFile.replace(name, in: directory, contents: $0)
    }
  }

  private func read(limit: Int = 64, _ name: String = "key") throws -> [UInt8]? {
    let directory = try PrivateDirectory(opening: scratch.path)
    var bytes = [UInt8](repeating: 0xee, count: limit)
    // SAFETY: the buffer is the array's own, valid inside the closure.
    let count = try unsafe bytes.withUnsafeMutableBytes {
      try unsafe DurableFile.read(name, in: directory, into: $0)
    }
    return count.map { Array(bytes[..<$0]) }
  }

  private func refusal(_ body: () throws -> Void) -> DurableFileError? {
    do {
      try body()
      return nil
    } catch {
      return error as? DurableFileError
    }
  }

  @Test func createdFileIsReadBackAndIsOursAlone() throws {
    try create([1, 2, 3])
    #expect(try read() == [1, 2, 3])
    #expect(scratch.mode(of: "key") == 0o600)
  }

  @Test func emptyFileIsNotAnAbsentOne() throws {
    #expect(try read() == nil)
    try create([])
    #expect(try read() == [])
  }

  @Test func createNeverOverwrites() throws {
    try create([1])
    guard case .alreadyExists = refusal({ try create([2]) }) else {
      Issue.record("the file was overwritten")
      return
    }
    #expect(try read() == [1])
    #expect(scratch.read(".key.new") == nil)
  }

  @Test func createDoesNotFollowADanglingLink() throws {
    scratch.link("key", to: scratch.file("elsewhere"))
    guard case .alreadyExists = refusal({ try create([2]) }) else {
      Issue.record("the link was followed")
      return
    }
    #expect(scratch.read("elsewhere") == nil)
  }

  @Test func replaceExchangesAllAtOnce() throws {
    try replace([1, 2, 3, 4])
    try replace([5])
    #expect(try read() == [5])
    #expect(scratch.mode(of: "key") == 0o600)
    #expect(scratch.read(".key.new") == nil)
  }

  @Test func replaceReplacesALinkNotItsTarget() throws {
    scratch.write("kept", to: "target")
    scratch.link("key", to: scratch.file("target"))
    try replace([9])
    #expect(try read() == [9])
    #expect(scratch.read("target") == Array("kept".utf8))
  }

  @Test func leftoverOfACrashDoesNotStopTheNextWrite() throws {
    scratch.write("half of it", to: ".key.new")
    try create([7])
    #expect(try read() == [7])
  }

  @Test func fileThatDoesNotFitIsRefusedWhole() throws {
    try create([UInt8](repeating: 1, count: 33))
    #expect(try read(limit: 33)?.count == 33)
    guard case .tooLarge(_, let limit) = refusal({ _ = try read(limit: 32) }) else {
      Issue.record("a part was read")
      return
    }
    #expect(limit == 32)
  }

  @Test func linksPipesAndDirectoriesAreRefusedWithoutWaiting() {
    scratch.write("x", to: "target")
    scratch.link("link", to: scratch.file("target"))
    scratch.makeDirectory("directory")
    // SAFETY: the string is a C string for the length of the call.
    #expect(unsafe mkfifo(scratch.file("pipe"), 0o600) == 0)
    for name in ["link", "directory", "pipe"] {
      guard case .notRegular = refusal({ _ = try read(name) }) else {
        Issue.record("\(name) was read")
        continue
      }
    }
  }

  @Test(arguments: [0o640, 0o604, 0o620, 0o602, 0o644] as [mode_t])
  func fileThatOthersCanReachIsRefused(mode: mode_t) {
    scratch.write("x", to: "key", mode: mode)
    guard case .openToOthers(_, let found) = refusal({ _ = try read() }) else {
      Issue.record("mode \(mode) was read")
      return
    }
    #expect(found == UInt32(mode))
  }

  @Test(.enabled(if: geteuid() == 0, "needs root, to give a file away"))
  func somebodyElsesFileIsRefused() {
    scratch.write("x", to: "key")
    // SAFETY: the string is a C string for the length of the call.
    #expect(unsafe chown(scratch.file("key"), 65534, 65534) == 0)
    guard case .foreignOwner(_, 65534) = refusal({ _ = try read() }) else {
      Issue.record("somebody else's file was read")
      return
    }
  }

  private func read(_ name: String) throws -> [UInt8]? { try read(limit: 64, name) }
}
