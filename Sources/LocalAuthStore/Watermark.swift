import LocalAuthCore

/// The sequence and the counts that two files beside the database hold.
///
/// They ensure that no damage to the database, or to one of the files, lowers a count.
struct Watermark: Hashable, Sendable {
  /// The number of guarded commits so far.
  var sequence: UInt64 = 0
  /// The sequence at which a device with its counts was last removed or erased.
  var removedAt: UInt64 = 0
  /// Counts of wrong passwords by the hash of the count's name; zeros are omitted.
  var counts: [UInt64: UInt32] = [:]
  /// The upper bound of the counts for which a record had no room; see ``countsMax``.
  var rest: UInt32 = 0
  /// Whether counts are known; version 0.1.0 wrote only the sequence.
  var hasCounts = true

  /// The largest number of counts in a record.
  static let countsMax = 36
  private static let magic = Array("LAmark02".utf8)
  private static let plainMagic = Array("LAmirror".utf8)
  private static let tagSize = 32
  private static let bodySize = mirroredSequenceSize - tagSize

  /// Decodes `record`; nil if it is malformed or fails authentication.
  init?(_ record: [UInt8], _ tagger: any RecordTagger) {
    if record.count == plainSequenceSize {
      self.init(plain: record, tagger)
      return
    }
    guard record.count == mirroredSequenceSize, record.starts(with: Self.magic),
      tagger.verify(Array(record[Self.bodySize...]), over: Array(record[..<Self.bodySize]))
    else { return nil }
    var reader = ByteReader(Array(record[Self.magic.count..<Self.bodySize]))
    guard let sequence = reader.number(UInt64.self), let removedAt = reader.number(UInt64.self),
      let rest = reader.number(UInt32.self), let count = reader.number(UInt16.self),
      count <= Self.countsMax
    else { return nil }
    self.init(sequence: sequence, removedAt: removedAt, rest: rest)
    for _ in 0..<count {
      guard let name = reader.number(UInt64.self), let height = reader.number(UInt32.self) else {
        return nil
      }
      counts[name] = height
    }
  }

  private init?(plain record: [UInt8], _ tagger: any RecordTagger) {
    let body = Self.plainMagic.count + 8
    guard record.starts(with: Self.plainMagic),
      tagger.verify(
        Array(record[body..<(body + Self.tagSize)]),
        over: Array(record[..<body])
      ), record[(body + Self.tagSize)...].allSatisfy({ $0 == 0 })
    else { return nil }
    var reader = ByteReader(Array(record[Self.plainMagic.count..<body]))
    sequence = reader.number() ?? 0
    hasCounts = false
  }

  /// Creates a watermark at `sequence`, by default without counts.
  init(
    sequence: UInt64 = 0,
    removedAt: UInt64 = 0,
    counts: [UInt64: UInt32] = [:],
    rest: UInt32 = 0
  ) {
    self.sequence = sequence
    self.removedAt = removedAt
    self.counts = counts
    self.rest = rest
  }

  /// Encodes the watermark in ``mirroredSequenceSize`` bytes: the highest counts, and a bound on
  /// the rest.
  func record(_ tagger: any RecordTagger) -> [UInt8] {
    let sorted = counts.sorted { $0.value != $1.value ? $0.value > $1.value : $0.key < $1.key }
    let rest = max(rest, sorted.dropFirst(Self.countsMax).first?.value ?? 0)
    var writer = ByteWriter()
    writer.put(sequence)
    writer.put(removedAt)
    writer.put(rest)
    writer.put(UInt16(min(sorted.count, Self.countsMax)))
    for (name, height) in sorted.prefix(Self.countsMax) {
      writer.put(name)
      writer.put(height)
    }
    var record = Self.magic + writer.bytes
    record += [UInt8](repeating: 0, count: Self.bodySize - record.count)
    return record + tagger.tag(over: record)
  }

  // MARK: Counts of devices

  /// The counts of `device`; ``rest`` stands for a count that has no entry.
  func heights(of device: DeviceIdentity, _ tagger: any RecordTagger) -> CountHeights {
    guard !counts.isEmpty || rest > 0 else { return CountHeights() }
    let heights = CountName.allCases.map { counts[$0.hash(of: device, tagger)] ?? rest }
    return CountHeights(
      passcode: heights[0],
      others: heights[1],
      keybag: heights[2],
      items: heights[3]
    )
  }

  /// Stores the counts of `device`.
  mutating func put(
    _ heights: CountHeights,
    of device: DeviceIdentity,
    _ tagger: any RecordTagger
  ) {
    guard !counts.isEmpty || heights != CountHeights() else { return }
    let values = [heights.passcode, heights.others, heights.keybag, heights.items]
    for (name, height) in zip(CountName.allCases, values) {
      counts[name.hash(of: device, tagger)] = height == 0 ? nil : height
    }
  }

  /// The names of the counts, in the order of ``CountHeights``.
  private enum CountName: String, CaseIterable {
    case passcode, others, keybag, items

    func hash(of device: DeviceIdentity, _ tagger: any RecordTagger) -> UInt64 {
      var writer = ByteWriter()
      writer.put("count")
      writer.put(device.owner)
      writer.put(device.name)
      writer.put(rawValue)
      var reader = ByteReader(tagger.tag(over: writer.bytes))
      return reader.number() ?? 0
    }
  }
}
