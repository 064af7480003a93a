import LocalAuthJSON
import LocalAuthTestSupport
import Testing

/// `kill -9` at everything the daemon does to its files while a backup is restored.
@Suite(
  .enabled(if: Machine.compiler != nil, "needs a C compiler"),
  .disabled(if: Sanitizer.isActive, "a sanitizer lets nothing be loaded before it")
)
struct BackupCrashTests {
  private let scratch = Scratch()
  private let killer: StepKiller
  private let backups = "io.localauth.Backups."
  private let sim: JSONValue = ["device": "sim", "allowSimulated": true]
  private let before = ["kept", "mine"]
  private static let row: JSONValue = [
    "device": "sim", "allowSimulated": true, "table": "t", "row": "a",
  ]

  init() throws { killer = try StepKiller(in: scratch) }

  @Test(arguments: [StepKiller.Mode.killed, .powerCut], ["merge", "replace"])
  func aKeychainIsAsItWasOrWhollyRestored(_ mode: StepKiller.Mode, _ purpose: String) throws {
    let (home, backup) = try model(passcode: purpose == "merge" ? nil : "1234")
    let after = purpose == "merge" ? ["kept", "mine", "one", "two"] : ["kept", "one", "two"]
    let steps = try killer.killAtEveryStep(mode, from: home, false) { client, isDone in
      try client.unlockSim()
      isDone = try restore(backup, client, purpose)
    } _: { home, isDone, context in
      let daemon = try DaemonProcess(home: home)
      let client = try daemon.connect()
      try client.unlockSim()
      let found = try accounts(client)
      let row = try client.call("io.localauth.Tables.Read", Self.row).parameters["row"]?["row"]
      #expect((row != nil) == (found == after), "\(context): items without rows, or the other way")
      #expect(found == after || (!isDone && found == before), "\(context): \(found)")
      try daemon.stop()
    }
    #expect(steps > 5, "so few steps cannot be all")
  }

  /// More than a spool keeps in memory, so that its file has items.
  @Test func aKillWhileItemsAreSpooledLeavesTheKeychainAndNothingElse() throws {
    let daemon = try DaemonProcess(home: try model().home)
    let client = try daemon.connect()
    try client.unlockSim()
    for number in 0..<140 {
      let item: JSONValue = ["class": "genp", "acct": .text("large \(number)")]
      let data = JSONValue.text(String(repeating: "eHh4", count: 20_000))
      let added = try client.item("Add", on: "sim", item, ["data": data])
      try #require(added.isDone, "\(added)")
    }
    let backup = try make(client)
    let gone = try client.item("Delete", on: "sim", ["class": "genp"])
    try #require(gone.isDone, "\(gone)")
    let names = try Files.names(in: daemon.home).sorted()
    _ = try client.call(
      backups + "Open",
      sim.setting(["header": backup[0], "purpose": "merge"])
    )
    for chunk in backup[1..<(backup.count - 1)] {
      let taken = try client.call(backups + "Write", ["chunk": chunk])
      try #require(taken.error == nil, "\(taken)")
    }
    #expect(try Files.names(in: daemon.home).sorted() == names)
    try daemon.crash()
    let next = try DaemonProcess(home: daemon.home)
    let again = try next.connect()
    try again.unlockSim()
    #expect(try accounts(again).isEmpty)
    #expect(try restore(backup, again, "merge"))
    #expect(try accounts(again).count == 142)
    #expect(try !Files.names(in: daemon.home).contains { $0.hasSuffix("-restore") })
    try next.stop()
  }

