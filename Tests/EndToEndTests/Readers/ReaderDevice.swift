import LocalAuthJSON
import LocalAuthUnix

/// A simulated device with the passcode 2468, whose fingers are judged by fprintd with libfprint's
/// virtual reader, on a bus of the test's own.
final class ReaderDevice {
  let scratch = Scratch()
  private(set) var daemon: DaemonProcess
  private let world: RunningProgram
  private static let script = Files.beside("bus-world.py", #filePath)

  /// Something failed that the test needs.
  struct Failed: Error {
    let what: String
  }

  /// Whether this machine has what the tests need.
  static let isPossible =
    Files.exists("/usr/libexec/fprintd") && Files.exists("/usr/bin/dbus-daemon")
    && (try? RunningProgram.run("/usr/bin/python3", ["-c", "import gi"]))?.status == 0

  /// Makes it; `manifest` and `arguments` are added to those of the authenticator.
  init(manifest: String = "", arguments: [String] = []) throws {
    let readiness = BytePipe()
    world = try RunningProgram(
      SpawnRequest(
        executable: "/usr/bin/python3",
        arguments: [Self.script, "serve", scratch.path],
        environment: ["PATH=/usr/bin:/bin"],
        descriptors: [.null, .null, .null, .duplicate(of: readiness.writingEnd)]
      )
    )
    readiness.closeWriter()
    guard readiness.read(within: .seconds(60)) else { throw Failed(what: "the bus") }
    _ = try scratch.makeDirectory("manifests", mode: 0o755)
    _ = try scratch.makeDirectory("home")
    try scratch.write(
      Self.manifest(scratch.path, manifest, arguments),
      to: "manifests/reader.json",
      mode: 0o644
    )
    daemon = try Self.start(scratch)
    let made = try authctl(
      ["device", "create", "demo", "--sensor", "none", "--passcode-stdin"],
      input: "2468\n"
    )
    guard made.status == 0 else { throw Failed(what: made.errors) }
  }

  static func manifest(_ directory: String, _ more: String, _ arguments: [String]) -> String {
    let all = ["--simulated", "--bus", "unix:path=\(directory)/bus"] + arguments
    return """
      {"name": "reader", "summary": "Readers of a test.", "program": "\(Machine.localauthBus)",
       "arguments": [\(all.map { "\"\($0)\"" }.joined(separator: ", "))],
       "kind": "fingerprint", "asks": "touch", "amr": "fpt", "simulated": true, "presence": true\(more)}
      """
  }

  private static func start(_ scratch: Scratch) throws -> DaemonProcess {
    try DaemonProcess(
      home: scratch.file("home"),
      DaemonProcess.Options(arguments: ["--authenticators", scratch.file("manifests")])
    )
  }

  /// Kills the daemon and starts it anew.
  func crash() throws {
    try daemon.crash()
    daemon = try Self.start(scratch)
  }

  /// Has the bus's world do something; returns what it says.
  @discardableResult
  func tell(_ command: String) throws -> String {
    let report = try RunningProgram.run(
      "/usr/bin/python3",
      [Self.script, "tell", scratch.path, command]
    )
    guard report.status == 0, !report.output.hasPrefix("failed") else {
      throw Failed(what: "\(command): \(report.output)\(report.errors)")
    }
    return report.output
  }

  func authctl(_ words: [String], input: String = "") throws -> RunningProgram.Report {
    try Authctl.run(["--socket", daemon.socket, "--device", "demo"] + words, input: input)
  }

  /// Enrols a finger through the daemon, with touches of the print of that name.
  func enroll(_ finger: String = "right-index", print: String = "one") throws {
    let client = try daemon.connect()
    try client.send(
      "io.localauth.Sensor.Enroll",
      ["device": "demo", "finger": .text(finger), "passcode": "2468"],
      more: true
    )
    // What the person has to do comes first.
    _ = try client.receive()
    while true {
      try tell("scan \(print)")
      let reply = try client.receive()
      guard reply.error == nil else { throw Failed(what: "\(reply)") }
      if reply.parameters["completed"] == true { break }
    }
    // What the reader needs next is then not this enrolment's.
    try tell("idle")
  }

  /// Begins an evaluation, and waits until the reader scans for it.
  func begin(_ policy: String = "biometrics") throws -> WireClient {
    let client = try daemon.connect()
    _ = try client.beginEvaluation(policy, on: "demo")
    try tell("needed")
    return client
  }

  /// Evaluates with these touches.
  func evaluate(_ prints: [String], _ policy: String = "biometrics") throws -> Evaluated {
    let client = try begin(policy)
    for print in prints { try tell("scan \(print)") }
    return try client.receiveResult()
  }

  func status() throws -> DeviceState { try daemon.connect().status("demo") }

  /// Proves the passcode.
  func provePasscode() throws {
    let client = try daemon.connect()
    let evaluated = try client.evaluate("passcode", on: "demo", script: "passcode:2468")
    guard evaluated.outcome == "success" else { throw Failed(what: evaluated.outcome) }
  }

  /// Waits until the device says this of fingers.
  func wait(for biometry: String) throws {
    let deadline = Deadline.after(.seconds(20))
    while try status().biometry != biometry {
      guard !deadline.hasPassed else {
        throw Failed(what: "\(try status().biometry), not \(biometry)")
      }
    }
  }

  /// The processes of the worker.
  func workers() throws -> [Int32] {
    let report = try RunningProgram.run(
      "/usr/bin/pgrep",
      ["-f", "localauth-bus --simulated --bus unix:path=\(scratch.path)/bus"]
    )
    return report.output.split(separator: "\n").compactMap { Int32($0) }
  }
}
