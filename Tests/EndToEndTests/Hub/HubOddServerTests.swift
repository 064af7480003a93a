import Glibc
import LocalAuthHub
import LocalAuthSecret
import LocalAuthSync
import LocalAuthUnix
import Testing

/// A server that is no PostgreSQL: it lets everybody in, and then says what no hub says.
@Suite struct HubOddServerTests {
  private let scratch = Scratch()

  /// What it answers: to a login with these bytes, and to each statement with those.
  private func serve(
    login: String,
    answer: String,
    isEndless: Bool = false
  ) throws -> RunningProgram {
    let program = """
      import socket, struct, sys
      s = socket.socket(socket.AF_UNIX); s.bind(sys.argv[1]); s.listen(); print('up', flush=True)
      login, answer = bytes.fromhex(sys.argv[2]), bytes.fromhex(sys.argv[3])
      while True:
          c, _ = s.accept()
          c.recv(struct.unpack('>I', c.recv(4))[0] - 4)
          try:
              c.sendall(login)
              while sys.argv[4:]: c.sendall(answer * 65536)
              while c.recv(65536): c.sendall(answer)
          except OSError: pass
      """
    return try serve(program, [login, answer] + (isEndless ? ["endless"] : []))
  }

  /// Runs a program of Python's, which gets the path of its socket first.
  private func serve(_ program: String, _ arguments: [String]) throws -> RunningProgram {
    let ready = BytePipe()
    let server = try RunningProgram(
      SpawnRequest(
        executable: "/usr/bin/python3",
        arguments: ["-c", program, scratch.file(".s.PGSQL.5432")] + arguments,
        environment: ["PATH=/usr/bin:/bin"],
        descriptors: [.null, .duplicate(of: ready.writingEnd), .null]
      )
    )
    ready.closeWriter()
    try #require(ready.read(within: .seconds(60)))
    return server
  }

  private func connect() throws -> HubConnection {
    try HubConnection(
      [("host", scratch.path), ("port", "5432"), ("user", "x"), ("dbname", "x")]
    )
  }

  /// libpq hashes a password as often as a server says, and looks at no clock meanwhile.
  @Test func aServerThatHasAPasswordHashedForHoursIsLeft() throws {
    let program = """
      import socket, struct, sys
      def message(kind, body): return b'R' + struct.pack('>ii', len(body) + 8, kind) + body
      s = socket.socket(socket.AF_UNIX); s.bind(sys.argv[1]); s.listen(); print('up', flush=True)
      while True:
          c, _ = s.accept()
          try:
              c.recv(struct.unpack('>I', c.recv(4))[0] - 4)
              c.sendall(message(10, b'SCRAM-SHA-256\\0\\0'))
              nonce = c.recv(4096).split(b'r=')[1]
              c.sendall(message(11, b'r=' + nonce + b'x,s=c2FsdHNhbHRzYWx0,i=2147483647'))
              c.recv(4096)
          except (OSError, IndexError, struct.error): pass
      """
    let server = try serve(program, [])
    defer { _ = try? server.end(SIGKILL) }
    let worker = try HubWorker()
    let address = HubAddress(host: scratch.path, database: "x", role: HubDevice.role(1))
    #expect(throws: (any Error).self) {
      try worker.connect(try #require(address), Secret(copying: "x".utf8))
    }
    #expect(try worker.program.waitForExit() == .signal(SIGPROF))
  }

  /// Authentication that is done, and readiness.
  private static let welcome = "520000000800000000" + "5a0000000549"

  /// It would be asked for the next result without end.
  @Test(arguments: ["47", "48", "57"]) func copyIsNoAnswer(_ kind: String) throws {
    let copy = kind + "00000007" + "00" + "0000"
    let server = try serve(login: Self.welcome, answer: copy)
    defer { _ = try? server.end(SIGKILL) }
    let connection = try connect()
    let error = #expect(throws: HubError.self) { try connection.runScript("select 1") }
    guard case .unexpected = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  /// An error as servers of old said it, which ends where a zero comes; the unit for all users has that limit, too.
  @Test func aServerThatTalksWithoutEndFillsNoMemory() throws {
    let server = try serve(login: "45", answer: "61", isEndless: true)
    defer { _ = try? server.end(SIGKILL) }
    let worker = try HubWorker()
    let address = HubAddress(host: scratch.path, database: "x", role: HubDevice.role(1))
    let reply = try worker.connect(try #require(address), Secret(copying: "x".utf8))
    guard case .failed = reply else {
      Issue.record("\(reply)")
      return
    }
    let status = try Files.text("/proc/\(worker.program.processID)/status")
    let peak = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
    let kibibytes = peak.split(separator: " ").dropFirst().first.flatMap { Int($0) }
    #expect(kibibytes.map { $0 < 320 << 10 } == true, "\(peak)")
  }

  /// What a server says when it lets nobody in, in any language: the code alone counts.
  @Test(arguments: [
    ("28P01", "Passwort-Authentifizierung fehlgeschlagen", true),
    ("28000", "1: 2:  3", true), ("53300", "28P01", false), ("XX000", "28000: no", false),
    ("", "none", false),
  ])
  func denialIsToldByItsCode(_ code: String, _ message: String, _ isDenial: Bool) throws {
    func field(_ name: String, _ value: String) -> [UInt8] {
      Array(name.utf8) + Array(value.utf8) + [0]
    }
    let fields =
      field("S", "SCHWERWIEGEND") + field("C", code) + field("M", message) + [0]
    // A field is short, so that one byte has the length.
    let bytes = [UInt8(ascii: "E"), 0, 0, 0, UInt8(fields.count + 4)] + fields
    let hex = bytes.map { byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
    let server = try serve(login: hex, answer: "")
    defer { _ = try? server.end(SIGKILL) }
    let error = #expect(throws: HubError.self) { _ = try connect() }
    #expect(error?.isDenial == isDenial, "\(String(describing: error))")
    guard case .denied(let reason) = error else { return }
    #expect(reason.contains(message) && !reason.contains(code), "\(reason)")
  }
}