  /// `authctl` itself, killed at everything that it does to files.
  @Test func aBackupThatIsCutOffLeavesNoFileAndTheOldOneStays() throws {
    let daemon = try DaemonProcess(home: try model().home)
    let client = try daemon.connect()
    try client.unlockSim()
    let file = scratch.file("my.backup")
    let words = ["--home", daemon.home, "--device", "sim", "backup"]
    for old in [nil, Array("an older file".utf8)] {
      var step = 1
      while true {
        if let old { try Files.write(old, to: file) } else { Files.remove(file) }
        let made = try Authctl.run(
          words + ["create", file, "--device-only"],
          environment: killer.environment(.killed, killedAt: step),
          program: Machine.dynamicAuthctl
        )
        let isThere = Files.exists(file)
        let left = isThere ? try Files.read(file) : nil
        if left != old {
          let verified = try Authctl.run(words + ["verify", file])
          #expect(verified.status == 0, "step \(step): \(verified.errors)")
        }
        guard made.status != 0 else { break }
        step += 1
      }
      #expect(step > 3, "so few steps cannot be all")
    }
  }

  /// A home with two items, and a backup that has one of them, two more and a row.
  private func model(
    passcode: String? = "1234"
  ) throws -> (home: String, backup: [JSONValue]) {
    let home = scratch.file("model")
    let daemon = try DaemonProcess(home: home)
    let client = try daemon.connect()
    try client.create("sim", passcode: passcode)
    for account in ["kept", "one", "two"] { try add(account, client) }
    // An array of the number 1, as a binary property list.
    try write(
      [
        "columns": ["n"],
        "values": "YnBsaXN0MDChARABCAoAAAAAAAABAQAAAAAAAAACAAAAAAAAAAAAAAAAAAAADA==",
      ],
      client
    )
    let backup = try make(client)
    try write(["delete": true], client)
    for account in ["one", "two"] {
      _ = try client.item("Delete", on: "sim", ["class": "genp", "acct": .text(account)])
    }
    try add("mine", client)
    #expect(try accounts(client) == before)
    try daemon.stop()
    return (home, backup)
  }

  /// Writes the row, or deletes it.
  private func write(_ values: JSONValue, _ client: WireClient) throws {
    let change = values.setting(["table": "t", "row": "a"])
    let done = try client.call(
      "io.localauth.Tables.Write",
      sim.setting(["changes": JSONValue(.array([change]))])
    )
    try #require(done.error == nil, "\(done)")
  }

  private func add(_ account: String, _ client: WireClient) throws {
    let item: JSONValue = ["class": "genp", "acct": .text(account), "svce": "site"]
    let added = try client.item("Add", on: "sim", item, ["data": "aHVudGVyMg=="])
    try #require(added.isDone, "\(added)")
  }

  /// A backup for this device alone: its header, its chunks, its trailer.
  private func make(_ client: WireClient) throws -> [JSONValue] {
    _ = try client.call(backups + "Create", sim)
    var pieces: [JSONValue] = []
    while true {
      let piece = try client.call(backups + "Read").parameters
      let bytes = try #require(piece["bytes"])
      if bytes.string != "" { pieces.append(bytes) }
      if let header = piece["header"]?.string { return [.text(header)] + pieces }
    }
  }

  /// Whether the daemon said that the backup is restored.
  private func restore(
    _ backup: [JSONValue],
    _ client: WireClient,
    _ purpose: String
  ) throws -> Bool {
    let open = sim.setting(["header": backup[0], "purpose": .text(purpose)])
    _ = try client.call(backups + "Open", open)
    for chunk in backup[1..<(backup.count - 1)] {
      _ = try client.call(backups + "Write", ["chunk": chunk])
    }
    let end: JSONValue = ["passcode": "1234", "deaths": 1]
    let done = try client.call(
      backups + "Finish",
      end.setting(["trailer": backup[backup.count - 1]])
    )
    try #require(done.error == nil, "\(done)")
    return true
  }

  private func accounts(_ client: WireClient) throws -> [String] {
    let query: JSONValue = ["class": "genp", "m_Limit": "m_LimitAll", "r_Attributes": true]
    let answer = try client.item("Copy", on: "sim", query)
    let items = answer.items
    return items.compactMap { $0["attributes"]?["acct"]?.string }.sorted()
  }
}
