import LocalAuthJSON
import LocalAuthTestSupport
import LocalAuthUnix
import Testing

/// Backups of many items, which cost the daemon no more memory than those of a few.
@Suite struct ManyBackedUpItemsTests {
  /// `make nightly` takes 1,000,000.
  private static let count =
    ProcessEnvironment.current["BACKUP_ITEMS"].flatMap { Int($0) } ?? 3000
  private static let atOnce = 500
  private let scratch = Scratch()

  @Test func makingReadingAndRestoringABackupTakesConstantMemory() throws {
    let (source, target) = try twins()
    let client = try source.connect()
    for start in stride(from: 0, to: Self.count, by: Self.atOnce) { try add(from: start, client) }
    let file = scratch.file("my.backup")
    try run(["create", file, "--device-only"], source, "has \(Self.count) items.")
    try run(["verify", file], target, "\(Self.count) items would open here.")
    try run(["restore", file, "--dry-run"], target, "\(Self.count) items would be restored.")
    try run(["restore", file], target, "\(Self.count) items restored.")
    // What is there already is decided about one by one, and goes before it comes anew.
    try run(["restore", file], target, "0 items restored, \(Self.count) not newer than here.")
    try run(
      ["restore", file, "--replace", "--deletes", "0"],
      target,
      "\(Self.count) items restored."
    )
    let size = try Files.read(file).count
    #expect(size < 400 * Self.count + 65_536, "\(size) bytes")
  }

  /// Two daemons that have the same device, one for its items and one without any.
  private func twins() throws -> (source: DaemonProcess, target: DaemonProcess) {
    let first = try DaemonProcess(home: scratch.file("home"))
    try first.connect().create("sim")
    try first.stop()
    let copied = try RunningProgram.run("/bin/cp", ["-r", first.home, scratch.file("twin")])
    try #require(copied.status == 0, "\(copied.errors)")
    return (
      try DaemonProcess(home: first.home), try DaemonProcess(home: scratch.file("twin"))
    )
  }

  /// Runs a verb, which must say `ending` last, and takes little memory of the daemon.
  private func run(_ verb: [String], _ daemon: DaemonProcess, _ ending: String) throws {
    let before = daemon.peakKilobytes
    let ran = try Authctl.run(
      ["--home", daemon.home, "--device", "sim", "backup"] + verb,
      within: .seconds(60 + Self.count / 500)
    )
    #expect(ran.status == 0, "\(verb): \(ran.errors)")
    let said = (ran.output + ran.errors).suffix(200)
    #expect(said.hasSuffix(ending + "\n"), "\(verb): \(said)")
    let growth = daemon.peakKilobytes - before
    #expect(growth < 32 * 1024 || Sanitizer.isActive, "\(verb): \(growth) KiB")
  }

  private func add(from start: Int, _ client: WireClient) throws {
    let items = (start..<min(start + Self.atOnce, Self.count)).map { number -> JSONValue in
      let query: JSONValue = ["class": "genp", "svce": "many", "acct": .text("account \(number)")]
      return ["query": query, "data": "aHVudGVyMg=="]
    }
    let reply = try client.call(
      Interface.keychain + "AddAll",
      [
        "device": "sim", "allowSimulated": true, "interactive": false,
        "items": JSONValue(.array(items)),
      ]
    )
    try #require(ItemAnswer(reply: reply).isDone, "\(reply)")
  }
}
