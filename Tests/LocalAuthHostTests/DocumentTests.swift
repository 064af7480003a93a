import LocalAuthCore
import LocalAuthKeychain
import LocalAuthService
import LocalAuthSync
import LocalAuthTestSupport
import Testing

/// Documents of one device.
@Suite struct DocumentTests {
  /// Bytes of which no two pieces are equal.
  static func bytes(_ count: Int, _ seed: UInt64 = 1) -> [UInt8] {
    var random = SeededGenerator(seed: seed)
    return (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
  }

  private func refusal(_ body: () throws -> Void) -> EngineError? {
    do {
      try body()
      return nil
    } catch { return error as? EngineError }
  }

  @Test func whatIsWrittenIsListedReadAndRemoved() throws {
    let rig = try KeychainRig()
    #expect(try rig.documents().isEmpty)
    let written = try rig.put("notes/today.txt", text: "milk")
    #expect(written.size == 4 && written.isChange)
    #expect(try rig.text("notes/today.txt") == "milk")
    let listed = try #require(try rig.documents().first)
    #expect(listed.name.text == "notes/today.txt" && listed.content?.size == 4)
    #expect(listed.conflicts == 0 && listed.isComplete)
    try rig.removeDocument("notes/today.txt")
    #expect(try rig.documents().isEmpty)
    #expect(refusal { _ = try rig.text("notes/today.txt") }?.code == .itemNotFound)
    #expect(refusal { try rig.removeDocument("notes/today.txt") }?.code == .itemNotFound)
  }

  @Test(arguments: [
    0, 1, DocumentChunk.size - 1, DocumentChunk.size, DocumentChunk.size + 1,
    3 * DocumentChunk.size, 5 * DocumentChunk.size + 7,
  ])
  func eachSizeComesBackAsItWas(_ size: Int) throws {
    let rig = try KeychainRig()
    let bytes = Self.bytes(size)
    for pieces in [1000 * 1000, 100_000] {
      try rig.put("a", bytes, pieces: pieces)
      #expect(try rig.document("a") == bytes)
    }
  }

  @Test func aPartIsReadFromAnyPlace() throws {
    let rig = try KeychainRig()
    let bytes = Self.bytes(2 * DocumentChunk.size + 100)
    try rig.put("a", bytes)
    for offset in [
      0, 1, DocumentChunk.size - 1, DocumentChunk.size, bytes.count - 1, bytes.count,
      bytes.count + 9,
    ] {
      let part = try rig.engine.readDocument(
        "a",
        version: nil,
        from: UInt64(offset),
        rig.documentRequest(),
        caller: rig.caller
      )
      let end = min((offset / DocumentChunk.size + 1) * DocumentChunk.size, bytes.count)
      #expect(
        part.bytes == Array(bytes[min(offset, bytes.count)..<max(end, min(offset, bytes.count))])
      )
    }
  }

  @Test func theSameBytesAreNoChange() throws {
    let rig = try KeychainRig()
    let first = try rig.put("a", text: "milk")
    let again = try rig.put("a", text: "milk")
    #expect(again.version == first.version && again.size == 4 && !again.isChange)
    #expect(try rig.put("a", text: "eggs").version != first.version)
  }

  @Test func chunksThatAreRepeatedAreKeptOnce() throws {
    let rig = try KeychainRig()
    let before = try rig.itemCount
    let piece = Self.bytes(DocumentChunk.size)
    try rig.put("a", piece + piece + piece)
    #expect(try rig.itemCount == before + 2, "the document and a chunk")
    #expect(try rig.document("a") == piece + piece + piece)
    try rig.put("a", text: "short")
    #expect(try rig.itemCount == before + 2)
    try rig.put("a", [])
    #expect(try rig.itemCount == before + 1)
    try rig.removeDocument("a")
    #expect(try rig.itemCount == before)
  }

  @Test func containersAreTheCallersGroupsAndDoNotMix() throws {
    let rig = try KeychainRig()
    try rig.put("a", text: "one", in: "local")
    try rig.put("a", text: "two", in: "more")
    #expect(try rig.text("a", in: "local") == "one" && rig.text("a", in: "more") == "two")
    try rig.removeDocument("a", in: "more")
    #expect(try rig.documentNames(in: "local") == ["a"])
    #expect(try rig.documentNames(in: "more").isEmpty)
    for call in [
      { try rig.put("a", text: "x", in: "other") }, { try rig.text("a", in: "other") },
      { try rig.removeDocument("a", in: "other") }, { try rig.documents(in: "other") },
    ] as [() throws -> Any] {
      #expect(refusal { _ = try call() }?.code == .accessGroupNotAllowed)
    }
  }

  @Test func aListOfManyComesInPages() throws {
    let rig = try KeychainRig()
    let names = (100..<300).map { "n/\($0)" }
    for name in names { try rig.put(name, text: name) }
    #expect(try rig.documentNames() == names)
  }

  @Test func aNameThatLeadsElsewhereIsRefused() throws {
    let rig = try KeychainRig()
    for name in ["", "/a", "../a", "a/../b", "a//b", String(repeating: "x", count: 256)] {
      guard case .invalidArgument = refusal({ try rig.put(name, text: "x") }),
        case .invalidArgument = refusal({ _ = try rig.text(name) })
      else {
        Issue.record("'\(name)' was taken")
        continue
      }
    }
  }

