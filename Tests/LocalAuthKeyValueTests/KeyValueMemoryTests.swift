import LocalAuthPropertyList
import LocalAuthSync
import Testing

@testable import LocalAuthKeyValue

@Suite struct KeyValueMemoryTests {
  private func list(_ text: String) throws -> [UInt8] { try PropertyList.string(text).binary() }

  private func loaded(
    _ values: [String: String] = [:],
    at revision: Int64 = 1
  ) throws -> KeyValueMemory {
    var memory = KeyValueMemory()
    _ = memory.read(try values.map { ($0.key, try list($0.value)) }, of: nil, at: revision)
    return memory
  }

  private func texts(_ memory: KeyValueMemory) throws -> [String: String] {
    var texts: [String: String] = [:]
    for (key, value) in memory.values {
      if case .string(let text) = try PropertyList(binary: value.content) { texts[key.text] = text }
    }
    return texts
  }

  @Test func whatIsSetIsThereAtOnceAndWrittenOnce() throws {
    var memory = try loaded()
    try memory.set("a", to: try list("1"))
    try memory.set("a", to: try list("2"))
    try memory.set("b", to: try list("3"))
    #expect(try texts(memory) == ["a": "2", "b": "3"])
    let unsent = memory.takeUnsent()
    #expect(Set(unsent.map(\.key)) == ["a", "b"])
    #expect(unsent.first { $0.key == "a" }?.value == (try list("2")))
    #expect(memory.takeUnsent().isEmpty)
  }

  @Test func whatIsRemovedIsWrittenFirstSoThatItsRoomIsThere() throws {
    var memory = try loaded(["z": "1"])
    try memory.set("a", to: try list("2"))
    try memory.set("z", to: nil)
    #expect(memory.takeUnsent().map(\.key) == ["z", "a"])
  }

  @Test func whatTheServiceDidNotTakeIsWrittenAgainAsItIsThen() throws {
    var memory = try loaded()
    try memory.set("a", to: try list("1"))
    _ = memory.takeUnsent()
    try memory.set("a", to: try list("2"))
    memory.writingFailed()
    #expect(memory.hasUnsent)
    #expect(memory.takeUnsent().map(\.value) == [try list("2")])
  }

  @Test func othersChangesAreToldOnceAndOwnOnesAreNot() throws {
    var memory = try loaded(["a": "1"])
    try memory.set("b", to: try list("own"))
    _ = memory.takeUnsent()
    memory.written(at: 2)
    #expect(memory.read([("b", try list("own"))], of: ["b"], at: 2).isEmpty)
    let notices = memory.read([("a", try list("2"))], of: ["a", "gone"], at: 3)
    #expect(notices == [KeyValueNotice(.server, ["a"])])
    #expect(memory.revision == 3)
    #expect(memory.read([("a", try list("2"))], of: ["a"], at: 3).isEmpty)
    #expect(
      memory.read([("b", try list("own"))], of: nil, at: 4) == [KeyValueNotice(.server, ["a"])]
    )
  }

  @Test func anOwnWriteOnTheWayIsNotUndoneByWhatWasReadBefore() throws {
    var memory = try loaded(["a": "1", "b": "1"])
    try memory.set("a", to: try list("own"))
    #expect(memory.read([("a", try list("2"))], of: ["a"], at: 2).isEmpty)
    _ = memory.takeUnsent()
    try memory.set("b", to: nil)
    #expect(memory.read([("a", try list("2")), ("b", try list("2"))], of: nil, at: 2).isEmpty)
    #expect(try texts(memory) == ["a": "own"])
  }

  @Test func aNumberThatIsNotTheNextSaysThatSomethingWasMissed() throws {
    var memory = try loaded(at: 5)
    memory.written(at: 5)
    #expect(memory.revision == 5, "nothing was changed")
    memory.written(at: 6)
    #expect(memory.revision == 6)
    memory.written(at: 8)
    #expect(memory.revision == nil)
    _ = memory.read([], of: ["a"], at: 9)
    #expect(memory.revision == nil, "some keys are not all")
    _ = memory.read([], of: nil, at: 9)
    #expect(memory.revision == 9)
  }

  /// A program that begins before the device is unlocked, or before its service runs, sees nothing yet.
  @Test func defaultsOfAProgramThatHasReadNothingGiveWayToWhatThereIs() throws {
    var memory = KeyValueMemory()
    try memory.set("theme", to: try list("default"))
    try memory.set("new", to: try list("mine"))
    #expect(!memory.hasUnsent, "nothing is written before all was read")
    let notices = memory.read(
      [("theme", try list("dark")), ("other", try list("x"))],
      of: nil,
      at: 7
    )
    #expect(notices == [KeyValueNotice(.initial, ["other", "theme"])])
    #expect(try texts(memory) == ["theme": "dark", "new": "mine", "other": "x"])
    #expect(memory.takeUnsent().map(\.key) == ["new"])
  }

  @Test func anothersWriteThatLeavesNoRoomForOnesOwnIsToldAndTheServiceDecides() throws {
    var memory = try loaded()
    let half = try PropertyList.data([UInt8](repeating: 7, count: 600_000)).binary()
    try memory.set("mine", to: half)
    let notices = memory.read([("theirs", half)], of: ["theirs"], at: 2)
    #expect(notices == [KeyValueNotice(.server, ["theirs"])])
    #expect(memory.takeUnsent().map(\.key) == ["mine"])
  }

  @Test func aRefusedWriteTakesWhatTheServiceHas() throws {
    var memory = try loaded(["a": "old"])
    try memory.set("a", to: try list("new"))
    try memory.set("b", to: try list("new"))
    _ = memory.takeUnsent()
    memory.written(at: 1)
    _ = memory.read([("a", try list("old"))], of: ["a", "b"], at: 1)
    #expect(try texts(memory) == ["a": "old"])
    #expect(!memory.hasUnsent)
  }
}
