import LocalAuthHub
import LocalAuthTestSupport
import LocalAuthUnix
import Testing

/// Documents of two devices.
extension SyncTests {
  /// Bytes that do not repeat, in a file.
  private func film(_ count: Int, _ name: String) throws -> String {
    var random = SeededGenerator(seed: UInt64(count))
    let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
    try Files.write(bytes, to: scratch.file(name))
    return scratch.file(name)
  }

  @Test func whatOneDeviceWritesTheOtherReadsAMomentLater() throws {
    let (first, second) = try pair()
    let film = try film(1_000_000, "film")
    try first.type(["doc", "put", "films/one", film])
    #expect(try second.holds("films/one", film))
    try second.type(["doc", "put", "films/one"], "cut")
    let cut = scratch.file("cut")
    try Files.write(Array("cut".utf8), to: cut)
    #expect(try first.holds("films/one", cut))
    try first.type(["doc", "remove", "films/one"])
    #expect(try second.eventually { try second.run(["doc", "get", "films/one"]).status == 20 })
    #expect(try first.status.contains("documents"))
  }

  @Test func whatTwoWroteWithoutAHubAreTwoVersions() throws {
    let (first, second) = try pair()
    try first.type(["doc", "put", "note"], "old")
    try second.synchronizeAtLast()
    server.kill()
    try first.type(["doc", "put", "note"], "mine")
    try second.type(["doc", "put", "note"], "yours")
    try server.start()
    for machine in [first, second, first, second] { try machine.synchronizeAtLast() }
    for machine in [first, second] {
      #expect(try machine.eventually { try machine.type(["doc", "list"]).contains("1 conflict") })
      let versions = try machine.type(["doc", "versions", "note"])
      let other = try #require(versions.split(separator: "\n").last?.split(separator: " ").first)
      let texts = [
        try machine.type(["doc", "get", "note"]),
        try machine.type(["doc", "get", "note", "--content", String(other)]),
      ]
      #expect(Set(texts) == ["mine", "yours"])
    }
    let versions = try second.type(["doc", "versions", "note"])
    let other = try #require(versions.split(separator: "\n").last)
    #expect(try second.run(["doc", "settle", "note", ""]).status == 2)
    try second.type(["doc", "settle", "note", String(other.prefix(8))])
    #expect(try first.eventually { try !first.type(["doc", "list"]).contains("conflict") })
  }

  @Test func hubsDiskHasNoContainerNoNameAndNoContent() throws {
    let (first, second) = try pair()
    try first.type(["doc", "put", "very-private-name"], "hunter2-is-the-content")
    #expect(
      try second.eventually {
        try second.run(["doc", "get", "very-private-name"]).output == "hunter2-is-the-content"
      }
    )
    try server.administrator().runScript("checkpoint")
    for word in ["very-private-name", "hunter2-is-the-content"] {
      let found = try RunningProgram.run("/bin/grep", ["-rlaF", word, server.data])
      #expect(found.status == 1 && found.output.isEmpty, "\(word): \(found)")
    }
    #expect(!server.log.contains("very-private-name") && !server.log.contains("hunter2"))
  }

  @Test func daemonsAndHubThatAreKilledInTheMiddleOfADocumentLoseNothing() throws {
    let (first, second) = try pair()
    let film = try film(12 << 20, "film")
    try first.type(["doc", "put", "film", film])
    for round in 0..<6 {
      _ = try (round % 2 == 0 ? first : second).run(["sync", "status"])
      switch round % 3 {
      case 0: try first.crash()
      case 1: try second.crash()
      default:
        server.kill()
        try server.start()
      }
    }
    for machine in [first, second] { try machine.synchronizeAtLast() }
    #expect(try second.holds("film", film))
    #expect(try first.holds("film", film))
  }
}

extension SyncedMachine {
  /// Whether a document has the bytes of `file` before long.
  fileprivate func holds(_ name: String, _ file: String) throws -> Bool {
    let wanted = try Files.read(file)
    let copy = file + ".copy"
    return try eventually {
      let report = try run(["doc", "get", name, copy])
      guard report.status == 0 else { return false }
      return try Files.read(copy) == wanted
    }
  }
}
