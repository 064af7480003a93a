import LocalAuthCore

/// What vouches for all devices together: the sequence, and which rows there are.
///
/// The ledger's tag covers every row's own tag and every keybag's, so that none can be taken away, added,
/// renamed or replaced by an older one, not even by one of the same sequence.
struct Ledger {
  /// A keybag as the ledger knows it.
  struct Keybag {
    /// Whose keybag.
    let identity: DeviceIdentity
    /// The keybag's own tag.
    var tag: [UInt8]
  }

  /// A row as the ledger knows it.
  struct Entry {
    /// Whose row.
    let identity: DeviceIdentity
    /// The row's own tag.
    var tag: [UInt8]
    /// Whether the device's fingers may count before the passcode.
    var isTrusted: Bool
  }

  /// Guarded commits so far.
  var sequence: UInt64
  /// Whether rows may be missing.
  var mayHaveLostDevices: Bool
  /// What the files beside the database keep of the counts; the tag does not cover it, they have their own.
  var watermark = Watermark()
  /// The rows, in the order of owner and name.
  private(set) var entries: [Entry] = []
  /// The keybags in the same order, also of devices whose row was lost.
  private(set) var keybags: [Keybag] = []

  /// A ledger without rows.
  init(sequence: UInt64 = 0, mayHaveLostDevices: Bool = false) {
    self.sequence = sequence
    self.mayHaveLostDevices = mayHaveLostDevices
  }

  /// The entry of `identity`.
  subscript(identity: DeviceIdentity) -> Entry? {
    let index = position(of: identity)
    return isEntry(identity, at: index) ? entries[index] : nil
  }

  /// Adds the entry, or replaces that of the same identity.
  mutating func put(_ entry: Entry) {
    let index = position(of: entry.identity)
    if isEntry(entry.identity, at: index) {
      entries[index] = entry
    } else {
      entries.insert(entry, at: index)
    }
  }

  /// Drops the entry of `identity`; true when there was one.
  mutating func remove(_ identity: DeviceIdentity) -> Bool {
    let index = position(of: identity)
    guard isEntry(identity, at: index) else { return false }
    entries.remove(at: index)
    return true
  }

  /// Adds the keybag, or replaces that of the same device.
  mutating func put(_ keybag: Keybag) {
    removeKeybag(of: keybag.identity)
    let index =
      keybags.firstIndex { Self.precedes(keybag.identity, $0.identity) } ?? keybags.endIndex
    keybags.insert(keybag, at: index)
  }

  /// Drops the keybag of `identity`, if there is one.
  mutating func removeKeybag(of identity: DeviceIdentity) {
    keybags.removeAll { $0.identity == identity }
  }

  /// Trusts the device no more.
  mutating func distrust(_ identity: DeviceIdentity) {
    let index = position(of: identity)
    if isEntry(identity, at: index) { entries[index].isTrusted = false }
  }

  /// Trusts no device any more, nor that these are all.
  mutating func distrustAll() {
    mayHaveLostDevices = true
    for index in entries.indices { entries[index].isTrusted = false }
  }

  /// Whether a device may be trusted once `record` is stored.
  ///
  /// Distrusted records are handed out without a passcode stamp, so one that comes back with a stamp
  /// was proven since.
  func trusts(_ record: DeviceRecord) -> Bool {
    if record.attempts.freshness.passcode != nil { return true }
    if let entry = self[record.identity] { return entry.isTrusted }
    return !(mayHaveLostDevices && record.identity.name == DeviceIdentity.defaultName)
  }

  /// What the ledger's tag covers.
  var message: [UInt8] {
    var writer = ByteWriter()
    writer.put("ledger")
    writer.put(sequence)
    writer.put(mayHaveLostDevices)
    for entry in entries {
      writer.put(entry.identity.owner)
      writer.put(entry.identity.name)
      writer.put(entry.isTrusted)
      writer.put(entry.tag)
    }
    // Without keybags it is what format 1 wrote. No entry looks like this heading: read as one, the
    // count of its name would be longer than any name.
    if !keybags.isEmpty { writer.put("keybags") }
    for keybag in keybags {
      writer.put(keybag.identity.owner)
      writer.put(keybag.identity.name)
      writer.put(keybag.tag)
    }
    return writer.bytes
  }

  /// What a keybag's tag covers.
  static func message(
    of identity: DeviceIdentity,
    sequence: UInt64,
    keybag: [UInt8]
  ) -> [UInt8] {
    var writer = ByteWriter()
    writer.put("keybag")
    writer.put(identity.owner)
    writer.put(identity.name)
    writer.put(sequence)
    writer.put(keybag)
    return writer.bytes
  }

  /// What a row's tag covers.
  static func message(
    of identity: DeviceIdentity,
    sequence: UInt64,
    record: [UInt8]
  ) -> [UInt8] {
    var writer = ByteWriter()
    writer.put("device")
    writer.put(identity.owner)
    writer.put(identity.name)
    writer.put(sequence)
    writer.put(record)
    return writer.bytes
  }

  /// The first index whose entry does not come before `identity`.
  private func position(of identity: DeviceIdentity) -> Int {
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if Self.precedes(entries[middle].identity, identity) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low
  }

  private func isEntry(_ identity: DeviceIdentity, at index: Int) -> Bool {
    index < entries.count && entries[index].identity == identity
  }

  /// SQLite's order of the primary key: bytes, not Unicode.
  private static func precedes(_ left: DeviceIdentity, _ right: DeviceIdentity) -> Bool {
    left.owner != right.owner
      ? left.owner < right.owner
      : left.name.utf8.lexicographicallyPrecedes(right.name.utf8)
  }
}
