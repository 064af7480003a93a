import Glibc
import LocalAuthJSON
import LocalAuthUnix
import Testing

/// Clients that start the daemon, and its end when nobody needs it.
@Suite struct OnDemandTests {
  private let scratch = Scratch()
  private var home: String { scratch.file("home") }

  /// Asks for the status, as a client that may have to start the daemon, and returns the daemon's
  /// process.
  private func daemonOfStatus() throws -> Int32 {
    let run = try Authctl.run(["--home", home, "--json", "status"])
    #expect(run.status == 0, "\(run.errors)")
    return Int32(try run.json["daemon"]?["pid"]?.integer ?? 0)
  }

  @Test func tenClientsAtOnceStartOneDaemon() throws {
    for _ in 0..<3 {
      let start = StartingLine(10)
      let daemons = try concurrently(10) { _ in
        start.wait()
        return try daemonOfStatus()
      }
      let daemon = StrayDaemon(daemons[0])
      #expect(Set(daemons).count == 1 && daemons[0] > 0)
      #expect(try Processes.withArgument(home) == [daemons[0]])
      // It dies as a crash leaves it: with its socket in place.
      try daemon.end()
      #expect(Files.exists(home + "/socket"))
    }
  }

  @Test func daemonThatCannotStartSaysWhyThroughItsClient() throws {
    try DaemonProcess(home: home).stop()
    try scratch.write("Dear diary", to: "home/state.sqlite")
    let run = try Authctl.run(["--home", home, "--json", "status"])
    #expect(run.status == 69)
    #expect(run.errors.contains("is not a database"), "\(run.errors)")
    #expect(!run.errors.contains("<3>"), "\(run.errors)")
    #expect(try run.json["outcome"]?.string == "unreachable")
    #expect(try Processes.withArgument(home).isEmpty)
  }

  @Test func idleDaemonEndsAndTheNextClientStartsAnother() throws {
    let first = try DaemonProcess(home: home, .init(arguments: ["--idle-exit", "1"]))
    let client = try first.connect()
    try client.create("sim")
    client.close()
    #expect(try first.program.waitForExit() == .status(0))
    #expect(!Files.exists(first.socket))
    let next = StrayDaemon(try daemonOfStatus())
    #expect(next.processID != first.processID)
    #expect(try WireClient(home + "/socket").has("sim"))
    try next.end()
  }

  @Test func daemonWithAClientIsNotIdle() throws {
    let daemon = try DaemonProcess(home: home, .init(arguments: ["--idle-exit", "1"]))
    let waiting = try daemon.connect()
    try waiting.create("sim")
    // The prompt outlives the limit, since somebody waits for it.
    let result = try waiting.evaluate(on: "sim", ["timeoutMilliseconds": 1500])
    #expect(result.outcome == "timeout")
    waiting.close()
    #expect(try daemon.program.waitForExit() == .status(0))
  }

  @Test func homeHasOneOwner() throws {
    let first = try DaemonProcess(home: home)
    let error = try #require(throws: DaemonProcess.NotStarted.self) {
      try DaemonProcess(home: home, .init(socket: scratch.file("other")))
    }
    #expect(error.exit == .status(Int32(EX_UNAVAILABLE)))
    #expect(error.errors.contains("process \(first.processID)"), "\(error.errors)")
    #expect(try first.connect().call(Interface.service + "GetInfo").error == nil)
  }

  @Test func livingSocketIsNotTakenOver() throws {
    let first = try DaemonProcess(home: home)
    let other = scratch.file("other")
    let error = try #require(throws: DaemonProcess.NotStarted.self) {
      try DaemonProcess(home: other, .init(socket: first.socket))
    }
    #expect(error.exit == .status(Int32(EX_UNAVAILABLE)))
    #expect(try first.connect().call(Interface.service + "GetInfo").error == nil)
  }

  @Test func wrongOptionsAreUsageErrors() throws {
    for words in [
      ["--frobnicate"], ["--home"], ["--home", ""], ["--idle-exit", "soon"], ["--ready-fd", "1"],
      ["--pam-limit", "0"], ["--connections-max", "-1"], ["--partial-frame-limit", "x"],
      ["status"],
    ] {
      let run = try RunningProgram.run(Machine.localauthd, words)
      #expect(run.status == 64, "\(words)")
      #expect(run.errors.split(separator: "\n").count == 1, "\(words): \(run.errors)")
    }
  }

  @Test func socketDirectoryOfSomebodyElseIsRefused() throws {
    _ = try scratch.makeDirectory("open", mode: 0o777)
    let run = try Authctl.run(["--home", home, "--socket", scratch.file("open/s"), "status"])
    #expect(run.status == 69, "\(run.errors)")
    #expect(run.errors.contains("chmod"), "\(run.errors)")
  }
}

/// A daemon that a client started: no child of ours, and ended by its process id.
final class StrayDaemon: Sendable {
  let processID: Int32

  init(_ processID: Int32) { self.processID = processID }

  /// Kills it and waits until it is gone.
  func end() throws {
    guard processID > 1 else { return }
    kill(processID, SIGKILL)
    #expect(try Processes.waitForEnd(of: processID))
  }

  deinit { if processID > 1 { kill(processID, SIGKILL) } }
}
