import LocalAuthClient
import LocalAuthKeyValue
import LocalAuthTestKit
import LocalAuthWire
import Testing

/// Programs that share a store of one device; each object is a program to the service.
@Suite struct KeyValueStoreTests {
  private let device: TestDevice

  init() throws { device = try TestDevice(passcode: "2468") }

  private func program(_ name: String? = nil) -> KeyValueStore {
    KeyValueStore(name, on: device.device)
  }

  private func failure(_ body: () throws(KeyValueFailure) -> Void) -> KeyValueFailure? {
    do throws(KeyValueFailure) {
      try body()
      return nil
    } catch { return error }
  }

  @Test func whatIsSetIsThereAtOnceAndInTheStoreAfterSynchronize() throws {
    let store = program()
    try store.set(.string("dark"), forKey: "theme")
    #expect(store.string(forKey: "theme") == "dark")
    #expect(store.synchronize())
    #expect(program().values == ["theme": .string("dark")])
    store.removeValue(forKey: "theme")
    #expect(store.value(forKey: "theme") == nil)
    #expect(store.synchronize())
    #expect(program().values.isEmpty)
  }

  @Test func whatIsSetIsWrittenAMomentLaterWithoutBeingAskedTo() async throws {
    let (writer, reader) = (program(), program())
    var changes = reader.changes.makeAsyncIterator()
    try writer.set(.integer(7), forKey: "score")
    #expect(await changes.next() == KeyValueStoreChange(reason: .server, keys: ["score"]))
    #expect(reader.integer(forKey: "score") == 7)
  }

  @Test func aStoreThatIsLetGoWritesWhatWasSet() async throws {
    let reader = program()
    var changes = reader.changes.makeAsyncIterator()
    try KeyValueStore(on: device.device).set(.boolean(true), forKey: "seen")
    #expect(await changes.next()?.keys == ["seen"])
  }

  @Test func eachProgramIsToldOfTheOthersChangesExactlyOnceAndOfItsOwnNever() async throws {
    let (one, other) = (program(), program())
    var (toOne, toOther) = (one.changes.makeAsyncIterator(), other.changes.makeAsyncIterator())
    for number in 0..<20 {
      try one.set(.integer(Int64(number)), forKey: "one")
      #expect(one.synchronize())
      #expect(await toOther.next() == KeyValueStoreChange(reason: .server, keys: ["one"]))
      #expect(other.integer(forKey: "one") == Int64(number))
      #expect(other.synchronize())
      try other.set(.integer(Int64(number)), forKey: "other")
      #expect(other.synchronize())
      #expect(await toOne.next() == KeyValueStoreChange(reason: .server, keys: ["other"]))
      #expect(one.synchronize())
    }
  }

  @Test func synchronizeBringsWhatOthersWroteAndTellsItOnce() async throws {
    let (one, other) = (program(), program())
    var changes = one.changes.makeAsyncIterator()
    try other.set(.string("1"), forKey: "a")
    #expect(other.synchronize())
    #expect(one.synchronize())
    #expect(one.string(forKey: "a") == "1")
    try other.set(.string("2"), forKey: "b")
    #expect(other.synchronize())
    #expect(await changes.next()?.keys == ["a"])
    #expect(await changes.next()?.keys == ["b"])
  }

