public import LocalAuthCore

/// What merges overruled, kept on this device for a person to look at.
public struct ConflictShelf: Hashable, Sendable {
  /// How long it is kept: 30 days.
  public static let keptFor: Int64 = 30 * 24 * 3_600_000
  /// The most that is kept; the oldest goes first.
  public static let countMax = 10_000

  /// A version that lost.
  public struct Entry: Hashable, Sendable {
    /// The record.
    public let name: RecordName
    /// What lost.
    public let version: RecordVersion
    /// When it did, by this device's clock.
    public let since: WallInstant
    /// Its place on the shelf, which it keeps when others go.
    let number: UInt64
  }

  /// What is kept, the oldest first.
  public private(set) var entries: [Entry] = []

  /// A shelf with nothing on it.
  public init() {}

  /// The shelf with these, in their order; nil if there are too many, or two say the same.
  init?(_ entries: [Entry]) {
    let contents = Set(entries.map { Content($0) })
    guard entries.count <= Self.countMax, contents.count == entries.count else { return nil }
    self.entries = entries
  }

  private struct Content: Hashable {
    let name: RecordName
    let digest: SyncDigest
    let isTombstone: Bool

    init(_ entry: Entry) {
      name = entry.name
      digest = entry.version.content
      isTombstone = entry.version.isTombstone
    }
  }

  /// Keeps what lost.
  public mutating func keep(_ version: RecordVersion, of name: RecordName, at now: WallInstant) {
    guard !entries.contains(where: { $0.name == name && $0.version.hasContent(of: version) })
    else { return }
    let number = (entries.last?.number ?? 0) + 1
    entries.append(Entry(name: name, version: version, since: now, number: number))
    if entries.count > Self.countMax { entries.removeFirst() }
  }

  /// Drops what is old, and returns it, so that its content is wiped.
  ///
  /// A clock that was set back keeps what it has.
  public mutating func expire(at now: WallInstant) -> [Entry] {
    func isOld(_ entry: Entry) -> Bool { now.isLater(than: entry.since, by: Self.keptFor - 1) }
    let expired = entries.filter(isOld)
    entries.removeAll(where: isOld)
    return expired
  }

  /// Drops the oldest, and returns it, so that its content is wiped; nil if there is none.
  public mutating func removeOldest() -> Entry? {
    entries.isEmpty ? nil : entries.removeFirst()
  }

  /// Takes one off, because a person chose it or threw it away; nil if it is not there.
  public mutating func take(_ name: RecordName, content: SyncDigest) -> RecordVersion? {
    guard
      let index = entries.firstIndex(where: { $0.name == name && $0.version.content == content })
    else { return nil }
    return entries.remove(at: index).version
  }
}
