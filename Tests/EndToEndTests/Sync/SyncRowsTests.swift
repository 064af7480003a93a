import LocalAuthHub
import LocalAuthUnix
import Testing

/// Tables of two devices.
extension SyncTests {
  @Test func rowsOfOneDeviceAreThoseOfTheOtherAMomentLater() throws {
    let (first, second) = try pair()
    try first.type(["table", "set", "notes", "milk", "title=Milk", "count:int=1"])
    #expect(try second.shows("milk", "count  int     1\ntitle  string  Milk\n"))
    try second.type(["table", "set", "notes", "milk", "count:int=2"])
    #expect(try first.shows("milk", "count  int     2\ntitle  string  Milk\n"))
    try first.type(["table", "remove", "notes", "milk"])
    #expect(try second.shows("milk", nil))
    #expect(try first.status.contains("tables"))
  }

  @Test func columnsThatTwoWriteWithoutAHubBothStand() throws {
    let (first, second) = try pair()
    try first.type(["table", "set", "notes", "milk", "title=Milk", "count:int=1"])
    #expect(try second.shows("milk", "count  int     1\ntitle  string  Milk\n"))
    server.kill()
    try first.type(["table", "set", "notes", "milk", "title=Oat milk"])
    try second.type(["table", "set", "notes", "milk", "count:int=5"])
    try server.start()
    for machine in [first, second] { try machine.synchronizeAtLast() }
    for machine in [first, second] {
      #expect(try machine.shows("milk", "count  int     5\ntitle  string  Oat milk\n"))
      #expect(try machine.type(["sync", "conflicts"]).isEmpty)
    }
  }

  @Test func aColumnThatIsOverruledIsAmongTheConflictsAndComesBack() throws {
    let (first, second) = try pair()
    try first.type(["table", "set", "notes", "milk", "title=Milk"])
    #expect(try second.shows("milk", "title  string  Milk\n"))
    server.kill()
    try first.type(["table", "set", "notes", "milk", "title=Oat milk"])
    try second.type(["table", "set", "notes", "milk", "title=Soy milk"])
    try server.start()
    for machine in [first, second, first, second] { try machine.synchronizeAtLast() }
    let standing = try first.type(["table", "get", "notes", "milk"])
    #expect(try second.shows("milk", standing))
    let conflicts = try [first, second].map { try $0.type(["sync", "conflicts"]) }
    let holder = conflicts[0].isEmpty ? second : first
    let line = try #require(conflicts.first { !$0.isEmpty })
    #expect(line.contains("'milk' of the table 'notes' of "), "\(line)")
    let id = try #require(line.split(separator: " ").first)
    let said = try holder.run(["sync", "resolve", String(id), "--restore"])
    #expect(said.status == 0, "\(said)")
    let lost = standing.contains("Oat") ? "Soy milk" : "Oat milk"
    for machine in [first, second] {
      #expect(try machine.shows("milk", "title  string  \(lost)\n"))
    }
  }

  @Test func hubsDiskHasNoTableNoRowNoColumnAndNoValue() throws {
    let (first, second) = try pair()
    try first.type(["table", "set", "private-table", "private-row", "private-column=private-value"])
    #expect(
      try second.eventually {
        try second.run(["table", "get", "private-table", "private-row"]).status == 0
      }
    )
    try server.administrator().runScript("checkpoint")
    for word in ["private-table", "private-row", "private-column", "private-value"] {
      let found = try RunningProgram.run("/bin/grep", ["-rlaF", word, server.data])
      #expect(found.status == 1 && found.output.isEmpty, "\(word): \(found)")
      #expect(!server.log.contains(word))
    }
  }

  @Test func daemonsAndHubThatAreKilledLoseNoRow() throws {
    let (first, second) = try pair()
    for round in 0..<6 {
      try first.type(["table", "set", "notes", "row-\(round)", "n:int=\(round)"])
      switch round % 3 {
      case 0: try first.crash()
      case 1: try second.crash()
      default:
        server.kill()
        try second.type(["table", "set", "notes", "offline-\(round)", "n:int=\(round)"])
        try server.start()
      }
    }
    for machine in [first, second] { try machine.synchronizeAtLast() }
    for round in 0..<6 { #expect(try second.shows("row-\(round)", "n  int  \(round)\n")) }
    for round in [2, 5] { #expect(try first.shows("offline-\(round)", "n  int  \(round)\n")) }
  }
}

extension SyncedMachine {
  /// Whether a row of the table "notes" is shown so before long; nil for none.
  fileprivate func shows(_ row: String, _ columns: String?) throws -> Bool {
    try eventually {
      let report = try run(["table", "get", "notes", row])
      return columns.map { report.status == 0 && report.output == $0 } ?? (report.status == 20)
    }
  }
}
