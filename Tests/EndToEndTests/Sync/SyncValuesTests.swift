import LocalAuthHub
import LocalAuthUnix
import Testing

/// Key-value stores of two devices.
extension SyncTests {
  @Test func whatIsSetOnOneDeviceTheOtherReadsAMomentLater() throws {
    let (first, second) = try pair()
    try first.type(["kv", "set", "theme", "dark"])
    #expect(try second.keeps("theme", "dark"))
    try second.type(["kv", "set", "theme", "light"])
    #expect(try first.keeps("theme", "light"))
    try first.type(["kv", "remove", "theme"])
    #expect(try second.keeps("theme", nil))
    #expect(try first.status.contains("key-values"))
  }

  @Test func aProgramThatWatchesIsToldOnceAndWhy() throws {
    let (first, second) = try pair()
    try first.type(["kv", "set", "seed", "1"])
    #expect(try second.keeps("seed", "1"))
    let (output, errors) = (try Captured(), try Captured())
    let watch = try RunningProgram(
      SpawnRequest(
        executable: Machine.authctl,
        arguments: ["--home", second.home, "--device", "demo", "kv", "watch"],
        environment: ["PATH=/usr/bin:/bin", "LOCALAUTH_DAEMON=/nonexistent"],
        descriptors: [
          .null, .duplicate(of: output.descriptor), .duplicate(of: errors.descriptor),
        ]
      )
    )
    // What is written before the watch is there is not told; so write until the first is.
    var number = 0
    while output.text.isEmpty {
      number += 1
      try second.type(["kv", "set", "first", "\(number)"])
      try #require(number < 1000 && watch.isRunning, "\(errors.text)")
    }
    try first.type(["kv", "set", "theme", "dark"])
    #expect(try second.keeps("theme", "dark"))
    #expect(try first.keeps("first", "\(number)"))
    #expect(try second.eventually { output.text.contains("changed: theme\n") })
    let lines = output.text.split(separator: "\n").filter { $0.contains("theme") }
    #expect(lines == ["changed: theme"])
    try watch.end()
  }

  @Test func whatAFreshDeviceHadLosesAndIsAmongTheConflicts() throws {
    let first = try founded()
    try first.type(["kv", "set", "theme", "dark"])
    try first.synchronize()
    let second = try SyncedMachine("server", in: scratch, server)
    try second.type(["kv", "set", "theme", "default"])
    try second.type(["kv", "set", "size", "12", "--type", "int"])
    try first.letIn(second)
    #expect(try second.keeps("theme", "dark"))
    #expect(try first.keeps("size", "12"))
    let conflicts = try second.type(["sync", "conflicts"])
    #expect(conflicts.contains("'theme' of the key-value store"), "\(conflicts)")
    let id = try #require(conflicts.split(separator: " ").first)
    let said = try second.run(["sync", "resolve", String(id), "--restore"])
    #expect(said.status == 0 && said.errors.contains("'theme'"), "\(said)")
    #expect(try first.keeps("theme", "default"))
  }

  @Test func hubsDiskHasNoStoreNoKeyAndNoValue() throws {
    let (first, second) = try pair()
    try first.type(["kv", "set", "very-private-key", "hunter2-is-the-value"])
    #expect(try second.keeps("very-private-key", "hunter2-is-the-value"))
    try server.administrator().runScript("checkpoint")
    for word in ["very-private-key", "hunter2-is-the-value"] {
      let found = try RunningProgram.run("/bin/grep", ["-rlaF", word, server.data])
      #expect(found.status == 1 && found.output.isEmpty, "\(word): \(found)")
    }
    #expect(!server.log.contains("very-private-key") && !server.log.contains("hunter2"))
    let zones = try server.administrator().text(
      "select string_agg(name, ' ' order by name) from localauth.zone"
    )
    #expect(zones == "key-values" || zones == "items key-values", "\(zones)")
  }

  @Test func daemonsAndHubThatAreKilledLoseNoValue() throws {
    let (first, second) = try pair()
    for round in 0..<6 {
      try first.type(["kv", "set", "key-\(round)", "value \(round)"])
      switch round % 3 {
      case 0: try first.crash()
      case 1: try second.crash()
      default:
        server.kill()
        try second.type(["kv", "set", "offline-\(round)", "made without a hub"])
        try server.start()
      }
    }
    for machine in [first, second] { try machine.synchronizeAtLast() }
    for round in 0..<6 { #expect(try second.keeps("key-\(round)", "value \(round)")) }
    for round in [2, 5] { #expect(try first.keeps("offline-\(round)", "made without a hub")) }
  }

  @Test func theLargestValueGoesThroughTheHub() throws {
    let (first, second) = try pair()
    let value = String(repeating: "x", count: 1_000_000)
    try first.type(["kv", "set", "large", "--stdin"], value)
    #expect(try second.keeps("large", value))
  }
}

extension SyncedMachine {
  /// Whether a key has this value before long; nil for none.
  fileprivate func keeps(_ key: String, _ value: String?) throws -> Bool {
    try eventually {
      let report = try run(["kv", "get", key])
      return value.map { report.status == 0 && report.output == $0 + "\n" } ?? (report.status == 20)
    }
  }
}
