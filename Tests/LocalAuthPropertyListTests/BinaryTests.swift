import LocalAuthPropertyList
import Testing

@Suite struct BinaryTests {
  private func failure(_ bytes: [UInt8]) -> PropertyListError? {
    do throws(PropertyListError) {
      _ = try PropertyList(binary: bytes)
      return nil
    } catch { return error }
  }

  /// A list of these parts, the first of which is the whole, with sizes of one byte.
  private func list(
    _ parts: [[UInt8]],
    top: UInt8 = 0,
    count: UInt8? = nil,
    sizes: (UInt8, UInt8) = (1, 1),
    table: UInt8? = nil
  ) -> [UInt8] {
    var bytes = Array("bplist00".utf8)
    var offsets: [UInt8] = []
    for part in parts {
      offsets.append(UInt8(bytes.count))
      bytes += part
    }
    let end = UInt8(bytes.count)
    bytes += offsets + [0, 0, 0, 0, 0, 0, sizes.0, sizes.1]
    for number in [count ?? UInt8(parts.count), top, table ?? end] {
      bytes += [UInt8](repeating: 0, count: 7) + [number]
    }
    return bytes
  }

  // MARK: One way to write

  @Test(arguments: PropertyListSamples.plain)
  func whatIsWrittenIsReadAndWrittenTheSame(_ value: PropertyList) throws {
    let bytes = try value.binary()
    let read = try PropertyList(binary: bytes)
    #expect(read == value)
    #expect(read.hashValue == value.hashValue)
    #expect(try read.binary() == bytes)
  }

  @Test func theBytesOfASmallDictionaryAreThese() throws {
    let value = PropertyList.dictionary(["b": .boolean(true), "a": .string("b")])
    let expected = list([[0xD2, 1, 2, 2, 3], [0x51, 0x61], [0x51, 0x62], [0x09]])
    #expect(try value.binary() == expected)
  }

