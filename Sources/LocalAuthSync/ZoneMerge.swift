public import LocalAuthCore

/// The time that more than one of the others vouches for.
///
/// It is the second latest of what the hub and the devices say, so that one clock that is ahead, or a hub that
/// lies, moves nothing alone. It never goes back.
public struct TimeHorizon: Hashable, Sendable {
  /// Who says what time it is.
  public enum Source: Hashable, Sendable {
    /// The hub.
    case hub
    /// A device, by its heartbeat.
    case peer(PeerIdentifier)
  }

  /// How far ahead of the others a clock may be.
  public static let aheadMax: Int64 = 24 * 3_600_000

  /// The latest time that two vouch for; the only one's while there is one.
  public private(set) var latest: WallInstant
  private(set) var heard: [Source: WallInstant]

  /// The horizon of one who heard of `time` from `source` alone.
  public init(_ time: WallInstant, from source: Source = .hub) {
    latest = time
    heard = [source: time]
  }

  /// The horizon with these parts.
  init(latest: WallInstant, heard: [Source: WallInstant]) {
    self.latest = latest
    self.heard = heard
  }

  /// Takes notice of a time.
  public mutating func hear(_ time: WallInstant, from source: Source) {
    if let last = heard[source], last >= time { return }
    heard[source] = time
    let times = heard.values.sorted(by: >)
    // A second voice is never believed less than it was alone.
    latest = max(latest, times.count > 1 ? times[1] : times[0])
  }

  /// Listens no more to who was removed: who joins again would otherwise have two voices.
  public mutating func forget(_ source: Source) { heard[source] = nil }

  /// Whether no clock of the others can have made this time.
  public func isAhead(_ time: WallInstant) -> Bool {
    time.isLater(than: latest, by: Self.aheadMax)
  }
}

extension WallInstant {
  /// Whether it comes more than `milliseconds` after `other`, of any two times that somebody signed.
  func isLater(than other: WallInstant, by milliseconds: Int64) -> Bool {
    let (difference, overflow) = self.milliseconds.subtractingReportingOverflow(other.milliseconds)
    return overflow ? self > other : difference > milliseconds
  }
}

/// What became of two versions of a record.
public struct MergedVersion: Hashable, Sendable {
  /// Whose content won.
  public enum Origin: Hashable, Sendable {
    case local
    case remote
  }

  /// The version that stands.
  public let winner: RecordVersion
  /// Whose content it has.
  public let origin: Origin
  /// What was overruled and is kept for a person to look at; nil if nothing was lost.
  public let loser: RecordVersion?
  /// Whether the hub must be told.
  public let mustPush: Bool
  /// Whether a clock that was too far ahead decided against one of them.
  public let isClockDistrusted: Bool
}

/// Makes one version of two.
///
/// | how they are related              | which stands                                                          |
/// |-----------------------------------|-----------------------------------------------------------------------|
/// | one descends from the other       | the descendant, whatever the clocks say                               |
/// | concurrent, one was written in knowledge of the other's content | that one: what it knew it replaced |
/// | concurrent, one clock is a day ahead of all others | the other one                                        |
/// | concurrent                        | the later change; of equal times the smaller digest; tombstones the same |
/// | same changes, other content       | as concurrent: two resolvers disagreed, which takes a hub that lies    |
///
/// The result knows what both knew, and keeps the winner's time.
public enum ZoneMerge {
  /// Merges what a device has with what the hub has.
  ///
  /// - Parameters:
  ///   - local: The device's version.
  ///   - remote: The hub's.
  ///   - horizon: The time that others vouch for.
  ///   - dot: The next change of this device's. The result has it where otherwise two contents would
  ///     have the same vector.
  /// - Returns: what stands.
  public static func merge(
    _ local: RecordVersion,
    with remote: RecordVersion,
    _ horizon: TimeHorizon,
    resolving dot: VersionVector.Dot
  ) -> MergedVersion {
    switch local.vector.relation(to: remote.vector) {
    case .descends: kept(local, .local)
    case .precedes: kept(remote, .remote)
    case .equal where local.hasContent(of: remote): kept(remote, .remote)
    case .equal: resolved(local, remote, horizon, dot)
    case .concurrent: resolved(local, remote, horizon, nil)
    }
  }

  private static func kept(
    _ version: RecordVersion,
    _ origin: MergedVersion.Origin
  ) -> MergedVersion {
    MergedVersion(
      winner: version,
      origin: origin,
      loser: nil,
      mustPush: origin == .local,
      isClockDistrusted: false
    )
  }

  private static func resolved(
    _ local: RecordVersion,
    _ remote: RecordVersion,
    _ horizon: TimeHorizon,
    _ dot: VersionVector.Dot?
  ) -> MergedVersion {
    let isLocal = wins(local, over: remote, horizon)
    var winner = isLocal ? local : remote
    let loser = isLocal ? remote : local
    winner.vector.join(loser.vector)
    if let dot, isLocal { winner.vector.add(dot) }
    return MergedVersion(
      winner: winner,
      origin: isLocal ? .local : .remote,
      loser: loser.isTombstone || loser.hasContent(of: winner) ? nil : loser,
      mustPush: winner.vector != remote.vector,
      isClockDistrusted: horizon.isAhead(local.modified) != horizon.isAhead(remote.modified)
    )
  }

  /// Whether the first of two concurrent versions stands.
  static func wins(
    _ one: RecordVersion,
    over other: RecordVersion,
    _ horizon: TimeHorizon
  ) -> Bool {
    let knows = one.knows(contentOf: other)
    // A merge joins vectors, so an older content can come back with changes that the newer one does not know.
    if knows != other.knows(contentOf: one) { return knows }
    let isAhead = horizon.isAhead(one.modified)
    if isAhead != horizon.isAhead(other.modified) { return !isAhead }
    if one.modified != other.modified { return one.modified > other.modified }
    if one.content != other.content { return one.content < other.content }
    return one.isTombstone && !other.isTombstone
  }
}
