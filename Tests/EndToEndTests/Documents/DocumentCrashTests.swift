import LocalAuthJSON
import LocalAuthTestSupport
import Testing

/// `kill -9` of the daemon in the middle of a document.
@Suite struct DocumentCrashTests {
  private let scratch = Scratch()
  private static let documents = "io.localauth.Documents."
  private static let film: JSONValue = ["device": "sim", "allowSimulated": true, "name": "film"]
  /// Three bytes in base64, of which a piece has 43,690: with three pieces a document has two chunks.
  private static func piece(_ letters: String) -> JSONValue {
    .text(String(repeating: letters, count: 43_690))
  }

  private static func write(_ letters: String, _ client: WireClient) throws {
    let error = try writeError(letters, client)
    try #require(error == nil)
  }

  /// What a write fails with; nil for one that is done.
  private static func writeError(_ letters: String, _ client: WireClient) throws -> String? {
    for piece in 1...3 {
      let call = film.setting(["bytes": Self.piece(letters), "continues": piece < 3 ? true : false])
      if let error = try client.call(documents + "Write", call).error { return error }
    }
    return nil
  }

  /// The letters that a document is all of; nil for any other content, or a part of one.
  private static func letters(_ client: WireClient) throws -> String? {
    var bytes = 0
    var found: Set<String> = []
    while true {
      let call = film.setting(["offset": .number(Int64(bytes))])
      let part = try client.call(documents + "Read", call)
      try #require(part.error == nil, "\(part)")
      let text = try #require(part.parameters["bytes"]?.string)
      guard !text.isEmpty, let size = part.parameters["size"]?.integer else { break }
      found.formUnion(["AAAA", "BBBB", "CCCC"].filter { text.contains($0) })
      bytes += text.utf8.count / 4 * 3 - text.reversed().prefix { $0 == "=" }.count
      if bytes >= Int(size) { break }
    }
    return found.count == 1 && bytes == 3 * 43_690 * 3 ? found.first : nil
  }

  private func model() throws -> String {
    try scratch.model { try Self.write("AAAA", $0) }
  }

  @Test(
    .enabled(if: Machine.compiler != nil, "needs a C compiler"),
    .disabled(if: Sanitizer.isActive, "a sanitizer lets nothing be loaded before it"),
    arguments: [StepKiller.Mode.killed, .powerCut]
  )
  func aWriteThatIsCutOffIsThereOrIsNot(_ mode: StepKiller.Mode) throws {
    let home = try model()
    let killer = try StepKiller(in: scratch)
    // Most steps are pages of the spool and of the database's journal: each fifteenth, from another one on in each run.
    let steps = try killer.killAtEveryStep(mode, stride: 15, from: home, false) { client, isDone in
      try Self.write("BBBB", client)
      isDone = true
    } _: { home, isDone, context in
      let daemon = try DaemonProcess(home: home)
      let client = try daemon.connect()
      let found = try Self.letters(client)
      #expect(
        found == "BBBB" || (!isDone && found == "AAAA"),
        "\(context): \(found ?? "a mixture")"
      )
      try Self.write("CCCC", client)
      #expect(try Self.letters(client) == "CCCC", context)
      try daemon.stop()
    }
    #expect(steps > 3, "so few steps cannot be all")
  }

  /// Two programs that write one document at once: each write is whole or refused.
  @Test func twoWritersLeaveOneWriteWhole() throws {
    let daemon = try DaemonProcess(home: try model())
    let written = try concurrently(2) { writer in
      let client = try daemon.connect()
      var count = 0
      for _ in 0..<20 {
        let error = try Self.writeError(writer == 0 ? "BBBB" : "CCCC", client)
        #expect(error == nil || error == Self.documents + "Refused")
        if error == nil { count += 1 }
      }
      return count
    }
    #expect(written.contains { $0 > 0 })
    let client = try daemon.connect()
    #expect(["BBBB", "CCCC"].contains(try Self.letters(client)))
    try daemon.stop()
  }
}
