import LocalAuthCore
import LocalAuthKeychain
import LocalAuthSync
import LocalAuthTestSupport
import Testing

@testable import LocalAuthService

/// Documents that are read, written and removed while something else happens.
@Suite struct DocumentRacesTests {
  /// What a call ends with, once it does.
  private final class Ended<Value> { var result: Result<Value, EngineError>? }

  private func begin(
    _ rig: some DocumentCalls,
    _ name: String,
    _ bytes: [UInt8],
    connection: UInt64
  ) -> Ended<DocumentWritten> {
    let ended = Ended<DocumentWritten>()
    rig.engine.writeDocument(
      bytes,
      of: name,
      rig.documentRequest(),
      on: connection,
      caller: rig.caller
    ) { ended.result = $0 }
    return ended
  }

  /// The store commits on a thread of its own, also between the two looks of one reading.
  @Test func whoReadsWhileADocumentIsWrittenIsNotToldThatItIsDamaged() throws {
    let scratch = StateScratch()
    try StateRig.found(scratch.path)
    let rig = try #require(try StateRig(opening: scratch.path))
    #expect(rig.create("sim", passcode: "1234"))
    defer { rig.close() }
    let contents = [DocumentTests.bytes(1000, 1), DocumentTests.bytes(1000, 2)]
    try rig.put("a", contents[0])
    for round in 0..<500 {
      let write = begin(rig, "a", contents[round % 2], connection: 5)
      while write.result == nil {
        #expect(contents.contains(try rig.document("a")))
        rig.engine.completionsArrived()
      }
    }
  }

  @Test func ofManyWhoWriteInOneCallEachSucceeds() throws {
    let rig = try KeychainRig()
    let writes = (0..<20).map { number in
      begin(rig, "a", [UInt8(number)], connection: UInt64(100 + number))
    }
    rig.turn { writes.allSatisfy { $0.result != nil } }
    for write in writes { #expect(throws: Never.self) { try write.result?.get() } }
    #expect(try rig.document("a") == [19], "they take turns")
  }

  @Test func whatWaitsForItsTurnIsRefusedOnceTheDeviceRestarted() throws {
    let rig = try KeychainRig()
    try rig.put("keep", text: "kept")
    let heard = try rig.watchDocuments()
    let write = begin(rig, "big", DocumentTests.bytes(100_000), connection: 5)
    let removal = Ended<Void>()
    rig.engine.removeDocument("keep", rig.documentRequest(), caller: rig.caller) {
      removal.result = $0
    }
    let restart = Ended<Void>()
    rig.engine.reboot("sim", caller: rig.caller) { restart.result = $0 }
    rig.turn { write.result != nil && removal.result != nil && restart.result != nil }
    #expect(throws: EngineError.self) { try removal.result?.get() }
    #expect(!heard.told.contains { $0.contains("incomplete") }, "\(heard.told)")
  }

  @Test func aWriteThatIsSilentGivesWayToTheNinthAndIsToldSo() throws {
    let rig = try KeychainRig()
    func collect(_ connection: UInt64) throws {
      try rig.engine.collectDocument(
        [1],
        of: "\(connection)",
        rig.documentRequest(),
        on: connection,
        caller: rig.caller
      )
    }
    for connection in 1...8 as ClosedRange<UInt64> { try collect(connection) }
    rig.clock.pass(.seconds(59))
    #expect(throws: EngineError.self) { try collect(9) }
    for connection in 2...8 as ClosedRange<UInt64> { try collect(connection) }
    rig.clock.pass(.seconds(2))
    try collect(9)
    #expect(throws: EngineError.self, "all others said something a moment ago") { try collect(10) }
    #expect(throws: EngineError.self) { try rig.put("1", [2], connection: 1) }
    #expect(try rig.documents().isEmpty, "nothing of it was written")
    try rig.put("9", [2], connection: 9)
    #expect(try rig.document("9") == [1, 2])
    try rig.put("1", [2], connection: 1)
    #expect(try rig.document("1") == [2])
  }

  @Test func aWriteKeepsToTheVersionThatItBeganOver() throws {
    let rig = try KeychainRig()
    let version = try rig.put("a", text: "old").version
    for (first, last) in [(version, "0"), (version, ""), (nil, version)] as [(String?, String)] {
      try rig.engine.collectDocument(
        [1],
        of: "a",
        rig.documentRequest(over: first),
        on: 5,
        caller: rig.caller
      )
      #expect(throws: EngineError.self) { try rig.put("a", [2], over: last) }
    }
    #expect(try rig.text("a") == "old")
  }

  @Test(arguments: ["a\u{9B}31mb", "a\u{85}b", "a\u{2028}b", "a\u{2029}b", "a\u{7F}b"])
  func aNameThatATerminalWouldObeyIsNone(_ name: String) throws {
    let rig = try KeychainRig()
    #expect(throws: EngineError.self) { try rig.put(name, text: "x") }
  }
}
