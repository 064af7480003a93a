import LocalAuthCore
import LocalAuthService
import LocalAuthSync
import LocalAuthTestSupport
import Testing

/// What programs that watch documents are told.
@Suite struct DocumentWatchTests {
  @Test func othersAreToldOnceOfWhatAWriterChangedAndTheWriterIsNot() throws {
    let rig = try KeychainRig()
    let own = try rig.watchDocuments(as: 1)
    let other = try rig.watchDocuments(as: 2)
    let elsewhere = try rig.watchDocuments(in: "more", as: 3)
    try rig.put("a", text: "milk", as: 1)
    try rig.put("a", text: "milk", as: 1)
    try rig.put("a", DocumentTests.bytes(3 * DocumentChunk.size), as: 1)
    #expect(throws: EngineError.self) { try rig.removeDocument("b", as: 1) }
    try rig.removeDocument("a", as: 1)
    #expect(own.told == ["anything"] && elsewhere.told == ["anything"])
    #expect(
      other.told == ["anything", "a 4 0", "a \(3 * DocumentChunk.size) 0", "removed a"],
      "the same bytes once more, and what failed, are no change"
    )
    try rig.put("b", text: "eggs")
    #expect(own.told == ["anything", "b 4 0"], "whoever has no number is somebody else")
    own.watch?.end()
    try rig.removeDocument("b")
    #expect(own.told.count == 2 && other.told.last == "removed b")
  }

  @Test func aWriteThatIsNotEndedTellsNothing() throws {
    let rig = try KeychainRig()
    let heard = try rig.watchDocuments()
    try rig.engine.collectDocument(
      DocumentTests.bytes(DocumentChunk.size),
      of: "a",
      rig.documentRequest(),
      on: 5,
      caller: rig.caller
    )
    #expect(heard.told == ["anything"])
  }

  @Test func aWatchOfAnErasedOrDeletedDeviceIsToldSo() throws {
    let rig = try KeychainRig()
    try rig.put("a", text: "milk")
    let heard = try rig.watchDocuments()
    try rig.wait { rig.engine.erase("sim", caller: rig.caller, then: $0) }
    #expect(heard.told == ["anything", "anything"])
    try rig.wait { rig.engine.delete("sim", passcode: nil, caller: rig.caller, then: $0) }
    #expect(heard.told == ["anything", "anything", "gone"])
  }

  @Test func nobodyWatchesAContainerOfOthersOrALockedDevice() throws {
    let rig = try KeychainRig()
    #expect(throws: EngineError.self) { try rig.watchDocuments(in: "other") }
    try rig.reboot()
    #expect(throws: EngineError.self) { try rig.watchDocuments() }
  }
}