  @Test func twoWhoWriteOneKeyAtOnceEndWithTheSameValue() async throws {
    let stores = [program(), program()]
    await withTaskGroup(of: Void.self) { group in
      for (index, store) in stores.enumerated() {
        group.addTask {
          for number in 0..<50 {
            try? store.set(.string("\(index) \(number)"), forKey: "same")
            if number % 7 == 0 { store.synchronize() }
          }
        }
      }
    }
    for store in stores + stores { #expect(store.synchronize()) }
    let values = stores.map { $0.value(forKey: "same") }
    #expect(values[0] == values[1])
    #expect(values[0] == program().value(forKey: "same"))
  }

  // MARK: Values

  @Test(arguments: [
    PropertyList.real(.nan), .real(-0.0), .real(.infinity), .date(-63_114_076_800), .date(0.5),
    .integer(.min), .string("ä\u{0}🎉"), .data([]), .array([]), .dictionary(["": .boolean(false)]),
  ])
  func aValueComesToTheOtherAsItWas(_ value: PropertyList) throws { try expectToCome(value) }

  /// No argument of a test, because the description of one needs more of the stack than there is under a sanitizer.
  @Test func theDeepestValueComesToTheOtherAsItWas() throws {
    let deepest = (1..<PropertyList.depthMax).reduce(PropertyList.array([])) { value, _ in
      .array([value])
    }
    try expectToCome(deepest)
  }

  private func expectToCome(_ value: PropertyList) throws {
    let store = program()
    try store.set(value, forKey: "k")
    #expect(store.value(forKey: "k") == value)
    #expect(store.synchronize())
    #expect(program().value(forKey: "k") == value)
  }

  /// Each byte of such a key is written as six.
  @Test func aThousandOfTheLongestKeysComeToTheOther() throws {
    let store = program()
    let keys = (0..<1024).map { number in
      "\(number)" + String(repeating: "\u{1}", count: 64 - "\(number)".count)
    }
    for key in keys { try store.set(.string("value of \(key)"), forKey: key) }
    #expect(store.synchronize())
    #expect(program().values == store.values)
    #expect(store.values.count == 1024)
  }

  @Test func gettersOfAnotherTypeAreNil() throws {
    let store = program()
    try store.set(.integer(1), forKey: "k")
    #expect(store.integer(forKey: "k") == 1 && store.real(forKey: "k") == 1)
    #expect(store.boolean(forKey: "k") == nil && store.string(forKey: "k") == nil)
    #expect(store.data(forKey: "k") == nil && store.date(forKey: "k") == nil)
    #expect(store.array(forKey: "k") == nil && store.dictionary(forKey: "k") == nil)
    #expect(store.integer(forKey: "none") == nil)
  }

  @Test func whatCannotBeWrittenIsAnErrorAndChangesNothing() throws {
    let store = program()
    let deep = (0..<PropertyList.depthMax).reduce(PropertyList.array([])) { value, _ in
      .array([value])
    }
    #expect(
      failure { () throws(KeyValueFailure) in try store.set(deep, forKey: "k") } == .value(.tooDeep)
    )
    let never = PropertyList.array([.date(.nan)])
    #expect(
      failure { () throws(KeyValueFailure) in try store.set(never, forKey: "k") }
        == .value(.dateOutOfRange)
    )
    #expect(store.values.isEmpty)
  }

  @Test func aKeyOf65BytesEndsTheProgramAndSaysWhy() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let device = try TestDevice()
      let store = KeyValueStore(on: device.device)
      try store.set(.boolean(true), forKey: String(repeating: "k", count: 65))
    }
    let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(said.contains("64 bytes of UTF-8"))
  }

  // MARK: Quotas

  @Test func aValueOverTheQuotaIsNotKeptAndIsTold() async throws {
    let store = program()
    var changes = store.changes.makeAsyncIterator()
    let large = PropertyList.data([UInt8](repeating: 7, count: 1 << 20))
    #expect(
      failure { () throws(KeyValueFailure) in try store.set(large, forKey: "k") } == .overQuota
    )
    #expect(store.value(forKey: "k") == nil)
    #expect(await changes.next() == KeyValueStoreChange(reason: .quotaViolation, keys: ["k"]))
  }

  @Test func almostAMebibyteComesToTheOther() throws {
    let store = program()
    let large = PropertyList.data((0..<1_048_000).map { UInt8(truncatingIfNeeded: $0 / 251) })
    try store.set(large, forKey: "k")
    #expect(store.synchronize())
    #expect(program().value(forKey: "k") == large)
  }

  @Test func ofTwoThatLeaveRoomForOneOneIsKeptAndTheOtherIsTold() async throws {
    let stores = [program(), program()]
    var changes = stores.map { $0.changes.makeAsyncIterator() }
    let half = PropertyList.data([UInt8](repeating: 7, count: 600_000))
    // Whether it is noticed here or by the service, and who is first, depends on who is faster.
    for (index, store) in stores.enumerated() {
      _ = failure { () throws(KeyValueFailure) in try store.set(half, forKey: "\(index)") }
    }
    for store in stores + stores { #expect(store.synchronize()) }
    let kept = program().values
    try #require(kept.count == 1 && kept.values.first == half)
    for store in stores { #expect(store.values == kept) }
    let loser = kept["0"] == nil ? 0 : 1
    let refused = KeyValueStoreChange(reason: .quotaViolation, keys: ["\(loser)"])
    while let change = await changes[loser].next(), change != refused {
      #expect(change == KeyValueStoreChange(reason: .server, keys: ["\(1 - loser)"]))
    }
  }

  // MARK: A store that is closed

  @Test func withoutTheAccessGroupSynchronizeIsFalseAndSaysWhy() {
    let store = program("group.of.somebody.else")
    #expect(!store.synchronize())
    guard case .noSuchStore(let message)? = store.failure else {
      Issue.record("\(String(describing: store.failure))")
      return
    }
    #expect(message.contains("group.of.somebody.else"))
  }

  @Test func beforeTheFirstUnlockItIsEmptyAndDefaultsGiveWayToWhatThereIs() async throws {
    try program().set(.string("dark"), forKey: "theme")
    let first = program()
    try first.set(.string("dark"), forKey: "theme")
    #expect(first.synchronize())
    try device.reboot()
    let store = program()
    #expect(store.values.isEmpty)
    #expect(store.failure?.outcome == .itemLocked)
    #expect(!store.synchronize())
    var changes = store.changes.makeAsyncIterator()
    try store.set(.string("default"), forKey: "theme")
    try store.set(.string("new"), forKey: "other")
    try device.unlock()
    #expect(store.synchronize())
    #expect(await changes.next() == KeyValueStoreChange(reason: .initial, keys: ["theme"]))
    #expect(store.string(forKey: "theme") == "dark")
    #expect(program().values == ["theme": .string("dark"), "other": .string("new")])
    #expect(store.failure == nil)
  }

  @Test func anErasedDevicesStoreIsEmptyToEachProgram() async throws {
    let (one, other) = (program(), program())
    try one.set(.integer(1), forKey: "a")
    #expect(one.synchronize() && other.synchronize())
    var changes = other.changes.makeAsyncIterator()
    let (choice, source) = try device.device.resolved()
    var connection = try source.connect()
    var call = DeviceMessages.EraseCall()
    call.device = choice.name ?? ""
    _ = try connection.call(Methods.eraseDevice, call)
    #expect(await changes.next() == KeyValueStoreChange(reason: .server, keys: ["a"]))
    #expect(other.values.isEmpty)
  }

  @Test func aLockedDeviceKeepsTheStoreOpen() throws {
    let store = program()
    try device.lock()
    try device.clock.advance(by: .seconds(60))
    try store.set(.integer(1), forKey: "a")
    #expect(store.synchronize())
    #expect(program().integer(forKey: "a") == 1)
  }
}
