/// Where a zone ends at the hub, by the hub's word alone: it is shown, and nothing is decided by it.
public enum OfferedEnd: Hashable, Sendable {
  /// The hub says that there are entries up to this one, and has not shown all of them yet.
  case ahead(UInt64)
  /// The hub showed all that it says there is.
  case reached

  /// The end at `number`, with a chain that was verified up to `head`.
  public init(_ number: UInt64, from head: UInt64) {
    self = number > head ? .ahead(number) : .reached
  }

  /// The end behind a page of the zone.
  public init(behind page: ZonePage) {
    self = page.isLast ? .reached : .ahead(page.head.number)
  }
}

/// How much of a zone has come, while the rest of it comes.
public struct ZoneProgress: Hashable, Sendable {
  /// Records that a member's checkpoint names, whose bodies come one page after another.
  public struct Records: Hashable, Sendable {
    /// How many came.
    public let count: Int
    /// How many there are.
    public let all: Int
  }

  /// How many entries were verified.
  public let entries: UInt64
  /// How many there are.
  public let allEntries: UInt64
  /// Whether nobody but the hub says so: no member signed it.
  public let isHubsWord: Bool
  /// The records before the checkpoint, until all of them came; nil without one.
  public let records: Records?

  /// How much of `replica` has come; nil while nothing is on its way, and of a zone whose hub is not believed.
  ///
  /// What members signed comes before what the hub says. A hub that says too much ends nothing and begins nothing: once it
  /// shows no more, nothing is on its way.
  ///
  /// - Parameters:
  ///   - replica: The zone.
  ///   - end: Where the hub says that it ends; nil if it was not asked since the start.
  public init?(of replica: ZoneReplica, to end: OfferedEnd?) {
    let head = replica.chain.head.number
    let signed = replica.chain.claimedNumber
    let missing = replica.inbox.waiting.values.count { $0 == .checkpoint }
    let offered =
      switch end {
      case .ahead(let number): number
      case .reached: head
      case nil: signed
      }
    guard replica.alarm == nil, missing > 0 || offered > head else { return nil }
    entries = head
    allEntries = max(head, signed > head ? signed : offered)
    isHubsWord = signed <= head && offered > head
    let all = replica.chain.manifest.lines.count
    records = missing > 0 ? Records(count: all - missing, all: all) : nil
  }
}

/// The bytes of documents that came from other devices, and those that are known to be missing.
public struct DocumentArrival: Hashable, Sendable {
  /// How many came.
  public private(set) var bytes: UInt64 = 0
  /// How many are missing of each document whose chunks have not all come.
  private var missing: [DocumentKey: UInt64] = [:]

  /// Nothing came, and nothing is missing.
  public init() {}

  /// How many there are with those that are missing; nil if none is known to be.
  public var all: UInt64? { missing.isEmpty ? nil : missing.values.reduce(bytes, +) }

  /// Takes in what came, and what is missing of documents that were looked at because of it.
  public mutating func hear(_ came: UInt64, missing: [DocumentKey: UInt64]) {
    bytes += came
    for (key, count) in missing { self.missing[key] = count > 0 ? count : nil }
  }
}

extension StoredDocument {
  /// How many bytes of what programs see are not here.
  public var missingBytes: UInt64 {
    guard let content else { return 0 }
    var seen: Set<SyncDigest> = []
    return content.chunks.indices.reduce(0) { sum, index in
      let chunk = content.chunks[index]
      guard chunks[chunk] == nil, seen.insert(chunk).inserted else { return sum }
      let begin = UInt64(index) * UInt64(DocumentChunk.size)
      return sum + min(UInt64(DocumentChunk.size), content.size - begin)
    }
  }
}
