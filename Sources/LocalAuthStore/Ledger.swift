import LocalAuthCore

/// Authenticates all devices together: the sequence, and which rows exist.
///
/// The ledger's tag covers the tag of every row and every keybag, so that none can be removed,
/// added, renamed or replaced by an older one, even of the same sequence.
struct Ledger {
  /// Something of a device that has a row and a tag of its own, as the ledger knows it.
  struct Part {
    /// The device.
    let identity: DeviceIdentity
    /// The row's own tag.
    var tag: [UInt8]
  }

  /// A row as the ledger knows it.
  struct Entry {
    /// The device of the row.
    let identity: DeviceIdentity
    /// The row's own tag.
    var tag: [UInt8]
    /// Whether fingers count on the device before its passcode is proven.
    var isTrusted: Bool
  }

  /// The number of guarded commits so far.
  var sequence: UInt64
  /// Whether rows may be missing.
  var mayHaveLostDevices: Bool
  /// The counts kept in the files beside the database; their own tags cover them, the ledger's does
  /// not.
  var watermark = Watermark()
  /// The rows, ordered by owner and name.
  private(set) var entries: [Entry] = []
  /// The keybags in the same order, including those whose device row was lost.
  private(set) var keybags: [Part] = []
  /// How far devices verified what others sent, in the same order.
  private(set) var watermarks: [Part] = []

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

  /// Adds the entry, or replaces the one of the same identity.
  mutating func put(_ entry: Entry) {
    let index = position(of: entry.identity)
    if isEntry(entry.identity, at: index) {
      entries[index] = entry
    } else {
      entries.insert(entry, at: index)
    }
  }

  /// Drops the entry of `identity`; returns whether there was one.
  mutating func remove(_ identity: DeviceIdentity) -> Bool {
    let index = position(of: identity)
    guard isEntry(identity, at: index) else { return false }
    entries.remove(at: index)
    return true
  }

  /// Adds a keybag, or replaces the one of the same device.
  mutating func putKeybag(_ part: Part) { Self.put(part, into: &keybags) }

  /// Adds watermarks, or replaces those of the same device.
  mutating func putWatermarks(_ part: Part) { Self.put(part, into: &watermarks) }

  private static func put(_ part: Part, into parts: inout [Part]) {
    parts.removeAll { $0.identity == part.identity }
    let index = parts.firstIndex { precedes(part.identity, $0.identity) } ?? parts.endIndex
    parts.insert(part, at: index)
  }

  /// Drops the watermarks of `identity`, if there are any.
  mutating func removeWatermarks(of identity: DeviceIdentity) {
    watermarks.removeAll { $0.identity == identity }
  }

  /// Drops the keybag of `identity`, if there is one.
  mutating func removeKeybag(of identity: DeviceIdentity) {
    keybags.removeAll { $0.identity == identity }
  }

  /// Marks the device as distrusted.
  mutating func distrust(_ identity: DeviceIdentity) {
    let index = position(of: identity)
    if isEntry(identity, at: index) { entries[index].isTrusted = false }
  }

  /// Distrusts all devices, and records that others may have been lost.
  mutating func distrustAll() {
    mayHaveLostDevices = true
    for index in entries.indices { entries[index].isTrusted = false }
  }

  /// Whether a device may be trusted once `record` is stored.
  ///
  /// Distrusted records are loaded without a passcode stamp, so a stamp in `record` shows that the
  /// passcode was proven or set since.
  func trusts(_ record: DeviceRecord) -> Bool {
    if record.attempts.freshness.passcode != nil { return true }
    if let entry = self[record.identity] { return entry.isTrusted }
    return !(mayHaveLostDevices && record.identity.name == DeviceIdentity.defaultName)
  }

  /// The bytes that the ledger's tag covers.
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
    // Without keybags this is the message of format 1. The heading cannot be mistaken for an entry:
    // read as one, it would give its name a length beyond any limit.
    Self.put(keybags, as: "keybags", into: &writer)
    Self.put(watermarks, as: "watermarks", into: &writer)
    return writer.bytes
  }

  private static func put(
    _ parts: [Part],
    as heading: StaticString,
    into writer: inout ByteWriter
  ) {
    guard !parts.isEmpty else { return }
    writer.put(heading.description)
    for part in parts {
      writer.put(part.identity.owner)
      writer.put(part.identity.name)
      writer.put(part.tag)
    }
  }

  /// What a row keeps of a device; its tag covers which, so that none stands in for another.
  enum Tagged: String {
    case device
    case keybag
    case watermark
  }

  /// The bytes that a row's tag covers.
  static func message(
    _ part: Tagged,
    of identity: DeviceIdentity,
    sequence: UInt64,
    _ bytes: [UInt8]
  ) -> [UInt8] {
    var writer = ByteWriter()
    writer.put(part.rawValue)
    writer.put(identity.owner)
    writer.put(identity.name)
    writer.put(sequence)
    writer.put(bytes)
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

  /// Orders identities as SQLite orders the primary key: by bytes, not by Unicode.
  private static func precedes(_ left: DeviceIdentity, _ right: DeviceIdentity) -> Bool {
    left.owner != right.owner
      ? left.owner < right.owner
      : left.name.utf8.lexicographicallyPrecedes(right.name.utf8)
  }
}
