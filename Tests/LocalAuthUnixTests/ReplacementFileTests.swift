import Glibc
import LocalAuthTestSupport
import Testing

@testable import LocalAuthUnix

@Suite struct ReplacementFileTests {
  private let scratch = ScratchDirectory()
  private var path: String { scratch.file("out") }

  private func write(_ text: String, to file: ReplacementFile) {
    let bytes = Array(text.utf8)
    // SAFETY: the array is valid for the call.
    #expect(unsafe Glibc.write(file.descriptor, bytes, bytes.count) == bytes.count)
  }

  private func names() throws -> [String] {
    // SAFETY: the stream is closed below; each entry is copied before the next is read.
    let stream = unsafe try #require(unsafe opendir(scratch.path))
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

  private func mode() -> mode_t {
    var status = stat()
    // SAFETY: the string is a C string and the structure lives for the call.
    #expect(unsafe stat(path, &status) == 0)
    return status.st_mode
  }

  @Test func itHasItsNameWhenItIsCompleteAndIsForItsOwnerAlone() throws {
    let file = try ReplacementFile(at: path)
    write("secret", to: file)
    #expect(try names() == [] && !file.isInPlace)
    try file.publish()
    #expect(try names() == ["out"] && file.isInPlace)
    #expect(mode() == S_IFREG | 0o600)
  }

  @Test func itTakesThePlaceOfAnother() throws {
    scratch.write("old and longer", to: "out", mode: 0o644)
    let file = try ReplacementFile(at: path)
    write("new", to: file)
    #expect(mode() & 0o777 == 0o644 && !file.isInPlace)
    try file.publish()
    #expect(mode() & 0o777 == 0o600 && file.isInPlace)
    #expect(try names() == ["out"])
  }

  @Test func itIsInTheDirectoryThatWasThereAtTheBeginning() throws {
    for name in ["place", "other"] { scratch.makeDirectory(name) }
    scratch.write("old", to: "place/out")
    let file = try ReplacementFile(at: scratch.file("place/out"))
    write("new", to: file)
    // SAFETY: the strings are C strings for the calls.
    #expect(unsafe rename(scratch.file("place"), scratch.file("was")) == 0)
    #expect(unsafe rename(scratch.file("other"), scratch.file("place")) == 0)
    try file.publish()
    #expect(scratch.read("was/out") == Array("new".utf8))
    #expect(scratch.read("place/out") == nil)
  }

  @Test(arguments: [String(repeating: "x", count: 255), String(repeating: "ä", count: 127)])
  func itMayHaveTheLongestNameThereIs(_ name: String) throws {
    for text in ["old", "new"] {
      let file = try ReplacementFile(at: scratch.file(name))
      write(text, to: file)
      try file.publish()
      #expect(scratch.read(name) == Array(text.utf8))
    }
    #expect(try names() == [name])
  }

  @Test func itHasTheModeThatIsAskedForAsFarAsTheMaskLeavesIt() throws {
    let file = try ReplacementFile(at: path, mode: 0o644)
    try file.publish()
    let mask = umask(0)
    umask(mask)
    #expect(mode() & 0o777 == 0o644 & ~mask)
  }

  @Test func whatIsThereStaysIfItIsNotToBeReplaced() throws {
    let file = try ReplacementFile(at: path)
    write("new", to: file)
    scratch.write("old", to: "out", mode: 0o644)
    #expect(throws: SystemError("linkat", code: EEXIST, subject: path)) {
      try file.publish(replacing: false)
    }
    #expect(mode() & 0o777 == 0o644)
    #expect(try names() == ["out"])
    #expect(throws: Never.self) { try ReplacementFile(at: path).publish() }
    #expect(mode() & 0o777 == 0o600)
  }

  @Test func itIsPublishedWhereNothingIsToBeReplaced() throws {
    let file = try ReplacementFile(at: path)
    try file.publish(replacing: false)
    #expect(try names() == ["out"])
  }

  @Test func nothingIsLeftOfOneThatIsNotPublished() throws {
    scratch.write("old", to: "out")
    do {
      let file = try ReplacementFile(at: path)
      write("new", to: file)
    }
    #expect(try names() == ["out"])
  }

  @Test func whatIsNoRegularFileStays() throws {
    // SAFETY: the strings are C strings for the length of the calls.
    #expect(unsafe mkfifo(scratch.file("fifo"), 0o600) == 0)
    #expect(unsafe symlink("out", scratch.file("link")) == 0)
    #expect(unsafe mkdir(scratch.file("directory"), 0o700) == 0)
    for (name, code) in [("fifo", EINVAL), ("link", EINVAL), ("directory", EISDIR)] {
      #expect(throws: SystemError("open", code: code, subject: scratch.file(name))) {
        _ = try ReplacementFile(at: scratch.file(name))
      }
    }
    #expect(throws: SystemError.self) { _ = try ReplacementFile(at: scratch.path + "/") }
    #expect(throws: SystemError.self) { _ = try ReplacementFile(at: "/dev/null/out") }
    #expect(try names() == ["directory", "fifo", "link"])
  }
}
