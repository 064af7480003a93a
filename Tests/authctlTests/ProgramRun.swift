import Glibc
import LocalAuthJSON
import LocalAuthUnix
import Testing

/// A directory of a test's own, removed with everything in it.
final class Scratch: Sendable {
  let path: String

  init() {
    var template = Array("/tmp/authctl-test-XXXXXX".utf8CString)
    // SAFETY: the array is a C string that mkdtemp overwrites in place.
    guard unsafe mkdtemp(&template) != nil else { fatalError("mkdtemp: errno \(errno)") }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    let request = SpawnRequest(executable: "/bin/rm", arguments: ["-rf", "--", path])
    if var child = try? ChildProcess.spawn(request) { _ = try? child.waitForExit() }
  }

  /// Writes a file in it and returns its path.
  func write(_ text: String, to name: String) -> String {
    let file = path + "/" + name
    let bytes = Array(text.utf8)
    // SAFETY: the string and the array are valid for the calls.
    let descriptor = unsafe open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    _ = unsafe Glibc.write(descriptor, bytes, bytes.count)
    close(descriptor)
    return file
  }
}

/// One run of the program as it was built, in a session without a terminal.
struct ProgramRun {
  let exit: ChildProcess.Exit
  let output: String
  let error: String

  /// The exit status; nil after a signal.
  var status: Int32? {
    guard case .status(let status) = exit else { return nil }
    return status
  }

  /// The lines on standard output as JSON.
  var objects: [JSONValue] {
    get throws {
      try output.split(separator: "\n").map { try JSONValue.parsed(String($0)) }
    }
  }

  /// The one object on standard output.
  var object: JSONValue {
    get throws {
      let objects = try objects
      return try #require(objects.count == 1 ? objects.first : nil, "\(output)")
    }
  }

  /// Runs the program, or the one at `executable`, with what is typed behind its name, what it can read on standard input and on
  /// descriptor 3, and the variables besides `PATH`.
  init(
    _ words: [String],
    executable: String? = nil,
    input: String = "",
    environment: [String] = []
  ) throws {
    let directory = try #require(ThisProgram.directory)
    let files = try Capture()
    try files.writeInput(input)
    var child = try ChildProcess.spawn(
      SpawnRequest(
        executable: executable ?? directory + "/authctl",
        arguments: words,
        // Of two values of one name the first counts.
        environment: environment + ["PATH=/usr/bin:/bin", "HOME=/nonexistent"],
        descriptors: [
          .duplicate(of: files.input), .duplicate(of: files.output), .duplicate(of: files.error),
          .duplicate(of: files.input),
        ]
      )
    )
    exit = try child.waitForExit()
    output = files.text(of: files.output)
    error = files.text(of: files.error)
  }
}

/// Three files without names.
private struct Capture: ~Copyable {
  let input: Int32
  let output: Int32
  let error: Int32

  init() throws {
    input = Self.unnamedFile()
    output = Self.unnamedFile()
    error = Self.unnamedFile()
    try #require(input >= 0 && output >= 0 && error >= 0)
  }

  private static func unnamedFile() -> Int32 {
    var template = Array("/tmp/authctl-test-XXXXXX".utf8CString)
    // SAFETY: the array is a C string that mkstemp overwrites in place, and outlives the calls.
    let descriptor = unsafe mkstemp(&template)
    _ = unsafe unlink(template)
    return descriptor
  }

  deinit { for descriptor in [input, output, error] { close(descriptor) } }

  func writeInput(_ text: String) throws {
    let bytes = Array(text.utf8)
    // SAFETY: the array is valid for the call.
    try #require(unsafe write(input, bytes, bytes.count) == bytes.count)
    lseek(input, 0, SEEK_SET)
  }

  func text(of descriptor: Int32) -> String {
    var all: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    lseek(descriptor, 0, SEEK_SET)
    while true {
      // SAFETY: the array's storage is valid for the call and has `count` bytes.
      let count = unsafe read(descriptor, &chunk, chunk.count)
      guard count > 0 else { return String(decoding: all, as: UTF8.self) }
      all += chunk[..<count]
    }
  }
}

extension JSONValue {
  /// The value that `text` says.
  static func parsed(_ text: String) throws -> JSONValue {
    try JSONValue(parsing: Array(text.utf8).span)
  }

  /// The string that it is.
  var string: String? { if case .string(let text) = content { text } else { nil } }
  /// The whole number that it is.
  var integer: Int64? { if case .integer(let number) = content { number } else { nil } }
  /// The elements that it has.
  var elements: [JSONValue] { if case .array(let elements) = content { elements } else { [] } }
  /// The members that it has.
  var members: [Member] { if case .object(let members) = content { members } else { [] } }
}

/// A file of the package, by its path from the package's root.
func packageFile(_ path: String) throws -> String {
  let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
  return try TextFileOfTests.read("/\(root)/\(path)")
}

private enum TextFileOfTests {
  static func read(_ path: String) throws -> String {
    // SAFETY: the string is a C string for the length of the call.
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    try #require(descriptor >= 0, "\(path)")
    defer { close(descriptor) }
    var all: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      // SAFETY: the array's storage is valid for the call and has `count` bytes.
      let count = unsafe Glibc.read(descriptor, &chunk, chunk.count)
      guard count > 0 else { return String(decoding: all, as: UTF8.self) }
      all += chunk[..<count]
    }
  }
}
