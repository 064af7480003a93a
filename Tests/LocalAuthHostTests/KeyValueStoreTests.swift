import LocalAuthCore
import LocalAuthKeychain
import LocalAuthService
import LocalAuthSync
import Testing

@Suite struct KeyValueStoreTests {
  @Test func whatIsWrittenIsReadAndRemoved() throws {
    let rig = try KeychainRig()
    #expect(try rig.values().isEmpty)
    #expect(try rig.revision() == 0)
    let written = try rig.set("theme", "dark")
    #expect(written == KeyValueWritten(revision: 1))
    try rig.set("size", "12")
    #expect(
      try rig.values() == ["theme": KeyValueText.list("dark"), "size": KeyValueText.list("12")]
    )
    try rig.write([KeyValueChange("theme", nil)])
    #expect(try rig.values() == ["size": KeyValueText.list("12")])
    #expect(try rig.revision() == 3)
  }

  @Test func changesOfOneCallAreOneCommitInTheirOrder() throws {
    let rig = try KeychainRig()
    let written = try rig.write([
      KeyValueChange("a", KeyValueText.list("1")), KeyValueChange("a", KeyValueText.list("2")),
      KeyValueChange("b", KeyValueText.list("3")), KeyValueChange("b", nil),
    ])
    #expect(written.revision == 1)
    #expect(try rig.values() == ["a": KeyValueText.list("2")])
  }

  @Test func whatChangesNothingIsNoChange() throws {
    let rig = try KeychainRig()
    try rig.set("a", "1")
    #expect(try rig.set("a", "1") == KeyValueWritten(revision: 1, isChange: false))
    #expect(try rig.write([KeyValueChange("b", nil)]).revision == 1)
    #expect(try rig.write([], removingAll: true).revision == 2)
    #expect(try rig.write([], removingAll: true).revision == 2)
    #expect(try rig.values().isEmpty)
  }

  @Test func aValueIsKeptInOneSpelling() throws {
    let rig = try KeychainRig()
    // The same text with offsets of eight bytes.
    let text = Array("bplist00".utf8) + [0x51, 0x61]
    let offset: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 8]
    let trailer: [UInt8] =
      [0, 0, 0, 0, 0, 0, 8, 1] + [0, 0, 0, 0, 0, 0, 0, 1] + [0, 0, 0, 0, 0, 0, 0, 0]
      + [0, 0, 0, 0, 0, 0, 0, 10]
    try rig.write([KeyValueChange("k", text + offset + trailer)])
    #expect(try rig.values() == ["k": KeyValueText.list("a")])
  }

  // MARK: Bad values

  @Test func whatIsNoPropertyListIsRefusedAndNothingOfTheCallIsWritten() throws {
    let rig = try KeychainRig()
    try rig.set("a", "1")
    for bad in [[], Array("text".utf8), Array(KeyValueText.list("x").dropLast())] {
      let refusal = rig.objection {
        try rig.write([
          KeyValueChange("a", KeyValueText.list("2")), KeyValueChange("b", bad),
        ])
      }
      guard case .invalidArgument(let message) = refusal else {
        Issue.record("\(String(describing: refusal))")
        continue
      }
      #expect(message.contains("'b'"))
    }
    #expect(try rig.values() == ["a": KeyValueText.list("1")])
  }

  @Test func aKeyThatIsTooLongIsAnErrorAndNoValueIsPartOfTheMessage() throws {
    let rig = try KeychainRig()
    try rig.set(String(repeating: "k", count: 64), "1")
    try rig.set(String(repeating: "ä", count: 32), "1")
    for key in [String(repeating: "k", count: 65), String(repeating: "ä", count: 33)] {
      guard case .invalidArgument(let message) = rig.objection({ try rig.set(key, "sesame") })
      else {
        Issue.record("it was taken")
        continue
      }
      #expect(message.contains("64 bytes") && !message.contains("sesame"))
    }
    #expect(try rig.values().count == 2)
  }

  // MARK: Quotas

  @Test func thereAreAtMost1024KeysAndTheOneTooManyIsNamed() throws {
    let rig = try KeychainRig()
    let all = (0..<1025).map { KeyValueChange("key \($0)", KeyValueText.list("x")) }
    let written = try rig.write(all)
    #expect(written.refused == ["key 1024"])
    #expect(try rig.values().count == 1024)
    #expect(try rig.set("more", "x").refused == ["more"])
    #expect(try rig.revision() == 1, "a write that fails changes nothing")
    try rig.write([KeyValueChange("key 7", nil), KeyValueChange("more", KeyValueText.list("x"))])
    #expect(try rig.values()["more"] != nil)
  }

  @Test func allValuesTogetherHaveAtMostOneMebibyte() throws {
    let rig = try KeychainRig()
    let limit = KeyValueLimits.bytesMax
    #expect(
      try rig.write([KeyValueChange("a", KeyValueText.data(size: limit + 1))]).refused == ["a"]
    )
    #expect(try rig.values().isEmpty)
    #expect(try rig.write([KeyValueChange("a", KeyValueText.data(size: limit))]).refused.isEmpty)
    #expect(try rig.set("b", "1").refused == ["b"])
    #expect(try rig.values()["a"]?.count == limit)
    let smaller = KeyValueText.data(size: limit - KeyValueText.list("1").count)
    try rig.write([KeyValueChange("a", smaller)])
    #expect(try rig.set("b", "1").refused.isEmpty)
    #expect(try rig.set("c", "1").refused == ["c"])
  }

  // MARK: In parts

  @Test func aLargeValueComesInPartsAndIsWrittenWithTheLast() throws {
    let rig = try KeychainRig()
    let value = KeyValueText.data(size: 300_000)
    let parts = stride(from: 0, to: value.count, by: 100_000).map {
      Array(value[$0..<min($0 + 100_000, value.count)])
    }
    for part in parts.dropLast() {
      try rig.engine.collectKeyValues(
        [KeyValueChange("a", part, continues: true)],
        on: 9,
        caller: rig.caller
      )
      #expect(try rig.values().isEmpty)
    }
    try rig.write([KeyValueChange("a", parts.last ?? []), KeyValueChange("b", nil)], connection: 9)
    #expect(try rig.values() == ["a": value])
  }

  @Test func partsOfAConnectionThatClosedAreForgotten() throws {
    let rig = try KeychainRig()
    try rig.engine.collectKeyValues(
      [KeyValueChange("a", KeyValueText.list("old"))],
      on: 9,
      caller: rig.caller
    )
    rig.engine.connectionEnded(9)
    try rig.write([], connection: 9)
    #expect(try rig.values().isEmpty)
  }

  @Test func partsThatDoNotFitTogetherAreRefusedAndDropped() throws {
    let rig = try KeychainRig()
    let list = KeyValueText.list("text")
    let half = KeyValueChange("a", Array(list.prefix(5)), continues: true)
    for rest in [KeyValueChange("b", list), KeyValueChange("a", nil)] {
      let refusal = rig.objection { try rig.write([half, rest]) }
      guard case .invalidArgument = refusal else {
        Issue.record("\(String(describing: refusal))")
        continue
      }
    }
    guard case .invalidArgument = rig.objection({ try rig.write([half]) }) else {
      Issue.record("half a value was taken")
      return
    }
    try rig.set("c", "1")
    #expect(try rig.values().keys.sorted() == ["c"])
  }

  @Test func nobodyFillsTheMemoryWithParts() throws {
    let rig = try KeychainRig()
    let part = KeyValueChange("a", [UInt8](repeating: 0, count: 100_000), continues: true)
    var taken = 0
    let refusal = rig.objection {
      for _ in 0..<1000 {
        try rig.engine.collectKeyValues([part], on: 9, caller: rig.caller)
        taken += 1
      }
    }
    guard case .limitReached = refusal else {
      Issue.record("\(String(describing: refusal)) after \(taken)")
      return
    }
    #expect(taken < 25)
    let many = (10..<100).filter { connection in
      rig.objection {
        try rig.engine.collectKeyValues([part], on: UInt64(connection), caller: rig.caller)
      } == nil
    }
    #expect(many.count < 50, "all connections of a user together")
  }

  // MARK: Who may

  @Test func storesAreTheCallersAccessGroupsAndTheFirstIsTheDefault() throws {
    let rig = try KeychainRig()
    try rig.set("a", "first")
    try rig.set("a", "second", rig.request("more"))
    #expect(try rig.values(rig.request("local")) == ["a": KeyValueText.list("first")])
    #expect(try rig.values(rig.request("more")) == ["a": KeyValueText.list("second")])
    for request in [
      rig.request("other"), rig.request(nil, groups: []), rig.request("local", groups: ["more"]),
    ] {
      #expect(rig.objection { _ = try rig.values(request) }?.code == .accessGroupNotAllowed)
      #expect(rig.objection { try rig.set("b", "x", request) }?.code == .accessGroupNotAllowed)
    }
  }

  @Test func theKeychainShowsNothingOfAStore() throws {
    let rig = try KeychainRig()
    rig.groups = AccessGroups(["local", "*"])
    try rig.set("a", "first")
    let all: QueryDictionary = [
      "class": .text("genp"), "m_Limit": .text("m_LimitAll"), "r_Attributes": .boolean(true),
    ]
    #expect(rig.call(.copy(all, after: nil)).error == .itemNotFound)
    let named: QueryDictionary = ["class": .text("genp"), "acct": .text("local")]
    #expect(rig.call(.delete(named, onlyCounts: false)).error == .itemNotFound)
    #expect(try rig.values().count == 1)
  }

  @Test func aSimulatedDeviceHasToBeNamedAndAnotherHasOtherStores() throws {
    let rig = try KeychainRig()
    try rig.set("a", "1")
    var request = rig.request()
    request.allowsSimulated = false
    #expect(rig.objection { _ = try rig.values(request) }?.code == .simulatedNotAllowed)
    #expect(
      rig.objection { _ = try rig.values(rig.request(on: "none")) } == .deviceNotFound("none")
    )
    try rig.wait { rig.engine.create(DeviceDescription(name: "two"), caller: rig.caller, then: $0) }
    #expect(try rig.values(rig.request(on: "two")).isEmpty)
  }

  // MARK: The state of the device

  @Test func aLockedDeviceKeepsStoresOpenAndOneThatWasNotUnlockedYetKeepsThemClosed() throws {
    let rig = try KeychainRig()
    try rig.set("a", "1")
    try rig.lock()
    rig.clock.pass(.seconds(60))
    #expect(try rig.values().count == 1)
    try rig.set("b", "2")
    try rig.reboot()
    #expect(rig.objection { _ = try rig.values() }?.code == .itemLocked)
    #expect(rig.objection { try rig.set("c", "3") }?.code == .itemLocked)
    try rig.unlock()
    #expect(try rig.values().keys.sorted() == ["a", "b"])
  }

  @Test func anErasedDeviceHasNoStoresTellsSoAndBeginsAnew() throws {
    let rig = try KeychainRig()
    try rig.set("a", "1")
    let heard = Heard()
    let watch = try rig.engine.watchKeyValues(rig.request(as: 1), caller: rig.caller) {
      heard.reports.append($0)
    }
    defer { watch.end() }
    try rig.wait { rig.engine.erase("sim", caller: rig.caller, then: $0) }
    #expect(heard.keys == [[]])
    #expect(try rig.values().isEmpty)
    try rig.set("b", "2")
    #expect(try rig.values().keys.sorted() == ["b"])
  }

  @Test func aDiskThatIsFullChangesNothing() throws {
    let rig = try KeychainRig()
    try rig.set("a", "1")
    let failures = rig.disk.failing { _ in true }
    guard case .internalError = rig.objection({ try rig.set("a", "2") }) else {
      Issue.record("it was written")
      return
    }
    #expect(failures.count == 1)
    rig.disk.heal()
    #expect(try rig.values() == ["a": KeyValueText.list("1")])
    try rig.set("a", "3")
    #expect(try rig.values() == ["a": KeyValueText.list("3")])
  }

  // MARK: Watching

  private final class Heard {
    var reports: [KeyValueReport?] = []
    var keys: [[String]] { reports.compactMap { $0?.notice?.keys.map(\.text) } }
  }

  @Test func othersAreToldOnceOfWhatAWriterChangedAndTheWriterIsNot() throws {
    let rig = try KeychainRig()
    try rig.set("a", "1")
    let (own, other, elsewhere) = (Heard(), Heard(), Heard())
    let watches = [
      try rig.engine.watchKeyValues(rig.request(as: 1), caller: rig.caller) {
        own.reports.append($0)
      },
      try rig.engine.watchKeyValues(rig.request(as: 2), caller: rig.caller) {
        other.reports.append($0)
      },
      try rig.engine.watchKeyValues(rig.request("more", as: 3), caller: rig.caller) {
        elsewhere.reports.append($0)
      },
    ]
    #expect(own.reports == [KeyValueReport(revision: 1, notice: nil)])
    try rig.write(
      [
        KeyValueChange("b", KeyValueText.list("2")), KeyValueChange("a", nil),
        KeyValueChange("c", KeyValueText.list("3")), KeyValueChange("c", nil),
      ],
      rig.request(as: 1)
    )
    #expect(own.keys.isEmpty && elsewhere.keys.isEmpty)
    #expect(other.keys == [["a", "b"]])
    #expect(other.reports.last??.notice?.reason == .server)
    #expect(other.reports.last??.revision == 2)
    #expect(other.reports.last??.removed == ["a"], "b has another value, and a has none")
    try rig.write([KeyValueChange("b", KeyValueText.list("2"))], rig.request(as: 1))
    #expect(other.keys.count == 1, "nothing has changed")
    try rig.write([KeyValueChange("b", nil)])
    #expect(own.keys == [["b"]] && other.keys.count == 2, "whoever has no number is somebody else")
    for watch in watches { watch.end() }
    try rig.set("z", "1")
    #expect(own.keys.count == 1)
  }

  @Test func aWatchOfADeletedDeviceIsToldSo() throws {
    let rig = try KeychainRig()
    let heard = Heard()
    _ = try rig.engine.watchKeyValues(rig.request(as: 1), caller: rig.caller) {
      heard.reports.append($0)
    }
    try rig.wait { rig.engine.delete("sim", passcode: .of("1234"), caller: rig.caller, then: $0) }
    #expect(heard.reports == [KeyValueReport(revision: 0, notice: nil), nil])
  }
}
