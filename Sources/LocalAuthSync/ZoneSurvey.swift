import LocalAuthCore

/// How far the hub's chain of a zone is what members signed, apart from what a device had verified of it before.
///
/// A removal says up to where the removed device's entries count. A device that does not believe the hub any more
/// cannot sign its own head, which may be a place that nobody else will ever see. So it looks at the whole chain once
/// more, keeps nothing of it, and signs its end. What members say of places counts for nothing here: who is to be
/// removed may be the one who says so.
public struct ZoneSurvey: Hashable, Sendable {
  private var chain: ZoneChain
  /// Whether the hub has nothing behind ``end``.
  public private(set) var isWhole = false

  /// The survey of a zone, before anything of it came.
  public init(of zone: ZoneName, in circle: CircleLog) {
    chain = ZoneChain(zone, circle: circle.circle)
  }

  /// The zone.
  public var zone: ZoneName { chain.zone }

  /// The last entry that members signed, and up to which nothing is missing.
  public var end: ChainPlace { chain.head }

  /// Takes the entries behind ``end``.
  ///
  /// - Parameters:
  ///   - page: What the hub has behind it. Which bodies it keeps back changes nothing that was signed.
  ///   - circle: The circle, which was asked for behind the page if an entry knows more of it.
  ///   - ports: Digests and signatures.
  /// - Returns: whether there is more to ask for.
  public mutating func take(
    _ page: ZonePage,
    in circle: CircleLog,
    _ ports: SyncPorts
  ) -> Bool {
    guard follow(page.entries, to: page.head, in: circle, ports) else {
      // What nobody may have signed ends it, and not what comes before that in the page.
      for entry in page.entries {
        guard follow([entry], to: entry.place(ports.hash), in: circle, ports) else { break }
      }
      return false
    }
    isWhole = chain.head == page.head
    return !isWhole && !page.entries.isEmpty
  }

  private mutating func follow(
    _ entries: [ZoneEntry],
    to head: ChainPlace,
    in circle: CircleLog,
    _ ports: SyncPorts
  ) -> Bool {
    var bodies: [RecordName: SyncDigest] = [:]
    for entry in entries {
      for change in entry.changes { bodies[change.name] = change.body }
    }
    do throws(HubAlarm) {
      _ = try chain.admit(entries, bodies: bodies, head: head, in: circle, ports)
    } catch { return false }
    return true
  }
}

extension SyncedZones {
  /// The zones whose hub is not believed, each of which a removal takes a survey of.
  public var doubted: [ZoneName] {
    replicas.filter { $0.value.alarm != nil }.map(\.key).sorted()
  }

  /// Whether the hub of a zone lost entries that this device had verified, which no member can bring about.
  public var haveLostEntries: Bool {
    replicas.values.contains { replica in
      if case .hubRolledBack = replica.alarm { true } else { false }
    }
  }

  /// How far a removed device's entries count in each zone: up to where it was verified, or surveyed.
  ///
  /// - Parameter surveys: Those of the zones whose hub is not believed.
  /// - Returns: a place for each zone that has entries.
  public func cuts(_ surveys: [ZoneName: ZoneSurvey]) -> [ZoneHead] {
    replicas.map { zone, replica in ZoneHead(zone, surveys[zone]?.end ?? replica.chain.head) }
      .filter { $0.place.number > 0 }.sorted { $0.zone < $1.zone }
  }
}
