import Glibc
import LocalAuthTestSupport
import LocalAuthUnix
import Testing

/// Kills one home's daemon with `kill -9` again and again while devices are used, each by a client of its
/// own.
struct KillRun<Desk: Sendable> {
  /// What is drawn for this run is drawn under this name.
  let name: String
  let kills: Int
  /// Makes the devices.
  let makeDesks: (WireClient, inout SeededGenerator) throws -> [Desk]
  /// Holds what is durable of a device against what its client was told, after each kill.
  let check: (inout Desk, WireClient, Comment) throws -> Void
  /// Makes a device usable again after that.
  var repair: (inout Desk, WireClient) throws -> Void = { _, _ in }
  /// Lets every device be used until the daemon is killed after so many replies.
  let work: ([Desk], DaemonProcess, Int, inout SeededGenerator) throws -> [Desk]

  func run() throws {
    let scratch = Scratch()
    let home = scratch.file("home")
    var generator = Settings.generator(name)
    var desks = try made(home, &generator)
    for round in 1...kills {
      let context: Comment = "SEED=\(Settings.seed) kill \(round)"
      if generator.next() % 4 == 0 { try killWhileStarting(home, &generator) }
      let daemon = try DaemonProcess(home: home)
      let client = try daemon.connect()
      for index in desks.indices {
        try check(&desks[index], client, context)
        try repair(&desks[index], client)
      }
      desks = try work(desks, daemon, Int(generator.next() % 60) + 1, &generator)
      #expect(try daemon.program.waitForExit() == .signal(SIGKILL), context)
    }
    let daemon = try DaemonProcess(home: home)
    let client = try daemon.connect()
    for index in desks.indices {
      try check(&desks[index], client, "SEED=\(Settings.seed) at the end")
    }
    #expect(try daemon.stop() == .status(0))
  }

  private func made(_ home: String, _ generator: inout SeededGenerator) throws -> [Desk] {
    let daemon = try DaemonProcess(home: home)
    let desks = try makeDesks(try daemon.connect(), &generator)
    try daemon.crash()
    return desks
  }

  /// A daemon that is killed before it serves must not keep the next from starting.
  private func killWhileStarting(_ home: String, _ generator: inout SeededGenerator) throws {
    let spins = generator.next() % 20_000
    try DaemonProcess.crashing(home: home) { for _ in 0..<spins { sched_yield() } }
  }
}
