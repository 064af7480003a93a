import LocalAuthHub
import Testing

/// What people look at and decide between devices, as they type it.
extension SyncTests {
  /// Two devices that changed an item while there was no hub, and synchronized since.
  func pairInConflict() throws -> (SyncedMachine, SyncedMachine) {
    let (first, second) = try pair()
    try first.add("mail", "old")
    #expect(try second.has("mail", "old"))
    server.kill()
    try first.type(["keychain", "update", "mail", "--stdin"], "one")
    try second.type(["keychain", "update", "mail", "--stdin"], "two")
    try server.start()
    for machine in [first, second, first] { try machine.synchronize() }
    return (first, second)
  }

  @Test func overruledSecretIsListedAndComesBackOnBothDevices() throws {
    let (first, second) = try pairInConflict()
    #expect(try first.has("mail", "two") && second.has("mail", "two"))
    let lists = try [first, second].map { try $0.type(["sync", "conflicts"]) }
    let device = lists[0].isEmpty ? second : first
    let line = try #require(lists.first { !$0.isEmpty })
    #expect(line.contains("mail") && lists.contains(""))
    let id = String(line.prefix { $0 != " " })
    #expect(try device.run(["sync", "resolve", id]).status == 2)
    #expect(try device.run(["sync", "resolve", "zz", "--restore"]).status == 20)
    try device.type(["sync", "resolve", id, "--restore"])
    #expect(try first.has("mail", "one") && second.has("mail", "one"))
  }

  @Test func personWhoLostTheOnlyDeviceComesBackByThePaper() throws {
    let first = try founded()
    try first.add("mail", "hunter2")
    let key = try first.type(["sync", "recovery-key", "--passcode-stdin"], "1234\n")
    #expect(key.split(separator: "-").map(\.count) == [4, 4, 4, 4, 4, 4, 4], "\(key)")
    try first.synchronize()
    try first.daemon.crash()
    let second = try SyncedMachine("replacement", in: scratch, server)
    let mistyped = String(key.dropLast()) + (key.hasSuffix("0") ? "1" : "0")
    #expect(try second.recover(mistyped).status != 0)
    let recovered = try second.recover(key)
    try #require(recovered.status == 0, "\(recovered)")
    #expect(try second.has("mail", "hunter2"))
    try second.type(["sync", "remove", "laptop", "--yes", "--passcode-stdin"], "1234\n")
    #expect(try second.type(["sync", "exposed"]).contains("mail"))
    try second.type(["keychain", "update", "mail", "--stdin"], "new")
    #expect(try second.type(["sync", "exposed"]).isEmpty)
    try second.crash()
    try second.synchronize()
    #expect(try second.has("mail", "new"))
    let roles = "select count(*)::text from localauth.device"
    #expect(try server.administrator().text(roles) == "2", "the device and the paper")
  }

  @Test func whoWantsNewKeysHasWhatIsAtTheHubSealedAnew() throws {
    let (first, second) = try pair()
    try first.add("mail", "1")
    #expect(try second.has("mail", "1"))
    let bodies = "select string_agg(encode(body, 'hex'), ' ' order by name) from localauth.record"
    let before = try server.administrator().text(bodies)
    let refused = try second.run(["sync", "roll", "--passcode-stdin"], "9999\n")
    #expect(refused.status == 1, "\(refused)")
    let said = try second.run(["sync", "roll", "--passcode-stdin"], "1234\n")
    #expect(said.status == 0 && said.errors.contains("has new keys"), "\(said)")
    try second.synchronize()
    #expect(try !server.administrator().text(bodies).contains(before))
    try first.crash()
    try first.synchronize()
    try first.add("bank", "2")
    #expect(try second.has("bank", "2") && first.has("mail", "1"))
  }

  @Test func twoDevicesAtOneEntryShowTheSameWords() throws {
    let (first, second) = try pair()
    try first.add("mail", "1")
    #expect(try second.has("mail", "1"))
    for machine in [first, second, first] { try machine.synchronize() }
    let words = try first.type(["sync", "head"])
    #expect(try second.type(["sync", "head"]) == words && words.contains("items"))
  }
}
