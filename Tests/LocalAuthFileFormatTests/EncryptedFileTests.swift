import LocalAuthKeychain
import LocalAuthSecret
import LocalAuthTestSupport
import Testing

@testable import LocalAuthFileFormat

@Suite struct EncryptedFileTests {
  @Test(arguments: [0, 1, 4095, 4096, 4097, 8191, 8192, 8193, 100_000])
  func contentOfEveryLengthComesBack(_ count: Int) throws {
    let content = SampleFile.content(count)
    let storage = try SampleFile.file(content)
    let file = try SampleFile.open(storage)
    #expect(file.length == count)
    #expect(file.wasSealed)
    #expect(try file.all() == content)
    let chunks = max(1, (count + 4095) / 4096)
    #expect(storage.bytes.count == 4096 + count + chunks * 28)
    let header = try #require(try EncryptedFile.slots(of: storage).first?.header)
    #expect(header.contentLength(inFileOf: storage.bytes.count) == count)
  }

  @Test func partsAreReadWhereTheyAre() throws {
    let content = SampleFile.content(20_000)
    let file = try SampleFile.open(try SampleFile.file(content))
    for (offset, count) in [(0, 1), (4095, 2), (4096, 4096), (4000, 9000), (19_990, 100)] {
      #expect(try file.read(count, at: offset) == Array(content[offset...].prefix(count)))
    }
    #expect(try file.read(10, at: 20_000) == [])
    #expect(try file.read(10, at: 1 << 40) == [])
  }

  @Test func gapIsZeros() throws {
    let storage = try SampleFile.file([1])
    let file = try SampleFile.open(storage, for: .write)
    try file.write([2], at: 10_000)
    try file.close()
    let content = [1] + [UInt8](repeating: 0, count: 9999) + [2]
    #expect(try SampleFile.open(storage).all() == content)
  }

  @Test func lengthOfTheKeyAndOfWhatIsWrappedIsChecked() {
    let header = FileHeader(.always, identifier: Array(repeating: 0, count: 16), wrappedKey: [])
    #expect(throws: ProtectedFileError.wrongKey) {
      try EncryptedFile(creatingOn: MemoryStorage(), header, key: Secret(copying: [1, 2, 3]))
    }
  }

  @Test func readerChangesNothing() throws {
    let storage = try SampleFile.file([1, 2, 3])
    let before = storage.bytes
    let file = try SampleFile.open(storage)
    #expect(throws: ProtectedFileError.readOnly) { try file.write([9], at: 0) }
    #expect(throws: ProtectedFileError.readOnly) { try file.truncate(to: 0) }
    try file.close()
    #expect(storage.bytes == before)
    #expect(throws: ProtectedFileError.closed) { try file.all() }
  }

  @Test func headerSaysWhichKeyIsWanted() throws {
    let storage = try SampleFile.file([1])
    var asked: [FileHeader] = []
    _ = try EncryptedFile(opening: storage, for: .read) { header in
      asked.append(header)
      return Secret(copying: SampleFile.key)
    }
    #expect(asked.map(\.wrappedKey) == [[1, 2, 3]])
    #expect(asked.map(\.protection) == [.complete])
  }

  @Test func keyThatIsNotThereIsItsOwnError() throws {
    let storage = try SampleFile.file([1])
    #expect(throws: ProtectedFileError.locked) {
      try EncryptedFile(opening: storage, for: .read) {
        (_) throws(ProtectedFileError) in throw .locked
      }
    }
  }

  @Test func whatIsNoProtectedFileIsCalledSo() throws {
    for bytes in [[], Array("LAF1".utf8), [UInt8](repeating: 0, count: 10_000)] {
      #expect(throws: ProtectedFileError.notProtected) {
        try SampleFile.open(MemoryStorage(bytes))
      }
    }
    let short = Array("LAF1\u{1}".utf8)
    #expect(throws: ProtectedFileError.damaged) { try SampleFile.open(MemoryStorage(short)) }
    let newer = try SampleFile.file([1])
    for start in [0, 2048] { newer.bytes[start + 4] = 2 }
    #expect(throws: ProtectedFileError.newer(2)) { try SampleFile.open(newer) }
  }

  @Test func keySealsNoMoreChunksThanItMay() throws {
    let file = try SampleFile.create(MemoryStorage())
    file.seals = FileFormat.sealsMax - 1
    try file.write([1], at: 0)
    try file.writeBack()
    try file.write([2], at: 0)
    #expect(throws: ProtectedFileError.keyIsUsedUp) { try file.writeBack() }
  }

  @Test func eachChunkHasAnotherNonceAfterEachChange() throws {
    let storage = try SampleFile.file(SampleFile.content(5000))
    let before = storage.bytes
    let file = try SampleFile.open(storage, for: .write)
    try file.write([SampleFile.content(1)[0]], at: 0)
    try file.close()
    #expect(storage.bytes[4096..<4108] != before[4096..<4108])
    #expect(storage.bytes[8220...] == before[8220...], "the other chunk stays as it was")
  }

  // MARK: Against a byte array

  /// Writes, cuts, extends, reads, seals and reopens at random; each seed is a run.
  @Test(arguments: 0..<200)
  func randomOperationsDoWhatTheyDoToAByteArray(_ seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let storage = MemoryStorage()
    var model: [UInt8] = []
    var file = try SampleFile.create(storage)
    for step in 0..<60 {
      let offset = Int.random(in: 0...20_000, using: &random)
      switch Int.random(in: 0..<6, using: &random) {
      case 0, 1:
        let bytes = SampleFile.content(Int.random(in: 0...9000, using: &random), step)
        try file.write(bytes, at: offset)
        Self.write(bytes, at: offset, &model)
      case 2:
        try file.truncate(to: offset)
        Self.truncate(&model, to: offset)
      case 3:
        let count = Int.random(in: 0...9000, using: &random)
        #expect(try file.read(count, at: offset) == Array(model.dropFirst(offset).prefix(count)))
      case 4: try file.synchronize()
      default:
        try file.close()
        file = try SampleFile.open(storage, for: .write)
      }
      #expect(file.length == model.count, "seed \(seed), step \(step)")
    }
    #expect(try file.all() == model, "seed \(seed)")
    try file.close()
    #expect(try SampleFile.open(storage, isSealedOnly: true).all() == model, "seed \(seed)")
  }

  static func write(_ bytes: [UInt8], at offset: Int, _ model: inout [UInt8]) {
    truncate(&model, to: max(model.count, offset))
    truncate(&model, to: max(model.count, offset + bytes.count))
    model.replaceSubrange(offset..<offset + bytes.count, with: bytes)
  }

  static func truncate(_ model: inout [UInt8], to count: Int) {
    if count <= model.count {
      model.removeSubrange(count...)
    } else {
      model += [UInt8](repeating: 0, count: count - model.count)
    }
  }
}
