import LocalAuthUnix

/// A device with items, and `authctl` on it as somebody runs it who hands secrets to programs.
struct SecretDevice {
  let scratch = Scratch()
  let daemon: DaemonProcess
  let client: WireClient
  /// A file that a command makes which must not run.
  var marker: String { scratch.file("ran") }
  var words: [String] { ["--home", daemon.home, "--device", "sim"] }

  init() throws {
    daemon = try DaemonProcess(home: scratch.file("home"))
    client = try daemon.connect()
    try client.create("sim", passcode: "2468")
    try add("mail", "ann", "first secret", "biometryAny")
    try add("mail", "bob", "another", "biometryAny")
    try add("db", "app/main", "second secret", "biometryAny")
    try add("free", "x", "third secret")
  }

  struct NotAdded: Error {
    let errors: String
  }

  /// Adds a generic password, which needs what `flags` say.
  func add(_ service: String, _ account: String, _ secret: String, _ flags: String? = nil) throws {
    let control = flags.map { ["--access-control", $0] } ?? []
    let run = try authctl(
      ["keychain", "add", "--service", service, "--account", account, "--stdin"] + control,
      input: secret
    )
    guard run.status == 0 else { throw NotAdded(errors: run.errors) }
  }

  /// Runs `authctl` to its end, without a terminal.
  func authctl(
    _ verb: [String],
    environment: [String] = [],
    input: String = ""
  ) throws -> RunningProgram.Report {
    try Authctl.run(words + verb, environment: environment, input: input)
  }

  /// Runs `authctl` in a terminal.
  func terminal(_ verb: [String], environment: [String] = []) throws -> TerminalProgram {
    try TerminalProgram.authctl(words + verb, environment: environment)
  }

  /// Lays the enrolled finger on the sensor once it is asked for.
  func touch() throws {
    _ = try authctl(["sensor", "touch", "right-index", "--wait"])
  }

  /// Waits until a process has become a command: keys that were pressed before are dropped.
  func waitUntil(_ process: Int32, runs command: String) throws {
    let deadline = Deadline.after(.seconds(60))
    while try !Files.text("/proc/\(process)/cmdline").hasPrefix(command + "\0"),
      !deadline.hasPassed
    {}
  }

  /// A command that shows that it ran.
  var marking: [String] { ["--", "/bin/sh", "-c", ": > \(marker)"] }
}
