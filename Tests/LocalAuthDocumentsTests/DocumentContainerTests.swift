import LocalAuthDocuments
import LocalAuthTestKit
import Testing

/// Programs that share documents of one device; each object is a program to the service.
@Suite struct DocumentContainerTests {
  private let device: TestDevice
  private let one: DocumentContainer
  private let other: DocumentContainer

  init() throws {
    device = try TestDevice(passcode: "2468")
    one = DocumentContainer(on: device.device)
    other = DocumentContainer(on: device.device)
  }

  private struct Stop: Error {}

  private func failure(_ body: () throws -> Void) -> DocumentFailure? {
    do {
      try body()
      return nil
    } catch { return error as? DocumentFailure }
  }

  /// Bytes of which no two pieces of 256 KiB are equal.
  private func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 / 256 &* 7 &+ $0 / 65536) }
  }

  // MARK: Reading and writing

  @Test func whatOneWritesTheOtherReadsListsAndRemoves() throws {
    let written = try one.write(Array("milk".utf8), to: "notes/today.txt")
    let read = try other.read("notes/today.txt")
    #expect(read.bytes == Array("milk".utf8) && read.version == written)
    let document = try #require(try other.documents().first)
    #expect(document.name == "notes/today.txt" && document.size == 4 && document.isComplete)
    #expect(document.conflicts == 0)
    let version = try #require(try other.versions(of: "notes/today.txt").first)
    #expect(version.id == written && version.isCurrent && version.size == 4)
    #expect(version.modified == document.modified)
    try other.remove("notes/today.txt")
    #expect(try one.documents().isEmpty)
  }

  @Test(arguments: [0, 1, 128 * 1024, 128 * 1024 + 1, 256 * 1024, 700_001])
  func eachSizeComesBackAsItWasInPartsOfAnySize(_ count: Int) throws {
    let all = bytes(count)
    try one.write(all, to: "a")
    #expect(try other.read("a").bytes == all)
    for size in [999, 128 * 1024, 300_000] {
      var rest = all[...]
      let version = try one.write(to: "b") {
        defer { rest = rest.dropFirst(size) }
        return rest.isEmpty ? nil : Array(rest.prefix(size))
      }
      var parts: [UInt8] = []
      #expect(try other.read("b") { parts += $0 } == version)
      #expect(parts == all)
    }
  }

  @Test func whoStopsInTheMiddleHasWrittenNothing() throws {
    try one.write([1, 2, 3], to: "a")
    var parts = 0
    #expect(throws: Stop.self) {
      try one.write(to: "a") {
        parts += 1
        if parts == 5 { throw Stop() }
        return bytes(100_000)
      }
    }
    #expect(try other.read("a").bytes == [1, 2, 3])
    try one.write(bytes(600_000), to: "a")
    #expect(throws: Stop.self) { try other.read("a") { _ in throw Stop() } }
  }

  // MARK: What is not overwritten

  @Test func whoSaysWhatItHasReadOverwritesNothingThatCameSince() throws {
    try one.write([1], to: "a", over: .nothing)
    let read = try one.read("a").version
    #expect(failure { try one.write([2], to: "a", over: .nothing) }?.outcome == .busy)
    let since = try other.write([3], to: "a", over: .version(read))
    #expect(failure { try one.write([4], to: "a", over: .version(read)) }?.outcome == .busy)
    #expect(
      failure { try one.write([4], to: "new", over: .version(read)) }?.outcome == .busy,
      "what was read is gone"
    )
    #expect(try other.read("a").bytes == [3])
    try one.write(bytes(500_000), to: "a", over: .version(since))
    #expect(try other.read("a").bytes.count == 500_000)
  }

  /// Each part is sent before the one before it is answered, and none of them may become the document alone.
  @Test(arguments: [128 * 1024 + 1, 256 * 1024, 700_001])
  func nothingOfALongDocumentThatIsRefusedBecomesOne(_ count: Int) throws {
    let first = try one.write([1], to: "a")
    for _ in 0..<5 {
      #expect(failure { try other.write(bytes(count), to: "a", over: .nothing) }?.outcome == .busy)
      let stranger = failure { try other.write(bytes(count), to: "b", over: .version(first)) }
      #expect(stranger?.outcome == .busy)
    }
    #expect(try one.documents().map(\.name) == ["a"])
    #expect(try one.read("a").bytes == [1])
  }

  @Test func whoSaysWhatItHasSeenRemovesAndSettlesNothingElse() throws {
    let seen = try one.write([1], to: "a")
    let since = try other.write([2], to: "a")
    #expect(try one.documents().first?.version == since)
    #expect(failure { try one.remove("a", over: .version(seen)) }?.outcome == .busy)
    #expect(failure { try one.remove("a", over: .nothing) }?.outcome == .busy)
    #expect(failure { try one.settle([], of: "a", over: .version(seen)) }?.outcome == .busy)
    try one.settle([], of: "a", over: .version(since))
    try one.remove("a", over: .version(since))
    #expect(try other.documents().isEmpty)
  }

  @Test func whoReadsOnWhileAnotherWritesIsToldSo() throws {
    try one.write(bytes(600_000), to: "a")
    let failure = failure {
      try one.read("a") { _ in try other.write(Array(bytes(600_000).reversed()), to: "a") }
    }
    guard case .busy = failure else {
      Issue.record("\(String(describing: failure))")
      return
    }
  }

  // MARK: Refusals

  @Test func eachRefusalSaysWhy() throws {
    let long = String(repeating: "a", count: 256)
    for name in ["", "/a", "a/", "a//b", "../a", "a/./b", "a\nb", long] {
      guard case .name(let message)? = failure({ try one.write([1], to: name) }) else {
        Issue.record("\(name)")
        continue
      }
      #expect(message.contains("notes/today.txt"))
    }
    #expect(
      failure { _ = try one.read("none") } == .notFound("There is no document 'none'.")
    )
    #expect(
      failure { try one.remove("none") } == .notFound("There is no document 'none'.")
    )
    guard case .notFound? = failure({ _ = try one.versions(of: "none") }) else {
      Issue.record()
      return
    }
    try one.write([1], to: "a")
    guard case .notFound? = failure({ try one.settle(["no such"], of: "a") }) else {
      Issue.record()
      return
    }
    guard case .notFound? = failure({ _ = try one.read("a", version: "no such") }) else {
      Issue.record()
      return
    }
    let foreign = DocumentContainer("not.mine", on: device.device)
    guard case .noSuchContainer? = failure({ _ = try foreign.documents() }) else {
      Issue.record()
      return
    }
    #expect(try one.documents().map(\.name) == ["a"])
  }

  @Test func aDeviceThatWasNotUnlockedKeepsItsDocumentsClosed() throws {
    try one.write([1], to: "a")
    try device.reboot()
    guard case .locked? = failure({ _ = try one.read("a") }) else {
      Issue.record()
      return
    }
    guard case .locked? = failure({ try one.write([2], to: "a") }) else {
      Issue.record()
      return
    }
    try device.unlock()
    #expect(try one.read("a").bytes == [1])
  }

  // MARK: Changes

  @Test func eachIsToldOfTheOthersChangesOnceAndOfItsOwnNever() async throws {
    var toOne = one.changes.makeAsyncIterator()
    var toOther = other.changes.makeAsyncIterator()
    #expect(await toOne.next() == .all)
    #expect(await toOther.next() == .all)
    for number in 0..<20 {
      try one.write(Array("one \(number)".utf8), to: "a")
      #expect(await toOther.next() == .changed(try #require(try other.documents().first)))
      try other.write(Array("other \(number)".utf8), to: "a")
      #expect(await toOne.next() == .changed(try #require(try one.documents().first)))
    }
    try one.remove("a")
    #expect(await toOther.next() == .removed("a"))
    try other.write([1], to: "b")
    guard case .changed? = await toOne.next() else {
      Issue.record()
      return
    }
  }

  @Test func whoListensLaterListsFirst() async throws {
    var first = one.changes.makeAsyncIterator()
    #expect(await first.next() == .all)
    var second = one.changes.makeAsyncIterator()
    #expect(await second.next() == .all)
    try other.write([1], to: "a")
    for change in [await first.next(), await second.next()] {
      guard case .changed(let document)? = change else {
        Issue.record()
        continue
      }
      #expect(document.name == "a")
    }
  }

  @Test func aContainerThatCannotBeFollowedSaysWhyAndIsFollowedOnceItCan() async throws {
    let foreign = DocumentContainer("not.mine", on: device.device)
    let foreignChanges = foreign.changes
    try device.reboot()
    var changes = one.changes.makeAsyncIterator()
    while one.failure == nil || foreign.failure == nil { await Task.yield() }
    guard case .locked? = one.failure, case .noSuchContainer? = foreign.failure else {
      Issue.record("\(String(describing: one.failure)) \(String(describing: foreign.failure))")
      return
    }
    try device.unlock()
    #expect(await changes.next() == .all)
    #expect(one.failure == nil)
    withExtendedLifetime(foreignChanges) {}
  }

  @Test func anObserverIsToldOfAllFirstHoweverLateItComes() async throws {
    let (told, teller) = AsyncStream<(Int, DocumentChange)>.makeStream()
    let writing = Task { [other] in
      for number in 0..<200 { try other.write([UInt8(number)], to: "a") }
    }
    for observer in 0..<20 {
      one.onChange { teller.yield((observer, $0)) }
      await Task.yield()
    }
    try await writing.value
    try other.remove("a")
    var (first, ended): ([Int: DocumentChange], Set<Int>) = ([:], [])
    for await (observer, change) in told {
      if first[observer] == nil { first[observer] = change }
      if change == .removed("a") { ended.insert(observer) }
      if ended.count == 20 { break }
      // Who was welcomed after the removal has nothing more to hear.
      if change == .all, try other.documents().isEmpty { ended.insert(observer) }
    }
    #expect(first.count == 20 && first.values.allSatisfy { $0 == .all })
  }

  @Test func theStreamsEndWithTheContainer() async throws {
    var container: DocumentContainer? = DocumentContainer(on: device.device)
    var changes = try #require(container).changes.makeAsyncIterator()
    #expect(await changes.next() == .all)
    container = nil
    #expect(await changes.next() == nil)
  }

  @Test func whoWritesFromManyThreadsLosesNothing() async throws {
    await withTaskGroup(of: Void.self) { group in
      for writer in 0..<8 {
        group.addTask { [one] in
          for number in 0..<10 {
            do {
              try one.write(Array("\(writer) \(number)".utf8), to: "\(writer)/\(number)")
            } catch { Issue.record(error) }
          }
        }
      }
    }
    #expect(try other.documents().count == 80)
    #expect(try other.read("7/9").bytes == Array("7 9".utf8))
  }
}
