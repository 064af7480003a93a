import LocalAuthKeychain
import LocalAuthTestSupport
import Testing

@Suite struct ItemCodingTests {
  private static func samples() throws -> [Item] {
    let control = try AccessControl(
      .whenUnlocked,
      flags: [.biometryCurrentSet, .applicationPassword]
    )
    var tombstone = try item(["class": .text("inet"), "sync": .boolean(true)], id: 3)
    tombstone.isTombstone = true
    return [
      try item(["class": .text("genp")]),
      try item(
        [
          "class": .text("genp"), "acct": .text("é"), "svce": .data([0, 255]), "labl": .number(-1),
          "accc": .accessControl(control), "v_Data": .secret,
        ],
        id: .max,
        at: .min
      ),
      tombstone,
      try item(["class": .text("keys"), "sdat": .date(.max), "pdmn": .text("akpu")]),
      try item(["class": .text("cert"), "issr": .data([UInt8](repeating: 7, count: 300))]),
    ]
  }

  @Test func anItemComesBackFromItsBytes() throws {
    for sample in try Self.samples() { #expect(try Item(bytes: sample.bytes) == sample) }
  }

  @Test func theTypeOfAnAttributeIsKept() throws {
    let text = try item(["class": .text("genp"), "acct": .text("a")])
    let data = try item(["class": .text("genp"), "acct": .data([0x61])])
    #expect(text.bytes != data.bytes)
    #expect(try Item(bytes: data.bytes).value(of: .account) == .data([0x61]))
  }

  @Test func aValueComesBackFromItsMarkedBytes() {
    for value: AttributeValue in [
      .text(""), .text("é"), .data([]), .data([2, 0]), .number(.min), .date(.max),
    ] {
      let bytes = value.markedBytes
      #expect(AttributeValue(markedBytes: bytes) == value)
      for count in 1..<max(bytes.count, 1) {
        #expect(AttributeValue(markedBytes: Array(bytes.prefix(count))) != value)
      }
    }
    for bad: [UInt8] in [
      [], [2], [3, 1], [4, 1], [0, 255], [2] + [UInt8](repeating: 0, count: 9),
    ] {
      #expect(AttributeValue(markedBytes: bad) == nil)
    }
  }

  @Test func everyAdditionIsUndecodableAndNoTruncationIsTheSameItem() throws {
    for sample in try Self.samples() {
      for count in 0..<sample.bytes.count {
        let bytes = Array(sample.bytes.prefix(count))
        // Without its last attributes it is another item, never the same; sealing sees to the rest.
        #expect((try? Item(bytes: bytes)) != sample)
      }
      for extra: [UInt8] in [[0], Array("acct".utf8), [UInt8](repeating: 0, count: 9)] {
        let bytes = sample.bytes + extra
        #expect(status { () throws(KeychainError) in try Item(bytes: bytes) } == .decode)
      }
    }
  }

  @Test func whatWouldBeWrittenOtherwiseIsUndecodable() throws {
    let account: [UInt8] = Array("acct".utf8) + [0, 0, 0, 0, 1, 0x61]
    let service: [UInt8] = Array("svce".utf8) + [0, 0, 0, 0, 1, 0x62]
    var plain = try item(["class": .text("genp")])
    plain.attributes = [:]
    let good = plain.bytes + account + service
    #expect(try Item(bytes: good).attributes.count == 2)
    let bad: [[UInt8]] = [
      service + account,  // another order
      account + account,  // twice
      Array("srvr".utf8) + [0, 0, 0, 0, 0],  // of another class
      Array("agrp".utf8) + [0, 0, 0, 0, 0],  // a field
      Array("acct".utf8) + [4, 0, 0, 0, 0],  // no such type
      Array("acct".utf8) + [2, 0, 0, 0, 1, 9],  // a number of one byte
      Array("acct".utf8) + [0, 0, 0, 0, 1, 0xFF],  // no UTF-8
      Array("acct".utf8) + [1, 0xFF, 0xFF, 0xFF, 0xFF],  // a count beyond the end
    ]
    for tail in bad {
      #expect(status { () throws(KeychainError) in try Item(bytes: plain.bytes + tail) } == .decode)
    }
  }

  @Test func anyChangedByteIsRefusedOrAnotherItem() throws {
    var random = SeededGenerator.ofThisRun
    for sample in try Self.samples() {
      for _ in 0..<1000 {
        var bytes = sample.bytes
        let index = Int.random(in: 0..<bytes.count, using: &random)
        bytes[index] ^= UInt8.random(in: 1...255, using: &random)
        guard let changed = try? Item(bytes: bytes) else { continue }
        #expect(changed.bytes == bytes && changed.bytes != sample.bytes, "seed \(random.seed)")
      }
    }
  }
}
