import LocalAuthCore

/// What vouches for all devices together: the sequence, and which rows there are.
///
/// The ledger's tag covers every row's own tag, so that no row can be taken away, added, renamed or
/// replaced by an older one, not even by one of the same sequence.
struct Ledger {
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
  /// The rows, in the order of owner and name.
  private(set) var entries: [Entry] = []

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
    if record.freshness.passcode != nil { return true }
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
