import LocalAuthCore

/// What was read from the database, and how far it can be believed.
struct Loaded {
  /// What the store's owner is told.
  var state = StoredState()
  /// The ledger to go on with; trust and sequence as judged, not as stored.
  var ledger = Ledger()
  /// How ledger and mirror agree.
  var verdict: LedgerVerdict
  /// Whether a device lost its trust, which is still to be made durable.
  var hasNewDistrust = false

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

    func isGenuine(under authenticator: any RecordAuthenticating) -> Bool {
      let message = Ledger.message(of: identity, sequence: sequence, record: record)
      return authenticator.verify(tag, over: message)
    }
  }

  private struct StoredKeybagRow {
    var keybag: StoredKeybag
    var sequence: UInt64
    var tag: [UInt8]

    func isGenuine(under authenticator: any RecordAuthenticating) -> Bool {
      let message = Ledger.message(
        of: keybag.device,
        sequence: sequence,
        keybag: keybag.sealed
      )
      return authenticator.verify(tag, over: message)
    }
  }

  /// Reads all devices and keybags of `database` and judges them.
  init(
    from database: borrowing Database,
    authenticator: any RecordAuthenticating,
    mirror: MirroredSequence
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
    for row in keybags { ledger.put(Ledger.Keybag(identity: row.keybag.device, tag: row.tag)) }
    let message = ledger.message
    let isGenuine = stored.map { authenticator.verify($0.tag, over: message) } ?? false
    verdict = LedgerVerdict(ledger: isGenuine ? ledger.sequence : nil, mirror: mirror)
    if verdict == .tampered {
      hasNewDistrust = true
      ledger.distrustAll()
      ledger.sequence = isGenuine ? ledger.sequence : 0
      if case .at(let mirrored) = mirror { ledger.sequence = max(ledger.sequence, mirrored) }
    }
    for row in keybags { add(row, isGenuine: row.isGenuine(under: authenticator)) }
    for device in devices { add(device, isGenuine: device.isGenuine(under: authenticator)) }
    state.mayHaveLostDevices = ledger.mayHaveLostDevices
  }

  /// A keybag is handed out whatever is thought of it: it is sealed, and it may be all that a passcode
  /// can still open.
  private mutating func add(_ row: StoredKeybagRow, isGenuine: Bool) {
    if isGenuine {
      ledger.sequence = max(ledger.sequence, row.sequence)
    } else {
      ledger.distrust(row.keybag.device)
    }
    state.keybags.append(row.keybag)
  }

  private mutating func add(_ device: StoredDevice, isGenuine: Bool) {
    let decoded = DeviceCoding.decode(device.record, identity: device.identity)
    let isBelieved = isGenuine && decoded != nil
    let entry = Ledger.Entry(
      identity: device.identity,
      tag: device.tag,
      isTrusted: isBelieved && ledger[device.identity]?.isTrusted == true
    )
    if device.isTrusted, !entry.isTrusted { hasNewDistrust = true }
    // A genuine row that the ledger lost sight of still says how far the sequence had come.
    if isGenuine { ledger.sequence = max(ledger.sequence, device.sequence) }
    ledger.put(entry)
    guard !entry.isTrusted else {
      if let decoded { state.devices.append(decoded) }
      return
    }
    state.distrusted.append(device.identity)
    if isBelieved, var record = decoded {
      record.attempts.freshness = Freshness()
      record.grants = Grants()
      state.devices.append(record)
    } else {
      state.devices.append(Self.salvaged(device.identity, from: decoded))
    }
  }

  /// What remains of a record that nobody vouches for: a device that can do nothing.
  ///
  /// Its strikes are kept, since dropping them could only help a thief. A verifier of its own vouches
  /// for itself; the name of a PAM service does not.
  static func salvaged(_ identity: DeviceIdentity, from decoded: DeviceRecord?) -> DeviceRecord {
    let isSimulated =
      decoded?.isSimulated == true || identity.name != DeviceIdentity.defaultName
    var record = DeviceRecord(identity: identity, isSimulated: isSimulated)
    guard let decoded else { return record }
    record.attempts.lockout = decoded.attempts.lockout
    record.attempts.throttle = decoded.attempts.throttle
    if case .device(let verifier) = decoded.passcode {
      record.passcode = .device(verifier: verifier)
    }
    return record
  }

  private static func readLedger(
    _ database: borrowing Database
  ) throws(StorageError) -> StoredLedger? {
    var stored: StoredLedger?
    let query = try database.prepare("SELECT sequence, lost, tag FROM ledger WHERE id = 1")
    try query.eachRow { row in
      stored = StoredLedger(
        sequence: UInt64(bitPattern: row.integer(0)),
        mayHaveLostDevices: row.integer(1) != 0,
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
      "SELECT owner, name, sequence, trusted, record, tag FROM device ORDER BY owner, name"
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
