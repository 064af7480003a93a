import DataProtection
import Foundation
import LocalAuthTestKit
import Synchronization
import Testing

@Suite struct UbiquitousKeyValueStoreTests {
  private let device: TestDevice

  init() throws { device = try TestDevice(passcode: "2468") }

  private func program() -> NSUbiquitousKeyValueStore {
    device.use { NSUbiquitousKeyValueStore.forCurrentDevice() }
  }

  @Test func theConstantsAreApples() {
    #expect(NSUbiquitousKeyValueStoreServerChange == 0)
    #expect(NSUbiquitousKeyValueStoreInitialSyncChange == 1)
    #expect(NSUbiquitousKeyValueStoreQuotaViolationChange == 2)
    #expect(NSUbiquitousKeyValueStoreAccountChange == 3)
    #expect(
      NSUbiquitousKeyValueStore.didChangeExternallyNotification.rawValue
        == "NSUbiquitousKeyValueStoreDidChangeExternallyNotification"
    )
    #expect(NSUbiquitousKeyValueStoreChangedKeysKey == "NSUbiquitousKeyValueStoreChangedKeysKey")
    #expect(NSUbiquitousKeyValueStoreChangeReasonKey == "NSUbiquitousKeyValueStoreChangeReasonKey")
  }

  @Test func eachKindOfValueIsReadAsItWasSet() throws {
    let store = program()
    store.set("text", forKey: "string")
    store.set(true, forKey: "bool")
    store.set(Int64.min, forKey: "longLong")
    store.set(1.5, forKey: "double")
    store.set(Data([1, 2]), forKey: "data")
    store.set([1, "two", [3.5]] as [Any], forKey: "array")
    store.set(["a": Date(timeIntervalSinceReferenceDate: -1e9), "b": false], forKey: "dictionary")
    store.set(Date(timeIntervalSinceReferenceDate: 7), forKey: "date")
    store.set(NSNumber(value: 5), forKey: "number")
    #expect(store.synchronize())
    let other = program()
    #expect(other.string(forKey: "string") == "text")
    #expect(other.bool(forKey: "bool") && other.object(forKey: "bool") as? Bool == true)
    #expect(other.longLong(forKey: "longLong") == .min)
    #expect(other.double(forKey: "double") == 1.5)
    #expect(other.data(forKey: "data") == Data([1, 2]))
    let array = try #require(other.array(forKey: "array"))
    #expect(array[0] as? Int == 1 && array[1] as? String == "two")
    #expect((array[2] as? [Double]) == [3.5])
    let dictionary = try #require(other.dictionary(forKey: "dictionary"))
    #expect(dictionary["a"] as? Date == Date(timeIntervalSinceReferenceDate: -1e9))
    #expect(dictionary["b"] as? Bool == false)
    #expect(other.object(forKey: "date") as? Date == Date(timeIntervalSinceReferenceDate: 7))
    #expect(other.object(forKey: "number") as? Int == 5)
    #expect(other.dictionaryRepresentation.count == 9)
  }

  @Test func whatIsNotThereOrOfAnotherKindIsZeroFalseOrNil() {
    let store = program()
    store.set("1", forKey: "text")
    store.set(2.9, forKey: "real")
    store.set(true, forKey: "yes")
    for key in ["none", "text"] {
      #expect(store.longLong(forKey: key) == 0 && store.double(forKey: key) == 0)
      #expect(!store.bool(forKey: key) && store.data(forKey: key) == nil)
      #expect(store.array(forKey: key) == nil && store.dictionary(forKey: key) == nil)
    }
    #expect(store.longLong(forKey: "real") == 2 && store.bool(forKey: "real"))
    #expect(store.longLong(forKey: "yes") == 1 && store.double(forKey: "yes") == 1)
    #expect(store.string(forKey: "yes") == nil)
  }

  @Test func settingNilRemoves() {
    let store = program()
    for key in ["a", "b", "c"] { store.set("x", forKey: key) }
    store.set(nil as String?, forKey: "a")
    store.set(nil as Any?, forKey: "b")
    store.removeObject(forKey: "c")
    #expect(store.dictionaryRepresentation.isEmpty)
  }

  @Test func thereIsOneDefaultForEachDevice() throws {
    let other = try TestDevice()
    device.use {
      let store = NSUbiquitousKeyValueStore.default
      #expect(NSUbiquitousKeyValueStore.default === store)
      #expect(other.use { NSUbiquitousKeyValueStore.default } !== store)
      store.set(1, forKey: "here")
      #expect(store.synchronize())
    }
    #expect(other.use { NSUbiquitousKeyValueStore.default.object(forKey: "here") } == nil)
  }

  @Test func anotherProgramsChangeIsOneNotificationWithReasonAndKeys() async throws {
    let (one, other) = (program(), program())
    let (notes, continuation) = AsyncStream.makeStream(of: [String].self)
    let reasons = Mutex<[Int]>([])
    let observer = NotificationCenter.default.addObserver(
      forName: NSUbiquitousKeyValueStore.didChangeExternallyNotification,
      object: one,
      queue: nil
    ) { note in
      let reason = note.userInfo?[NSUbiquitousKeyValueStoreChangeReasonKey] as? Int
      reasons.withLock { $0.append(reason ?? -1) }
      continuation.yield(note.userInfo?[NSUbiquitousKeyValueStoreChangedKeysKey] as? [String] ?? [])
    }
    defer { NotificationCenter.default.removeObserver(observer) }
    var keys = notes.makeAsyncIterator()
    one.set("own", forKey: "own")
    #expect(one.synchronize())
    other.set("theirs", forKey: "b")
    other.set("theirs", forKey: "a")
    #expect(other.synchronize())
    // Written together, unless the machine is so busy that a moment passes between both.
    var heard: [String] = []
    while heard.count < 2 { heard += await keys.next() ?? [] }
    #expect(heard.sorted() == ["a", "b"])
    #expect(one.string(forKey: "a") == "theirs")
    other.set("last", forKey: "z")
    #expect(other.synchronize())
    #expect(await keys.next() == ["z"])
    #expect(Set(reasons.withLock { $0 }) == [0])
  }

  @Test func aValueOverTheQuotaIsNotKeptAndToldWithReason2() {
    let store = program()
    let told = Mutex<[Int: [String]]>([:])
    let observer = NotificationCenter.default.addObserver(
      forName: NSUbiquitousKeyValueStore.didChangeExternallyNotification,
      object: store,
      queue: nil
    ) { note in
      guard let reason = note.userInfo?[NSUbiquitousKeyValueStoreChangeReasonKey] as? Int else {
        return
      }
      let keys = note.userInfo?[NSUbiquitousKeyValueStoreChangedKeysKey] as? [String]
      told.withLock { $0[reason] = keys }
    }
    defer { NotificationCenter.default.removeObserver(observer) }
    store.set("small", forKey: "k")
    store.set(Data(count: 1 << 20), forKey: "k")
    #expect(store.string(forKey: "k") == "small")
    #expect(told.withLock { $0 } == [2: ["k"]])
  }

  @Test func whatIsNoPropertyListEndsTheProgramAndSaysWhichKey() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let device = try TestDevice()
      device.use { NSUbiquitousKeyValueStore.default.set(NSNull(), forKey: "the key") }
    }
    let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(said.contains("no property list") && said.contains("the key"))
  }

  @Test func withoutADeviceSynchronizeIsFalseAndNothingIsThere() async {
    await #expect(processExitsWith: .success) {
      // SAFETY: nothing else runs in this process yet.
      setenv("LOCALAUTH_DEVICE", "ephemeral", 1)
      let store = NSUbiquitousKeyValueStore.default
      store.set("x", forKey: "a")
      precondition(!store.synchronize(), "a device that is not allowed is no device")
    }
  }
}