  @Test func theOrderInWhichADictionaryWasFilledDoesNotShow() throws {
    let names = (0..<200).map { "key \($0 * 7919 % 200)" }
    var forwards: [String: PropertyList] = [:]
    var backwards: [String: PropertyList] = [:]
    for name in names { forwards[name] = .string(name) }
    for name in names.reversed() { backwards[name] = .string(name) }
    #expect(
      try PropertyList.dictionary(forwards).binary()
        == PropertyList.dictionary(backwards).binary()
    )
  }

  @Test func numbersThatAreNoNumbersAndBothZerosKeepTheirBits() throws {
    let patterns = [
      Double.nan.bitPattern, Double.signalingNaN.bitPattern,
      Double(nan: 77, signaling: false).bitPattern,
      (-Double.nan).bitPattern, (-0.0).bitPattern, (0.0).bitPattern,
    ]
    for pattern in patterns {
      let value = PropertyList.real(Double(bitPattern: pattern))
      let read = try PropertyList(binary: try value.binary())
      guard case .real(let number) = read else {
        Issue.record("\(read) is no real")
        continue
      }
      #expect(number.bitPattern == pattern)
      #expect(read == value)
    }
    #expect(PropertyList.real(0) != .real(-0.0))
    #expect(PropertyList.real(.nan) == .real(.nan))
  }

  @Test func oneIsNeitherTrueNorARealAndSpellingsAreTwoTexts() throws {
    #expect(PropertyList.integer(1) != .boolean(true))
    #expect(PropertyList.integer(1) != .real(1))
    #expect(PropertyList.string("\u{e9}") != .string("e\u{301}"))
    #expect(
      PropertyList.dictionary(["\u{e9}": .integer(1)]) != .dictionary(["e\u{301}": .integer(1)])
    )
  }

  @Test func partsThatAreEqualAreWrittenOnce() throws {
    let once = try PropertyList.array([.string("a long text")]).binary()
    let often = try PropertyList.array(Array(repeating: .string("a long text"), count: 10)).binary()
    #expect(often.count == once.count + 9)
  }

  // MARK: Limits

  @Test func asManyLevelsAsTheLimitAreKeptAndOneMoreIsAnError() throws {
    let most = PropertyListSamples.nested(PropertyList.depthMax)
    #expect(try PropertyList(binary: most.binary()) == most)
    #expect(throws: PropertyListError.tooDeep) { try PropertyList.array([most]).binary() }
    #expect(throws: PropertyListError.tooDeep) {
      try PropertyList.dictionary(["a": most]).binary()
    }
  }

  @Test func deeperBytesAreRefused() {
    let parts = (0..<100).map { [0xA1, UInt8($0 + 1)] } + [[0xA0]]
    #expect(failure(list(parts, table: nil)) == nil)
    // Each array has the next one twice: as many values as no machine has room for.
    let doubling = (0..<60).map { [0xA2, UInt8($0 + 1), UInt8($0 + 1)] } + [[0xA0]]
    #expect(failure(list(doubling)) == .tooLarge)
  }

  /// An array of `count` references to parts, which are `numbers` of one text.
  private func shared(_ text: [UInt8], numbers: Int, references count: Int) -> [UInt8] {
    func big(_ number: Int, _ size: Int) -> [UInt8] {
      (0..<size).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }
    let part = [0x5F, 0x12] + big(text.count, 4) + text
    let parts = (0..<count).flatMap { big(1 + $0 % numbers, 2) }
    let body = Array("bplist00".utf8) + part + [0xAF, 0x12] + big(count, 4) + parts
    let offsets = big(8 + part.count, 4) + (0..<numbers).flatMap { _ in big(8, 4) }
    let trailer = [0, 0, 0, 0, 0, 0, 4, 2] + big(numbers + 1, 8) + big(0, 8) + big(body.count, 8)
    return body + offsets + trailer
  }

  @Test func partsThatAreOneAreCountedAsOftenAsTheyStand() throws {
    let text = [UInt8](repeating: 0x61, count: 100_000)
    let fits = try PropertyList(binary: shared(text, numbers: 100, references: 100))
    #expect(
      fits == .array(Array(repeating: .string(String(decoding: text, as: UTF8.self)), count: 100))
    )
    #expect(try PropertyList(binary: shared(text, numbers: 1, references: 100)) == fits)
    // Many numbers of one place, many references to one number, and as much as anybody can send at once.
    #expect(failure(shared(text, numbers: 200, references: 200)) == .tooLarge)
    #expect(failure(shared(text, numbers: 1, references: 200)) == .tooLarge)
    let large = [UInt8](repeating: 0x61, count: 520_000)
    #expect(failure(shared(large, numbers: 60_000, references: 60_000)) == .tooLarge)
    #expect(failure(shared(large, numbers: 1, references: 260_000)) == .tooLarge)
  }

  /// As texts they are equal to a reader, and would all lie in one place of a table.
  @Test func spellingsThatLookAlikeHaveHashesOfTheirOwn() {
    let spellings = (0..<64).map { number in
      String((0..<6).map { number >> $0 & 1 == 0 ? "\u{e9}" : "e\u{301}" }.joined())
    }
    #expect(Set(spellings).count == 1)
    let values = spellings.map { PropertyList.string($0) }
    #expect(Set(values).count == 64 && Set(values.map(\.hashValue)).count > 60)
  }

  @Test func anArrayInItselfIsRefused() {
    #expect(failure(list([[0xA1, 0]])) == .tooDeep)
    #expect(failure(list([[0xD1, 1, 0], [0x51, 0x61]])) == .tooDeep)
    #expect(failure(list([[0xA1, 1], [0xA1, 0]])) == .tooDeep)
  }

  @Test func datesThatAreNoMomentAreRefused() {
    for seconds in [Double.nan, .infinity, -.infinity] {
      #expect(throws: PropertyListError.dateOutOfRange) {
        try PropertyList.date(seconds).binary()
      }
    }
    #expect(failure(list([[0x33, 0x7F, 0xF0, 0, 0, 0, 0, 0, 0]])) == .dateOutOfRange)
  }

  // MARK: What others write

  @Test func realsOf32BitsAndIntegersOf16BytesAreRead() throws {
    #expect(try PropertyList(binary: list([[0x22, 0x3F, 0xC0, 0, 0]])) == .real(1.5))
    let small: [UInt8] = [0x14] + [UInt8](repeating: 0, count: 15) + [9]
    #expect(try PropertyList(binary: list([small])) == .integer(9))
    let minusOne: [UInt8] = [0x14] + [UInt8](repeating: 255, count: 16)
    #expect(try PropertyList(binary: list([minusOne])) == .integer(-1))
    let large: [UInt8] =
      [0x14] + [UInt8](repeating: 0, count: 8) + [UInt8](repeating: 255, count: 8)
    #expect(failure(list([large])) == .integerTooLarge)
  }

  @Test func theWholeNeedNotBeTheFirstPart() throws {
    let bytes = list([[0x51, 0x61], [0xA1, 0]], top: 1)
    #expect(try PropertyList(binary: bytes) == .array([.string("a")]))
  }

  // MARK: Damage

  @Test(
    arguments: [
      ([0x00], PropertyListError.unsupported(kind: 0x00)), ([0x0F], .unsupported(kind: 0x0F)),
      ([0x80, 1], .unsupported(kind: 0x80)), ([0xC1, 0], .unsupported(kind: 0xC1)),
      ([0x51, 0x80], .invalidText), ([0x61, 0xD8, 0x00], .invalidText),
      ([0x15], .damaged(at: 8)), ([0x20], .damaged(at: 8)), ([0x30, 0, 0, 0, 0], .damaged(at: 8)),
      ([0x52, 0x61], .damaged(at: 9)), ([0x13, 0], .damaged(at: 9)), ([0xA1], .damaged(at: 9)),
      ([0x5F, 0x51], .damaged(at: 9)),
      ([0x4F, 0x13, 255, 255, 255, 255, 255, 255, 255, 255], .damaged(at: 9)),
      ([0x4F, 0x13, 127, 255, 255, 255, 255, 255, 255, 255], .damaged(at: 9)),
      ([0xA1, 1], .damaged(at: 9)),
    ] as [([UInt8], PropertyListError)]
  )
  func aPartThatIsWrongIsRefused(_ part: [UInt8], _ error: PropertyListError) {
    #expect(failure(list([part])) == error)
  }

  @Test func keysHaveToBeTextsAndDifferent() {
    #expect(failure(list([[0xD1, 1, 1], [0x10, 1]])) == .keyIsNoString)
    #expect(failure(list([[0xD2, 1, 1, 1, 1], [0x51, 0x61]])) == .duplicateKey("a"))
    #expect(
      failure(list([[0xD2, 1, 2, 1, 1], [0x51, 0x61], [0x51, 0x61]])) == .duplicateKey("a")
    )
  }

  @Test func aTrailerThatContradictsTheBytesIsRefused() {
    let parts: [[UInt8]] = [[0x09]]
    #expect(failure(list(parts, top: 1)) == .damaged(at: 26))
    #expect(failure(list(parts, count: 2)) == .damaged(at: 34))
    #expect(failure(list(parts, count: 0)) == .damaged(at: 26))
    #expect(failure(list(parts, sizes: (0, 1))) == .damaged(at: 16))
    #expect(failure(list(parts, sizes: (1, 9))) == .damaged(at: 16))
    #expect(failure(list(parts, table: 8)) == .damaged(at: 34))
    #expect(failure(list(parts, table: 200)) == .damaged(at: 34))
    var enormous = list(parts)
    enormous.replaceSubrange(
      (enormous.count - 24)..<(enormous.count - 16),
      with: repeatElement(255, count: 8)
    )
    #expect(failure(enormous) == .damaged(at: 18))
  }

  @Test func everyCutAndEveryByteChangedIsReadOrRefusedAndNeverTraps() throws {
    let value = PropertyList.dictionary([
      "text": .string("äöü"), "numbers": .array([.integer(-1), .real(.nan), .date(-1e10)]),
      "data": .data([UInt8](repeating: 1, count: 20)),
    ])
    let bytes = try value.binary()
    for end in bytes.indices { #expect(failure(Array(bytes[..<end])) != nil, "cut at \(end)") }
    for place in bytes.indices {
      for byte: UInt8 in [0, 1, 0x7F, 0x80, 0xFF, bytes[place] ^ 1, bytes[place] ^ 0x10] {
        var changed = bytes
        changed[place] = byte
        guard let read = try? PropertyList(binary: changed) else { continue }
        #expect(try PropertyList(binary: read.binary()) == read, "byte \(place) is \(byte)")
      }
    }
  }

  @Test func bytesThatAreSomethingElseAreNotBinary() {
    let xml = Array("<?xml version=\"1.0\"?><plist><true/></plist>".utf8)
    #expect(failure(xml) == .notBinary)
    #expect(failure([]) == .notBinary)
    #expect(failure(Array("bplist00".utf8)) == .notBinary)
    #expect(failure(Array("bplist01".utf8) + list([[0x09]]).dropFirst(8)) == .notBinary)
  }
}