  @Test func clientsDoNotSeeDocumentsInTheirKeychain() throws {
    let rig = try KeychainRig()
    try rig.put("a", text: "milk")
    let all: QueryDictionary = [
      "class": .text("genp"), "m_Limit": .text("m_LimitAll"), "r_Attributes": .boolean(true),
    ]
    #expect(rig.call(.copy(all, after: nil)).error == .itemNotFound)
  }

  // MARK: Who writes at once

  @Test func ofTwoWhoWriteAtOnceTheSecondIsToldAndLosesNothing() throws {
    let rig = try KeychainRig()
    try rig.put("a", text: "old")
    try rig.engine.collectDocument(
      Array("ne".utf8),
      of: "a",
      rig.documentRequest(),
      on: 9,
      caller: rig.caller
    )
    try rig.put("a", text: "other", connection: 5)
    #expect(refusal { try rig.put("a", Array("w".utf8), connection: 9) }?.code == .busy)
    #expect(try rig.text("a") == "other")
    try rig.put("a", text: "new")
    #expect(try rig.text("a") == "new")
  }

  @Test func aReaderIsToldThatTheDocumentWasWrittenMeanwhile() throws {
    let rig = try KeychainRig()
    let old = try rig.put("a", Self.bytes(2 * DocumentChunk.size))
    try rig.put("a", text: "new")
    let readOn = {
      _ = try rig.engine.readDocument(
        "a",
        version: old.version,
        from: UInt64(DocumentChunk.size),
        rig.documentRequest(),
        caller: rig.caller
      )
    }
    #expect(refusal(readOn)?.code == .busy)
    #expect(refusal { _ = try rig.text("a", version: old.version) }?.code == .itemNotFound)
  }

  @Test func whatAConnectionThatEndsHasSentIsDropped() throws {
    let rig = try KeychainRig()
    let before = try rig.itemCount
    try rig.engine.collectDocument(
      Self.bytes(DocumentChunk.size * 2),
      of: "a",
      rig.documentRequest(),
      on: 9,
      caller: rig.caller
    )
    rig.engine.connectionEnded(9)
    #expect(try rig.itemCount == before)
    #expect(try rig.documents().isEmpty)
    try rig.put("a", text: "x", connection: 9)
    #expect(try rig.text("a") == "x")
  }

  @Test func aConnectionWritesOneDocumentAtATime() throws {
    let rig = try KeychainRig()
    let call = { (name: String) in
      try rig.engine.collectDocument(
        [1],
        of: name,
        rig.documentRequest(),
        on: 9,
        caller: rig.caller
      )
    }
    try call("a")
    guard case .invalidArgument = refusal({ try call("b") }) else {
      Issue.record("two at once")
      return
    }
    try call("b")
  }

  @Test func aUserWritesEightDocumentsAtATime() throws {
    let rig = try KeychainRig()
    let call = { (connection: UInt64) in
      try rig.engine.collectDocument(
        [1],
        of: "a",
        rig.documentRequest(),
        on: connection,
        caller: rig.caller
      )
    }
    for connection in 10..<18 { try call(UInt64(connection)) }
    try rig.put("b", text: "in one call")
    guard case .limitReached = refusal({ try call(18) }) else {
      Issue.record("nine at once")
      return
    }
    rig.engine.connectionEnded(10)
    try call(18)
  }

  @Test func aDocumentBeyondTheUsersShareIsRefusedAndNothingIsWritten() throws {
    let rig = try KeychainRig { $0.spooledBytesMax = 1 << 20 }
    try rig.put("a", text: "old")
    guard case .limitReached = refusal({ try rig.put("a", Self.bytes(2 << 20)) }) else {
      Issue.record("it was written")
      return
    }
    #expect(try rig.text("a") == "old")
  }

  // MARK: Locks

  @Test func documentsAreOpenWhileTheDeviceIsLockedAndClosedBeforeTheFirstUnlock() throws {
    let rig = try KeychainRig()
    try rig.put("a", text: "milk")
    try rig.lock()
    #expect(try rig.text("a") == "milk")
    try rig.put("a", text: "eggs")
    try rig.reboot()
    for call in [
      { try rig.put("a", text: "x") }, { try rig.text("a") }, { try rig.removeDocument("a") },
      { try rig.documents() },
    ] as [() throws -> Any] {
      #expect(refusal { _ = try call() }?.code == .itemLocked)
    }
    try rig.unlock()
    #expect(try rig.text("a") == "eggs")
  }

  @Test func anErasureInTheMiddleOfAWriteLeavesNothingOfIt() throws {
    let rig = try KeychainRig()
    try rig.put("a", text: "old")
    try rig.engine.collectDocument(
      Self.bytes(DocumentChunk.size),
      of: "a",
      rig.documentRequest(),
      on: 9,
      caller: rig.caller
    )
    try rig.wait { rig.engine.erase("sim", caller: rig.caller, then: $0) }
    try rig.setPasscode("1234", old: nil)
    #expect(refusal { try rig.put("a", Self.bytes(DocumentChunk.size), connection: 9) } != nil)
    #expect(try rig.documents().isEmpty)
    try rig.put("a", text: "new")
    #expect(try rig.text("a") == "new")
  }
}
