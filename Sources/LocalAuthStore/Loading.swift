import LocalAuthCore

/// The content read from the database, and how far it can be trusted.
struct Loaded {
  /// The state to report as ``Store/state``.
  var state = StoredState()
  /// The ledger to continue with; trust and sequence are as judged, not as stored.
  var ledger = Ledger()
  /// The verdict on ledger and mirror.
  var verdict: LedgerVerdict
  /// Whether a device lost its trust and that is not durable yet.
  var hasNewDistrust = false
  /// Records with raised counts, to be stored together with the distrust.
  var raised: [DeviceRecord] = []
  /// The later watermark of the files beside the database; nil if neither file is authentic.
  private let watermark: Watermark?
  /// Devices whose keybag fails authentication.
  private var unsound: Set<DeviceIdentity> = []

  private struct StoredLedger {
    var sequence: UInt64
    var mayHaveLostDevices: Bool
    var tag: [UInt8]
  }

  private struct StoredDevice {
    var identity: DeviceIdentity
    var sequence: UInt64
    var isTrusted: Bool
    var record: [UInt8]
    var tag: [UInt8]

    func isGenuine(under tagger: any RecordTagger) -> Bool {
      let message = Ledger.message(.device, of: identity, sequence: sequence, record)
      return tagger.verify(tag, over: message)
    }
  }

  private struct StoredKeybagRow {
    var keybag: StoredKeybag
    var sequence: UInt64
    var tag: [UInt8]

    func isGenuine(under tagger: any RecordTagger) -> Bool {
      let message = Ledger.message(.keybag, of: keybag.device, sequence: sequence, keybag.sealed)
      return tagger.verify(tag, over: message)
    }
  }

  /// Reads all devices and keybags of `database` and judges them.
  init(
    from database: borrowing Database,
    tagger: any RecordTagger,
    mirror: MirroredSequence,
    copy: MirroredSequence,
    raising: CountRaising
  ) throws(StorageError) {
    let stored = try Self.readLedger(database)
    let devices = try Self.readDevices(database)
    ledger = Ledger(
      sequence: stored?.sequence ?? 0,
      mayHaveLostDevices: stored?.mayHaveLostDevices ?? true
    )
    for device in devices {
      ledger.put(
        Ledger.Entry(identity: device.identity, tag: device.tag, isTrusted: device.isTrusted)
      )
    }
    let keybags = try Self.readKeybags(database)
    for row in keybags {
      ledger.putKeybag(Ledger.Part(identity: row.keybag.device, tag: row.tag))
    }
    let watermarks = try Self.readWatermarks(database)
    for (device, row) in watermarks {
      ledger.putWatermarks(Ledger.Part(identity: device, tag: row.tag))
    }
    let message = ledger.message
    let isGenuine = stored.map { tagger.verify($0.tag, over: message) } ?? false
    let sequence = isGenuine ? ledger.sequence : nil
    watermark = Self.latest(mirror, copy)
    isCopied =
      sequence != nil && copy.watermark?.sequence == sequence && mirror.watermark?.hasCounts == true
    verdict = LedgerVerdict(ledger: sequence, mirror: mirror, copy: copy)
    if verdict == .tampered {
      hasNewDistrust = true
      ledger.distrustAll()
      ledger.sequence = max(sequence ?? 0, watermark?.sequence ?? 0)
    }
    ledger.watermark = Watermark(
      removedAt: watermark?.removedAt ?? sequence ?? 0,
      counts: watermark?.counts ?? [:],
      rest: verdict == .tampered ? watermark?.rest ?? 0 : 0
    )
    let isCurrent = (watermark?.sequence ?? 0) &+ 1 >= sequence ?? 0
    let evidence = Evidence(
      watermark: watermark.flatMap { isCurrent && $0.hasCounts ? $0 : nil },
      sequence: ledger.sequence,
      tagger: tagger
    )
    for row in keybags { add(row, isGenuine: row.isGenuine(under: tagger)) }
    for (device, row) in watermarks { add(row, of: device, tagger) }
    let made = Dictionary(
      keybags.map { ($0.keybag.device, $0.sequence) },
      uniquingKeysWith: { first, _ in first }
    )
    for device in devices {
      let isGenuine = device.isGenuine(under: tagger)
      add(device, isGenuine: isGenuine, evidence, keybagMadeAt: made[device.identity], raising)
    }
    for record in state.devices {
      ledger.watermark.put(record.heights, of: record.identity, tagger)
    }
    state.mayHaveLostDevices = ledger.mayHaveLostDevices
    state.warning = warning
  }

