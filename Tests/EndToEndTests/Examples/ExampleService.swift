import CLocalAuthLinux
import Glibc
import LocalAuthJSON
import LocalAuthUnix

/// A service of `Examples/` that runs until the test lets go of it, and a client that is not ours.
final class ExampleService: Sendable {
  /// What the service answered.
  struct Answer {
    let status: String
    let challenge: String
    let body: String

    var json: JSONValue? { try? JSONValue(parsing: Array(body.utf8).span) }
    var error: String { json?["error"]?.string ?? "" }
  }

  struct NotStarted: Error {
    let errors: String
  }

  static let curl = "/usr/bin/curl"
  /// Where `make check-packages` builds the services in Swift.
  static let programs = Repository.path + "/.build/consumers/debug"
  static let hasSwift =
    Files.exists(curl) && Files.exists(programs + "/step-up-service")
    && Files.exists(programs + "/step-up-client")
  /// Where .ci/setup installs what services in Python need.
  static let python = Repository.path + "/.build/python/bin/python"
  static let hasPython =
    Files.exists(curl)
    && (try? RunningProgram.run(python, ["-c", "import varlink, jwt, cryptography"]))?.status == 0

  /// `http://127.0.0.1:` and its port.
  let address: String
  private let program: RunningProgram
  private let output: FileDescriptor
  private let errors: Captured

  /// Starts it and waits until it says where it listens.
  init(
    _ command: [String],
    environment: [String] = ["PATH=\(Machine.programs):/usr/bin:/bin", "HOME=/dev/null"]
  ) throws {
    var ends: (reader: Int32, writer: Int32) = (-1, -1)
    // SAFETY: both pointers are valid for the call.
    guard unsafe la_pipe(&ends.reader, &ends.writer) == 0 else {
      throw SystemError("pipe", code: errno)
    }
    output = FileDescriptor(owning: ends.reader)
    let writer = FileDescriptor(owning: ends.writer)
    errors = try Captured()
    program = try RunningProgram(
      SpawnRequest(
        executable: command[0],
        arguments: Array(command.dropFirst()),
        environment: environment,
        descriptors: [
          .null, .duplicate(of: writer.rawValue), .duplicate(of: errors.descriptor),
        ]
      )
    )
    _ = consume writer
    let line = try Self.line(from: ends.reader)
    guard line.hasPrefix("listening on ") else { throw NotStarted(errors: line + errors.text) }
    address = String(line.dropFirst("listening on ".count))
  }

  private static func line(from descriptor: Int32) throws -> String {
    var line: [UInt8] = []
    var byte: UInt8 = 0
    let deadline = Deadline.after(.seconds(60))
    while try Poll.wait(for: descriptor, until: deadline) {
      // SAFETY: one byte is written to a variable that outlives the call.
      guard unsafe read(descriptor, &byte, 1) == 1, byte != UInt8(ascii: "\n") else { break }
      line.append(byte)
    }
    return String(decoding: line, as: UTF8.self)
  }

  /// What it wrote to standard error.
  var log: String { errors.text }

  /// Sends a request, with the proof that a client has.
  func send(
    _ method: String,
    _ path: String,
    proof: String? = nil,
    _ more: [String] = []
  ) throws -> Answer {
    let authorization = proof.map { ["--header", "Authorization: Bearer \($0)"] } ?? []
    let report = try RunningProgram.run(
      Self.curl,
      [
        "--silent", "--show-error", "--request", method, "--max-time", "50",
        "--write-out", "%{stderr}%{http_code}\n%header{www-authenticate}",
      ] + authorization + more + [address + path]
    )
    let told = report.errors.split(separator: "\n", maxSplits: 1).map(String.init)
    return Answer(
      status: told.first ?? "",
      challenge: told.count > 1 ? told[1] : "",
      body: report.output
    )
  }

  func delete(_ path: String, proof: String? = nil) throws -> Answer {
    try send("DELETE", path, proof: proof)
  }

  /// The releases that are left.
  func releases() throws -> String { try send("GET", "/releases").body.filter { $0 != " " } }
}

extension Repository {
  /// A file of `Examples/`.
  static func example(_ name: String) -> String { "\(path)/Examples/\(name)" }
}
