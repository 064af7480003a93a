import LocalAuthSecret
import Testing

@testable import LocalAuthFileFormat

/// A file that somebody changed opens nowhere, or says that it was not sealed.
@Suite struct TamperedFileTests {
  private let content = SampleFile.content(10_000)

  private func outcome(_ bytes: [UInt8]) -> Result<[UInt8], ProtectedFileError> {
    do throws(ProtectedFileError) {
      return .success(try SampleFile.open(MemoryStorage(bytes), isSealedOnly: true).all())
    } catch { return .failure(error) }
  }

  @Test func noFlippedBitIsRead() throws {
    let sealed = try SampleFile.file(content)
    // Of the chunks every 7th byte, of the headers each.
    for place in Array(0..<4096) + Array(stride(from: 4096, to: sealed.bytes.count, by: 7)) {
      var bytes = sealed.bytes
      bytes[place] ^= 1 << (place % 8)
      switch outcome(bytes) {
      case .success(let read):
        // The other slot says the same.
        #expect(read == content && place < 4096, "byte \(place)")
      case .failure(let error):
        #expect(
          [.damaged, .notSealed, .notProtected].contains(error) || place % 2048 == 4
        )
      }
    }
  }

  /// The service has no key for a name that was changed.
  @Test func oneWholeHeaderIsEnough() throws {
    let sealed = try SampleFile.file(content)
    let genuine = try #require(try FileHeader(unverified: Array(sealed.bytes[..<2048]), at: 0))
    for slot in [0, 2048] {
      for place in 0..<2048 where place != 4 {
        let storage = MemoryStorage(sealed.bytes)
        storage.bytes[slot + place] ^= 0x11
        let opened = try EncryptedFile(opening: storage, for: .read, isSealedOnly: true) {
          (header) throws(ProtectedFileError) in
          guard header.hasKey(of: genuine) else { throw .wrongKey }
          return Secret(copying: SampleFile.key)
        }
        #expect(try opened.all() == content, "byte \(place) of the slot at \(slot)")
      }
    }
  }

  @Test func aKeyThatIsNotThereIsAskedForOnce() throws {
    let sealed = try SampleFile.file(content)
    var asked = 0
    #expect(throws: ProtectedFileError.wrongKey) {
      try EncryptedFile(opening: MemoryStorage(sealed.bytes), for: .read) {
        (_) throws(ProtectedFileError) -> Secret in
        asked += 1
        throw .wrongKey
      }
    }
    #expect(asked == 1)
  }

  @Test func headersAreVerifiedByteForByte() throws {
    let sealed = try SampleFile.file(content)
    for place in 0..<2048 {
      var bytes = sealed.bytes
      for slot in [0, 2048] { bytes[slot + place] ^= 0x10 }
      if case .success = outcome(bytes) {
        Issue.record("byte \(place) of the header is not verified")
      }
    }
  }

  /// Each chunk is genuine, but from another time of the file.
  @Test(arguments: [FileLayout.stream, .pages])
  func withoutItsNewestHeaderAClosedFileIsNoMixture(_ layout: FileLayout) throws {
    let storage = MemoryStorage()
    let file = try SampleFile.create(storage, layout: layout)
    try file.write(content, at: 0)
    try file.close()
    let early = storage.bytes
    let writer = try SampleFile.open(storage, for: .write)
    try writer.write(SampleFile.content(10_000, 1), at: 0)
    try writer.close()
    for slot in [0, 2048] {
      var bytes = storage.bytes
      bytes.replaceSubrange(slot..<slot + 2048, with: [UInt8](repeating: 0, count: 2048))
      #expect(try SampleFile.open(MemoryStorage(bytes)).wasSealed)
      let place = Self.whole + SampleFile.contentStart
      bytes.replaceSubrange(place..<place + Self.whole, with: early[place..<place + Self.whole])
      #expect(throws: ProtectedFileError.damaged) {
        try SampleFile.open(MemoryStorage(bytes)).all()
      }
    }
  }

  @Test func everyCutIsSeen() throws {
    let sealed = try SampleFile.file(content)
    for count in 0..<sealed.bytes.count where count % 5 == 0 || count > sealed.bytes.count - 64 {
      guard case .failure = outcome(Array(sealed.bytes.prefix(count))) else {
        Issue.record("\(count) bytes of the file open")
        continue
      }
    }
    for more in [1, 28, 29, 4124] {
      guard case .failure = outcome(sealed.bytes + [UInt8](repeating: 0, count: more)) else {
        Issue.record("\(more) bytes more open")
        continue
      }
    }
  }

  /// Its tags alone would take all memory.
  @Test(arguments: [15 << 40, Int.max])
  func fileThatWasMadeVastIsSeenWithoutReadingIt(_ size: Int) throws {
    let sealed = try SampleFile.file(content)
    let vast = VastStorage(sealed, size: size)
    #expect(throws: ProtectedFileError.damaged) { try SampleFile.open(vast) }
    #expect(vast.reads < 10)
  }

  /// No more is read than the file can have as its header counts it; the end of the last chunk is not to be found.
  @Test func fileThatIsNotSealedAndWasMadeVastHasItsWholeChunks() throws {
    let vast = VastStorage(MemoryStorage(try unsealed()), size: 15 << 40)
    let read = try SampleFile.open(vast).all()
    #expect(content.starts(with: read) && read.count > content.count - Self.whole)
    #expect(vast.reads < 200_000)
  }

  @Test func numbersThatNobodyCountedToAreNoHeader() throws {
    let file = try SampleFile.file(content)
    let genuine = try #require(try FileHeader(unverified: Array(file.bytes[..<2048]), at: 0))
    guard let keys = FileKeys(Secret(copying: SampleFile.key), .stream) else {
      Issue.record("there are no keys")
      return
    }
    func reads(_ change: (inout FileHeader) -> Void) throws -> Bool {
      var header = genuine
      change(&header)
      return try FileHeader(unverified: header.slot(keys), at: header.position) != nil
    }
    for number: UInt64 in [1 << 62, 1 << 63, .max] {
      #expect(try !reads { $0.number = number })
      #expect(try !reads { $0.seals = number })
      #expect(try !reads { $0.length = number })
      #expect(try !reads { $0.journal = number })
    }
    #expect(try reads { ($0.number, $0.seals, $0.length) = (1 << 61, 1 << 31, 1 << 61) })
  }

  @Test func chunksKeepTheirPlace() throws {
    let sealed = try SampleFile.file(content).bytes
    let whole = 4096 + 28
    let (first, second) = (sealed[4096..<4096 + whole], sealed[(4096 + whole)..<(4096 + 2 * whole)])
    let last = sealed[(4096 + 2 * whole)...]
    let header = sealed[..<4096]
    let orders: [[ArraySlice<UInt8>]] = [
      [second, first, last], [first, first, last], [first, last], [first, second, second, last],
      [first, second],
    ]
    for chunks in orders {
      #expect(outcome(Array(header + chunks.joined())) == .failure(.damaged))
    }
  }

  @Test func chunkOfAnEarlierVersionIsSeen() throws {
    let storage = try SampleFile.file(content)
    let old = storage.bytes
    let file = try SampleFile.open(storage, for: .write)
    try file.write([1, 2, 3], at: 5000)
    try file.close()
    var mixed = storage.bytes
    mixed.replaceSubrange(8220..<12_344, with: old[8220..<12_344])
    #expect(outcome(mixed) == .failure(.damaged))
    var oldHeader = storage.bytes
    oldHeader.replaceSubrange(0..<4096, with: old[0..<4096])
    #expect(outcome(oldHeader) == .failure(.damaged))
  }

  @Test func headerOfOneFileOpensNoOther() throws {
    let (one, other) = (try SampleFile.file(content), try SampleFile.file(content, identifier: 2))
    #expect(outcome(Array(one.bytes[..<4096] + other.bytes[4096...])) == .failure(.damaged))
  }

  @Test func anotherKeyOpensNothing() throws {
    let sealed = try SampleFile.file(content)
    #expect(throws: ProtectedFileError.damaged) {
      try SampleFile.open(sealed, key: Array(repeating: 8, count: 32))
    }
  }

  @Test func chunkThatIsChangedWhileTheFileIsOpenIsSeen() throws {
    let sealed = try SampleFile.file(content)
    let file = try SampleFile.open(sealed)
    sealed.bytes[4200] ^= 1
    #expect(throws: ProtectedFileError.damaged) { try file.read(4096, at: 0) }
    #expect(try file.read(10, at: 5000) == Array(content[5000..<5010]))
  }

  @Test func endThatIsDamagedIsSeenAtOpening() throws {
    let sealed = try SampleFile.file(content)
    sealed.bytes[sealed.bytes.count - FileFormat.tagSize - 1] ^= 1
    #expect(throws: ProtectedFileError.damaged) { try SampleFile.open(sealed) }
  }

  @Test func chunkOfAnEarlierTimeIsSeenInAnOpenFile() throws {
    let storage = try SampleFile.file(content)
    let place = SampleFile.contentStart..<(SampleFile.contentStart + Self.whole)
    let old = storage.bytes[place]
    let file = try SampleFile.open(storage, for: .write)
    try file.write([1, 2, 3], at: 0)
    try file.synchronize()
    _ = try file.read(1, at: 5000)
    storage.bytes.replaceSubrange(place, with: old)
    #expect(throws: ProtectedFileError.damaged) { try file.read(4096, at: 0) }
  }

  /// AES-GCM opens before it knows whether what it opens is genuine.
  @Test func nothingOfADamagedChunkIsInTheBuffer() throws {
    let storage = try SampleFile.file(content)
    let file = try SampleFile.open(storage)
    storage.bytes[SampleFile.contentStart + FileFormat.nonceSize + 4000] ^= 1
    var buffer = [UInt8](repeating: 0xEE, count: 4096)
    #expect(throws: ProtectedFileError.damaged) {
      // SAFETY: the array is this call's alone.
      try unsafe buffer.withUnsafeMutableBytes { unsafe try file.read($0, at: 0) }
    }
    #expect(buffer.allSatisfy { $0 == 0 || $0 == 0xEE })
  }

  // MARK: Files that are not sealed, for which no digest speaks

  private static let whole = SampleFile.chunkSize + FileFormat.overhead

  /// The bytes of a file that a program left while it wrote.
  private func unsealed(identifier: UInt8 = 1) throws -> [UInt8] {
    let storage = MemoryStorage()
    let file = try SampleFile.create(storage, identifier: identifier)
    try file.write(content, at: 0)
    try file.synchronizeContent()
    return storage.bytes
  }

  private func chunk(_ index: Int, of bytes: [UInt8]) -> ArraySlice<UInt8> {
    bytes[(SampleFile.contentStart + index * Self.whole)...].prefix(Self.whole)
  }

  @Test func chunksOfAnUnsealedFileKeepTheirPlace() throws {
    let bytes = try unsealed()
    let header = bytes[..<SampleFile.contentStart]
    let mixed = Array(header + chunk(1, of: bytes) + chunk(0, of: bytes) + chunk(2, of: bytes))
    let file = try SampleFile.open(MemoryStorage(mixed))
    #expect(throws: ProtectedFileError.damaged) { try file.read(4096, at: 0) }
    #expect(throws: ProtectedFileError.damaged) { try file.read(4096, at: 4096) }
  }

  @Test func chunkOfAnotherUnsealedFileIsSeen() throws {
    var bytes = try unsealed()
    let start = SampleFile.contentStart
    bytes.replaceSubrange(
      start..<start + Self.whole,
      with: try chunk(0, of: unsealed(identifier: 2))
    )
    let file = try SampleFile.open(MemoryStorage(bytes))
    #expect(throws: ProtectedFileError.damaged) { try file.read(4096, at: 0) }
    #expect(try file.read(4096, at: 4096) == Array(content[4096..<8192]))
  }
}