  /// Whether the copy holds the ledger's sequence and the mirror holds counts.
  private(set) var isCopied = false

  /// What is known about the counts of devices without a row.
  func doubtOfTheLost(
    _ tagger: any RecordTagger
  ) -> @Sendable (DeviceIdentity) -> CountDoubt {
    guard state.mayHaveLostDevices else { return { _ in .atLeast(CountHeights()) } }
    guard let watermark, watermark.hasCounts else { return { _ in .unknown } }
    return { .atLeast(watermark.heights(of: $0, tagger)) }
  }

  /// The later watermark of the two; the copy's if the mirror holds no counts.
  private static func latest(_ mirror: MirroredSequence, _ copy: MirroredSequence) -> Watermark? {
    guard let first = mirror.watermark else { return copy.watermark }
    guard let second = copy.watermark, second.sequence > first.sequence || !first.hasCounts else {
      return first
    }
    return second
  }

  private var warning: String? {
    guard hasNewDistrust else { return nil }
    if state.devices.isEmpty, watermark != nil {
      return "the database is gone or empty: what it held is lost, and wrong passcodes stay counted"
    }
    return "the state was changed from outside, or an older one was put back: every device that "
      + "is concerned needs its passcode, and wrong passcodes are counted as high as they can have been"
  }

  /// The evidence about counts outside the rows.
  private struct Evidence {
    /// The counts in the files beside the database; nil if there are none or they are out of date.
    let watermark: Watermark?
    let sequence: UInt64
    let tagger: any RecordTagger

    /// The lower bounds to assume for the counts of a device whose row or keybag is from
    /// `rowSequence`.
    func doubt(
      of device: DeviceIdentity,
      _ row: CountHeights,
      from rowSequence: UInt64
    ) -> CountDoubt {
      guard let watermark else { return .unknown }
      var heights = watermark.heights(of: device, tagger)
      if rowSequence <= watermark.removedAt {
        // An erasure may have cleared counts made since. Each guess takes a commit, so the number
        // of commits since is their upper bound.
        let passed = UInt32(clamping: sequence - min(rowSequence, sequence))
        heights.passcode = max(heights.passcode, passed)
        heights.others = max(heights.others, passed)
      }
      return .atLeast(heights.highest(row))
    }
  }

  /// Adds a keybag, authentic or not: it is sealed, and it may be all that a passcode can still
  /// open.
  private mutating func add(_ row: StoredKeybagRow, isGenuine: Bool) {
    if isGenuine {
      ledger.sequence = max(ledger.sequence, row.sequence)
    } else {
      if ledger[row.keybag.device]?.isTrusted == true { hasNewDistrust = true }
      ledger.distrust(row.keybag.device)
      unsound.insert(row.keybag.device)
    }
    state.keybags.append(row.keybag)
  }

  /// Adds watermarks; those that were changed make their device distrusted.
  private mutating func add(
    _ row: WatermarkRow,
    of device: DeviceIdentity,
    _ tagger: any RecordTagger
  ) {
    guard row.isGenuine(of: device, under: tagger) else {
      if ledger[device]?.isTrusted == true { hasNewDistrust = true }
      return ledger.distrust(device)
    }
    ledger.sequence = max(ledger.sequence, row.sequence)
    state.watermarks[device] = row.places
  }

  private mutating func add(
    _ device: StoredDevice,
    isGenuine: Bool,
    _ evidence: Evidence,
    keybagMadeAt: UInt64?,
    _ raising: CountRaising
  ) {
    let decoded = DeviceCoding.decode(device.record, identity: device.identity)
    let isBelieved = isGenuine && decoded != nil
    let entry = Ledger.Entry(
      identity: device.identity,
      tag: device.tag,
      isTrusted: isBelieved && ledger[device.identity]?.isTrusted == true
    )
    if device.isTrusted, !entry.isTrusted { hasNewDistrust = true }
    // A genuine row that the ledger no longer covers still shows how far the sequence had advanced.
    if isGenuine { ledger.sequence = max(ledger.sequence, device.sequence) }
    ledger.put(entry)
    guard !entry.isTrusted else {
      if let decoded { state.devices.append(decoded) }
      return
    }
    state.distrusted.append(device.identity)
    var record: DeviceRecord
    if isBelieved, let decoded {
      record = decoded
      record.attempts.freshness = Freshness()
      record.grants = Grants()
    } else {
      record = Self.salvaged(device.identity, from: decoded)
    }
    if verdict == .tampered || !isBelieved || unsound.contains(device.identity) {
      let from = min(keybagMadeAt ?? .max, isBelieved ? device.sequence : .max)
      raising(&record, evidence.doubt(of: device.identity, record.heights, from: from))
      raised.append(record)
    }
    state.devices.append(record)
  }

