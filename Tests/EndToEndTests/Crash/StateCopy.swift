import Glibc
import LocalAuthJSON
import LocalAuthUnix
import Testing

/// A state directory to be damaged: a device called `sim` with two misses and a wrong passcode.
final class StateCopy: Sendable {
  /// Misses of the device in ``home``.
  static let misses = 2

  /// What all copies are made from; made once, since passcodes take their time.
  private static let model = Result { try Model() }

  private struct Model {
    let scratch = Scratch.ofWholeRun()
    /// The database as it was before any miss.
    let older: [UInt8]

    init() throws {
      let home = scratch.file("clean")
      var daemon = try DaemonProcess(home: home)
      try daemon.connect().create("sim", passcode: "1234")
      try daemon.stop()
      older = try Files.read(home + "/state.sqlite")
      daemon = try DaemonProcess(home: home)
      let client = try daemon.connect()
      #expect(try client.evaluate(on: "sim", script: "miss,miss,cancel").attempts == 2)
      #expect(
        try client.evaluate("passcode", on: "sim", script: "passcode:0000,cancel").attempts == 1
      )
      try daemon.crash()
      Files.remove(home + "/socket")
      _ = try RunningProgram.run("/bin/cp", ["-a", home, scratch.file("crashed")])
      try DaemonProcess(home: home).stop()
    }
  }

  let scratch = Scratch()
  let home: String
  /// A directory whose daemon was killed, so that its log holds everything.
  let crashedHome: String
  let olderDatabase: [UInt8]
  var database: String { home + "/state.sqlite" }

  init() throws {
    let model = try Self.model.get()
    home = scratch.file("home")
    crashedHome = model.scratch.file("crashed")
    olderDatabase = model.older
    _ = try RunningProgram.run("/bin/cp", ["-a", model.scratch.file("clean"), home])
  }

  /// A copy of `directory` whose log is cut off after so many bytes.
  init(of directory: String, length: Int) {
    home = scratch.file("home")
    crashedHome = directory
    olderDatabase = []
    _ = try? RunningProgram.run("/bin/cp", ["-a", directory, home])
    // SAFETY: the string is a C string for the length of the call.
    _ = unsafe truncate(home + "/state.sqlite-wal", length)
  }

  func start() throws -> DaemonProcess { try DaemonProcess(home: home) }

  /// Overwrites a piece of the database.
  func patch(_ bytes: [UInt8], at offset: Int) throws {
    var all = try Files.read(database)
    all.replaceSubrange(offset..<(offset + bytes.count), with: bytes)
    try Files.write(all, to: database)
  }

  /// The device is gone, distrusted or has all its strikes; a finger that matches gains nothing.
  func expectNoGain(misses: Int) throws {
    let daemon = try start()
    let client = try daemon.connect()
    guard try client.has("sim") else { return }
    let state = try client.status("sim")
    let counted = StrikeBook.locksAt - (state.attemptsLeft ?? 0)
    #expect(state.isDistrusted || counted >= misses, "\(state)")
  }

  /// Nothing was lost at all.
  func expectIntact() throws {
    let client = try start().connect()
    let state = try client.status("sim")
    #expect(!state.isDistrusted && state.attemptsLeft == 1 && state.passcodeAttemptsLeft == 9)
  }
}
