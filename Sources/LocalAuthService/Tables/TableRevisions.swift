import LocalAuthCore
import LocalAuthKeychain

/// How far somebody knows the rows of a device's tables.
public struct TableToken: Hashable, Sendable {
  /// Whose numbers they are: those of another keychain, or of one before it was erased, say nothing here.
  let generation: UInt64
  /// The number of the last change that is known.
  let revision: UInt64

  init(generation: UInt64, revision: UInt64) {
    self.generation = generation
    self.revision = revision
  }

  /// Reads what ``text`` writes; nil for anything else.
  public init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, let generation = UInt64(parts[0], radix: 16),
      let revision = UInt64(parts[1])
    else { return nil }
    self.init(generation: generation, revision: revision)
  }

  /// Its text, which means nothing to programs.
  public var text: String { "\(String(generation, radix: 16))-\(revision)" }
}

/// The numbers of the changes of rows on one device.
///
/// A row's item has the number of its last change in its identifier, behind the identifiers of all other items. So items in
/// their order are rows in the order of their changes, and what changed since some number is what comes after it.
struct TableRevisions {
  /// What such an identifier begins with.
  private static let mark = ItemIdentifierSource.reserved
  /// The greatest number.
  static let revisionMax: UInt64 = 1 << 48 - 1

  /// What all identifiers of this keychain have in common.
  let generation: UInt64
  /// The number of the last change, which may not be durable yet.
  private(set) var last: UInt64
  /// The number of the last change that is there to be read.
  private var lastCommitted: UInt64

  /// How far the device's rows are known by who knows all of them.
  var token: TableToken { TableToken(generation: generation, revision: lastCommitted) }

  /// Whether a reader's rows are some of these.
  func knows(_ token: TableToken) -> Bool {
    token.generation == generation && token.revision <= last
  }

  /// What was numbered is durable.
  mutating func commit() { lastCommitted = last }

  /// Numbers a change.
  mutating func next() -> ItemIdentifier {
    last += 1
    return ItemIdentifier(high: Self.mark | last, low: generation)
  }

  /// The number in an item's identifier; nil for that of no row.
  static func revision(of item: ItemIdentifier) -> UInt64? {
    item.high & mark == mark ? item.high & ~mark : nil
  }

  /// What the rows that changed after a number come behind.
  static func cursor(behind revision: UInt64) -> ItemIdentifier {
    ItemIdentifier(high: mark | revision, low: .max)
  }

  /// Begins to count, for a device that loses all rows that it had.
  init(_ random: inout some RandomNumberGenerator) {
    generation = random.next()
    (last, lastCommitted) = (0, 0)
  }

  /// Finds the last number of a device, or begins to count.
  init(
    of device: DeviceIdentity,
    _ items: any ItemReading,
    _ random: inout some RandomNumberGenerator
  ) throws(StorageError) {
    let first = try Self.first(of: device, behind: nil, items)
    guard let first else {
      generation = random.next()
      (last, lastCommitted) = (0, 0)
      return
    }
    generation = first.low
    var (known, beyond) = (Self.revision(of: first) ?? 0, Self.revisionMax)
    while known < beyond {
      let middle = known + (beyond - known) / 2
      if let later = try Self.first(of: device, behind: middle, items) {
        known = Self.revision(of: later) ?? middle
      } else {
        beyond = middle
      }
    }
    last = known
    lastCommitted = known
  }

  /// The first row behind a number, or of all.
  private static func first(
    of device: DeviceIdentity,
    behind revision: UInt64?,
    _ items: any ItemReading
  ) throws(StorageError) -> ItemIdentifier? {
    var found: ItemIdentifier?
    let cursor =
      revision.map { Self.cursor(behind: $0) } ?? ItemIdentifier(high: mark - 1, low: .max)
    _ = try items.eachItem(.genericPassword, of: device, after: cursor, limit: 1) {
      found = $0.header.identifier
      return false
    }
    return found
  }
}
