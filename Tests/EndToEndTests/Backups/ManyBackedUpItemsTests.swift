import LocalAuthJSON
import LocalAuthTestSupport
import LocalAuthUnix
import Testing

/// Backups of many items, which cost the daemon no more memory than those of a few.
@Suite struct ManyBackedUpItemsTests {
  /// `make nightly` takes 100,000.
  private static let count =
    ProcessEnvironment.current["BACKUP_ITEMS"].flatMap { Int($0) } ?? 3000
  private static let atOnce = 500
  private let scratch = Scratch()

  @Test func makingAndReadingABackupTakesConstantMemory() throws {
    let daemon = try DaemonProcess(home: scratch.file("home"))
    let client = try daemon.connect()
    try client.create("sim")
    for start in stride(from: 0, to: Self.count, by: Self.atOnce) { try add(from: start, client) }
    let file = scratch.file("my.backup")
    let before = daemon.peakKilobytes
    for verb in [
      ["create", file, "--device-only"], ["verify", file], ["restore", file, "--dry-run"],
    ] {
      let words = ["--home", daemon.home, "--device", "sim", "--json", "backup"] + verb
      let ran = try Authctl.run(words)
      #expect(ran.status == 0, "\(verb): \(ran.errors)")
      let said = try ran.json["items"]
      let counted = said?.integer ?? said?.elements.count
      #expect(counted == Self.count, "\(verb)")
      let growth = daemon.peakKilobytes - before
      #expect(growth < 32 * 1024 || Sanitizer.isActive, "\(verb): \(growth) KiB")
    }
    let size = try Files.read(file).count
    #expect(size < 400 * Self.count + 65_536, "\(size) bytes")
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
