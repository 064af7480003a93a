import LocalAuthPropertyList
import LocalAuthSync

/// What one program knows of a store: the service's values as it heard them, and its own writes on the way.
///
/// To a program the service is what a hub is to a device: until its values were read, the program's writes are
/// pending, and where the service has the key, the service wins. So a program that begins while the device is
/// closed does not write its defaults over what there is.
struct KeyValueMemory: Sendable {
  typealias Zone = KeyValueZone

  private var zone = Zone(hasAccount: true)
  /// What is being written, until the service has answered.
  private var inFlight: Set<KeyValueKey> = []
  /// How often the service's store was changed, as far as is known.
  private(set) var revision: Int64?

  /// Whether the service's values were read.
  var isLoaded: Bool { zone.phase == .ready }
  /// Whether something is to be written.
  var hasUnsent: Bool { !zone.outgoing.isEmpty }
  /// The values as the program reads them.
  var values: [KeyValueKey: Zone.Value] { zone.values }

  // MARK: The program

  mutating func set(_ key: KeyValueKey, to list: [UInt8]?) throws(KeyValueRefusal) {
    try zone.set(key, to: list.map { Zone.Value($0, size: $0.count) })
  }

  /// Takes what is to be written, removals first, so that their room is there for the rest.
  mutating func takeUnsent() -> [(key: String, value: [UInt8]?)] {
    let taken = zone.takeOutgoing()
    inFlight = Set(taken.keys)
    let removed = taken.filter { $0.value == nil }.map { (key: $0.key.text, value: [UInt8]?.none) }
    return removed + taken.compactMap { key, value in value.map { (key.text, $0.content) } }
  }

  /// The service did not take what was being written: it is to be written again.
  mutating func writingFailed() {
    zone.putBack(inFlight)
    inFlight = []
  }

  /// The service took what was being written.
  mutating func written(at revision: Int64) {
    // Another number: somebody else has written too, and the values are to be read.
    if let known = self.revision, (known...(known + 1)).contains(revision) {
      self.revision = revision
    } else {
      self.revision = nil
    }
    inFlight = []
  }

  // MARK: The service

  /// The service's values, all or those of some keys that a change with this number is about; returns what the program
  /// is to be told.
  mutating func read(
    _ values: [(key: String, value: [UInt8])],
    of keys: [String]?,
    at revision: Int64
  ) -> [KeyValueNotice] {
    let read = Dictionary(
      values.map { (KeyValueKey($0.key), Zone.Value($0.value, size: $0.value.count)) },
      uniquingKeysWith: { $1 }
    )
    guard isLoaded else {
      self.revision = revision
      return told(zone.downloaded(read))
    }
    if keys == nil || revision == self.revision.map({ $0 + 1 }) { self.revision = revision }
    let asked =
      keys.map { Set($0.map { KeyValueKey($0) }) } ?? Set(zone.values.keys).union(read.keys)
    // The program's own writes come later than what was read.
    let settled = asked.subtracting(zone.outgoing).subtracting(inFlight)
    var changes: [KeyValueKey: Zone.Value?] = [:]
    for key in settled { changes.updateValue(read[key], forKey: key) }
    return told(zone.changed(changes))
  }

  /// Whether a store is over its quota is the service's to say, which has not taken the program's own writes yet.
  private func told(_ downloaded: Zone.Downloaded) -> [KeyValueNotice] {
    downloaded.notices.filter { $0.reason != .quota }
  }
}
