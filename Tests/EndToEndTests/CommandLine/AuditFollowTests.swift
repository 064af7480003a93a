import Glibc
import LocalAuthJSON
import LocalAuthTestSupport
import LocalAuthUnix
import Testing

/// `authctl audit --follow` tells each line once, whatever becomes of the daemon.
@Suite struct AuditFollowTests {
  private let scratch = Scratch()
  private var home: String { scratch.file("home") }

  /// The program, and what it printed.
  private struct Follower {
    let program: RunningProgram
    let output: Captured
    let errors: Captured

    init(_ words: [String]) throws {
      (output, errors) = (try Captured(), try Captured())
      program = try RunningProgram(
        SpawnRequest(
          executable: Machine.authctl,
          arguments: words + ["--json", "audit", "--follow"],
          environment: Authctl.environment,
          descriptors: [
            .null, .duplicate(of: output.descriptor), .duplicate(of: errors.descriptor),
          ]
        )
      )
    }

    /// The evaluations and acts that were told with their outcome.
    var told: [String] {
      get throws {
        let text = output.text
        // The last line may be under way.
        let whole = text.lastIndex(of: "\n").map { text[..<$0] } ?? ""
        return try whole.split(separator: "\n").map { text in
          try JSONValue(parsing: Array(text.utf8).span)
        }.filter { $0["line"]?["outcome"]?.string != "unknown" }
          .compactMap { $0["line"]?["evaluation"]?.string }
      }
    }

    /// Waits until `last` was told.
    func wait(for last: String) throws {
      let deadline = Deadline.after(.seconds(60))
      while try !told.contains(last) {
        try #require(!deadline.hasPassed && program.isRunning, "\(last): \(errors.text)")
        sched_yield()
      }
    }
  }

  /// Lets two clients evaluate until the daemon is killed; returns what they were answered.
  private func work(_ daemon: DaemonProcess, replies: Int) throws -> [String] {
    var answered: [String] = []
    let client = try daemon.connect()
    for number in 0..<replies {
      answered.append(
        try client.evaluate(on: "sim", script: number % 3 == 0 ? "match" : "miss,cancel").evaluation
      )
    }
    // A kill costs an attempt: no three misses in a row, which would lock the finger.
    answered.append(try client.evaluate(on: "sim", script: "match").evaluation)
    // One more is under way, and may or may not have its outcome stored.
    let waiting = try daemon.connect()
    _ = try waiting.beginEvaluation(on: "sim")
    let toucher = try daemon.connect()
    try toucher.send(
      "io.localauth.Sensor.Touch",
      ["device": "sim", "finger": "right-index-finger"]
    )
    try daemon.crash()
    return answered
  }

  @Test func noLineIsMissedOrRepeatedWhenTheDaemonIsKilled() throws {
    var generator = Settings.generator("follow")
    let comment: Comment = "SEED=\(Settings.seed)"
    var daemon = try DaemonProcess(home: home)
    try daemon.connect().create("sim")
    let follower = try Follower(["--home", home])
    // Before that it would start a daemon, as any client does.
    let first = try #require(try daemon.connect().audit("sim").last?["evaluation"]?.string)
    try follower.wait(for: first)
    var answered: [String] = []
    for _ in 0..<6 {
      answered += try work(daemon, replies: Int.random(in: 0...12, using: &generator))
      daemon = try DaemonProcess(home: home)
      // Some before the follower has found the new daemon.
      let client = try daemon.connect()
      for _ in 0..<Int.random(in: 0...5, using: &generator) {
        answered.append(try client.evaluate(on: "sim", script: "match").evaluation)
      }
    }
    let client = try daemon.connect()
    answered.append(try client.evaluate(on: "sim", script: "match").evaluation)
    try follower.wait(for: answered[answered.count - 1])
    let told = try follower.told
    #expect(Set(told).count == told.count, comment)
    #expect(told.filter { answered.contains($0) } == answered, comment)
    let stored = try client.audit("sim").filter { $0["outcome"]?.string != "unknown" }
    #expect(Set(told) == Set(stored.compactMap { $0["evaluation"]?.string }), comment)
  }

  @Test func itWaitsForTheNextDaemonAndStartsNone() throws {
    let daemon = try DaemonProcess(home: home)
    try daemon.connect().create("sim")
    let follower = try Follower(["--home", home, "--device", "sim"])
    let first = try #require(try daemon.connect().audit("sim").last?["evaluation"]?.string)
    try follower.wait(for: first)
    try daemon.stop()
    let deadline = Deadline.after(.seconds(60))
    while !follower.errors.text.contains("waiting for the next"), !deadline.hasPassed {
      sched_yield()
    }
    #expect(follower.errors.text.split(separator: "\n").count == 1)
    #expect(!Files.exists(home + "/socket"))
    #expect(follower.program.isRunning)
    let next = try DaemonProcess(home: home)
    let line = try next.connect().evaluate(on: "sim", script: "match").evaluation
    try follower.wait(for: line)
    #expect(try follower.told == [first, line])
    #expect(try follower.program.end(SIGINT) == .signal(SIGINT))
  }

  /// Follows into a reader that goes when it has one line, which it copies to standard error.
  private func followIntoAReaderThatGoes() throws -> (program: RunningProgram, errors: Captured) {
    let errors = try Captured()
    let script = #"{ "$0" --home "$1" audit --follow; echo "ended $?" >&2; } | head -n 1 >&2"#
    let program = try RunningProgram(
      SpawnRequest(
        executable: "/bin/sh",
        arguments: ["-c", script, Machine.authctl, home],
        environment: Authctl.environment,
        descriptors: [.null, .null, .duplicate(of: errors.descriptor)]
      )
    )
    return (program, errors)
  }

  @Test func itEndsWhereNobodyReadsWhatItPrints() throws {
    let daemon = try DaemonProcess(home: home)
    let client = try daemon.connect()
    try client.create("sim")
    let (program, errors) = try followIntoAReaderThatGoes()
    while program.isRunning { _ = try client.evaluate(on: "sim", script: "match") }
    // By its own exit, or by the signal of a broken pipe.
    #expect(errors.text.contains("ended 70") || errors.text.contains("ended 141"))
  }

  @Test func itEndsWhereNobodyReadsWhileItWaitsForADaemon() throws {
    let daemon = try DaemonProcess(home: home)
    try daemon.connect().create("sim")
    let (program, errors) = try followIntoAReaderThatGoes()
    let deadline = Deadline.after(.seconds(60))
    while !errors.text.contains("device create"), !deadline.hasPassed { sched_yield() }
    try daemon.stop()
    _ = try program.waitForExit()
    #expect(errors.text.contains("ended 70"), "\(errors.text)")
  }
}