  /// What is kept of a record that cannot be trusted: a device that can do nothing.
  ///
  /// Its counts are kept, since dropping them could only help a thief; the caller raises them
  /// afterwards. The keybag authenticates a passcode of the device's own; nothing authenticates the
  /// name of a PAM service, so it is dropped.
  static func salvaged(_ identity: DeviceIdentity, from decoded: DeviceRecord?) -> DeviceRecord {
    let isSimulated =
      decoded?.isSimulated == true || identity.name != DeviceIdentity.defaultName
    var record = DeviceRecord(identity: identity, isSimulated: isSimulated)
    if identity.name == DeviceIdentity.defaultName {
      record.passcodeDelays = DeviceRecord.accountPasscodeDelays
    }
    guard let decoded else { return record }
    record.attempts.lockout = decoded.attempts.lockout
    record.attempts.throttle = decoded.attempts.throttle
    record.others = decoded.others
    if decoded.passcode == .device { record.passcode = .device }
    return record
  }

  private static func readLedger(
    _ database: borrowing Database
  ) throws(StorageError) -> StoredLedger? {
    var stored: StoredLedger?
    let query = try database.prepare("SELECT sequence, trusted, tag FROM device WHERE owner = -1")
    try query.eachRow { row in
      stored = StoredLedger(
        sequence: UInt64(bitPattern: row.integer(0)),
        mayHaveLostDevices: row.integer(1) == 0,
        tag: row.blob(2)
      )
    }
    return stored
  }

  private static func readKeybags(
    _ database: borrowing Database
  ) throws(StorageError) -> [StoredKeybagRow] {
    var rows: [StoredKeybagRow] = []
    let query = try database.prepare(
      "SELECT owner, name, sequence, sealed, tag FROM keybag ORDER BY owner, name"
    )
    try query.eachRow { (row) throws(StorageError) in
      rows.append(
        StoredKeybagRow(
          keybag: StoredKeybag(device: try identity(row), sealed: row.blob(3)),
          sequence: UInt64(bitPattern: row.integer(2)),
          tag: row.blob(4)
        )
      )
    }
    return rows
  }

  private static func readWatermarks(
    _ database: borrowing Database
  ) throws(StorageError) -> [(device: DeviceIdentity, row: WatermarkRow)] {
    var rows: [(device: DeviceIdentity, row: WatermarkRow)] = []
    let query = try database.prepare(
      "SELECT owner, name, sequence, places, tag FROM watermark ORDER BY owner, name"
    )
    try query.eachRow { (row) throws(StorageError) in
      let watermark = WatermarkRow(
        sequence: UInt64(bitPattern: row.integer(2)),
        places: row.blob(3),
        tag: row.blob(4)
      )
      rows.append((try identity(row), watermark))
    }
    return rows
  }

  /// The device that the first two columns name.
  private static func identity(_ row: borrowing Row) throws(StorageError) -> DeviceIdentity {
    let name = row.text(1)
    guard let owner = UInt32(exactly: row.integer(0)), DeviceIdentity.isValid(name: name) else {
      throw .corrupt("a device has no valid name")
    }
    return DeviceIdentity(owner: owner, name: name)
  }

  private static func readDevices(
    _ database: borrowing Database
  ) throws(StorageError) -> [StoredDevice] {
    var devices: [StoredDevice] = []
    let query = try database.prepare(
      """
      SELECT owner, name, sequence, trusted, record, tag FROM device
      WHERE owner >= 0 ORDER BY owner, name
      """
    )
    try query.eachRow { (row) throws(StorageError) in
      devices.append(
        StoredDevice(
          identity: try identity(row),
          sequence: UInt64(bitPattern: row.integer(2)),
          isTrusted: row.integer(3) != 0,
          record: row.blob(4),
          tag: row.blob(5)
        )
      )
    }
    return devices
  }
}
