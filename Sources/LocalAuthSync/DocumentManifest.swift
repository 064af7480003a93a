import LocalAuthCore

/// What a document is: its current version, and those that are in conflict with it.
///
/// A version is in conflict from the merge that overruled it until a person removes it, on any device. Removing and
/// replacing count only for what was known: a version that somebody made meanwhile stays.
///
/// | a version that one of two has | what the other knows | then                              |
/// |-------------------------------|----------------------|-----------------------------------|
/// | and the other too             |                      | it stays                          |
/// | and the other has not         | not its change       | it stays                          |
/// | and the other has not         | its change           | it was replaced or removed: it goes |
public struct DocumentManifest: Hashable, Sendable {
  /// The most versions in conflict.
  public static let othersMax = 100
  /// The most chunks of all versions together, so that a manifest fits into a body.
  public static let chunksMax = 24_576

  /// The document.
  public let name: DocumentName
  /// The version that programs see.
  public private(set) var current: DocumentVersion
  /// The versions in conflict, in the order of their changes.
  public private(set) var others: [DocumentVersion]

  /// A document without conflicts.
  public init(_ name: DocumentName, _ current: DocumentVersion) {
    self.name = name
    self.current = current
    others = []
  }

  /// The document with these versions; nil if there are too many, two are of one change, or the current one is
  /// resolved.
  init?(_ name: DocumentName, _ current: DocumentVersion, others: [DocumentVersion]) {
    self.name = name
    self.current = current
    self.others = others.sorted { $0.made < $1.made }
    let changes = Set(versions.map(\.made))
    guard !current.isResolved, others.count <= Self.othersMax, changes.count == versions.count,
      versions.reduce(0, { $0 + $1.content.chunks.count }) <= Self.chunksMax
    else { return nil }
  }

  /// All versions, the current one first.
  public var versions: [DocumentVersion] { [current] + others }

  /// All chunks that it needs.
  public var chunks: Set<SyncDigest> {
    versions.reduce(into: []) { $0.formUnion($1.content.chunks) }
  }

  /// Whether a version waits for a person's decision.
  public var hasConflict: Bool { others.contains { !$0.isResolved } }

  // MARK: What people do

  /// A new content; conflicts stay.
  ///
  /// - Parameter version: The version, whose change is the next of this device.
  /// - Returns: false for the change of a version that is there, and for one with that there would be too many chunks.
  public mutating func write(_ version: DocumentVersion) -> Bool {
    guard let next = DocumentManifest(name, version, others: others) else { return false }
    self = next
    return true
  }

  /// A new content that somebody wrote instead of some versions only.
  ///
  /// If another is the current one by now, the later of both is, and the other one is in conflict. One of a clock that
  /// is a day ahead of all others is not the later one.
  ///
  /// - Parameters:
  ///   - version: The version, whose change is the next of this device.
  ///   - replaced: The changes of the versions that it replaces.
  ///   - horizon: The time that others vouch for.
  /// - Returns: the document; the oldest versions in conflict are left out where there would be too many.
  public func written(
    _ version: DocumentVersion,
    instead replaced: Set<VersionVector.Dot>,
    _ horizon: TimeHorizon
  ) -> Self {
    let left = versions.filter { !replaced.contains($0.made) }
    let isReplaced =
      replaced.contains(current.made) || current.content.hasBytes(of: version.content)
    let isLater = version.time(horizon) >= current.time(horizon)
    let stands = isReplaced || isLater ? version : current
    return DocumentManifest(name, stands, limiting: left + [version])
  }

  /// What is left when somebody removed some versions only; nil for nothing.
  ///
  /// - Parameters:
  ///   - removed: The changes of the versions.
  ///   - horizon: The time that others vouch for, which decides what stands as in ``written(_:instead:_:)``.
  /// - Returns: the document.
  public func removing(_ removed: Set<VersionVector.Dot>, _ horizon: TimeHorizon) -> Self? {
    let left = versions.filter { !removed.contains($0.made) }
    let latest = left.max { ($0.time(horizon), $0.made) < ($1.time(horizon), $1.made) }
    guard let stands = left.first(where: { $0.made == current.made }) ?? latest else { return nil }
    return DocumentManifest(name, stands, limiting: left)
  }

  /// Makes a version in conflict the current one, which takes its place.
  ///
  /// - Returns: false if there is no such version.
  public mutating func choose(_ made: VersionVector.Dot) -> Bool {
    guard let index = others.firstIndex(where: { $0.made == made }) else { return false }
    (current, others[index]) = (others[index], current)
    current.isResolved = false
    others.sort { $0.made < $1.made }
    return true
  }

  /// Notes that a person settled the conflict with a version, which stays.
  ///
  /// - Returns: false if there is no such version.
  public mutating func resolve(_ made: VersionVector.Dot) -> Bool {
    guard let index = others.firstIndex(where: { $0.made == made }) else { return false }
    others[index].isResolved = true
    return true
  }

  /// Removes a version in conflict.
  ///
  /// - Returns: false if there is no such version.
  public mutating func remove(_ made: VersionVector.Dot) -> Bool {
    guard let index = others.firstIndex(where: { $0.made == made }) else { return false }
    others.remove(at: index)
    return true
  }

  // MARK: Merging

  /// The manifest that stands after a merge decided which of two records wins.
  ///
  /// Whoever merged writes it as a change of its own in the same commit, if it is another than the winner's. What is
  /// beyond the limits stays on the shelf of the device that merged, the oldest first.
  ///
  /// - Parameters:
  ///   - mine: What the winner's record knew before the merge.
  ///   - loser: The manifest of the other record.
  ///   - theirs: What that record knew.
  /// - Returns: the manifest.
  public func merged(
    knowing mine: VersionVector,
    over loser: DocumentManifest,
    knowing theirs: VersionVector
  ) -> DocumentManifest {
    let kept = versions.compactMap { version -> DocumentVersion? in
      guard let there = loser.versions.first(where: { $0.made == version.made }) else {
        return theirs.knows(version.made) ? nil : version
      }
      var kept = version
      kept.isResolved = version.isResolved || there.isResolved
      return kept
    }
    let news = loser.versions.filter { !mine.knows($0.made) }
    let all = kept + news.filter { new in !kept.contains { $0.made == new.made } }
    // The winner's content may be one that the loser replaced, in knowledge of it; if each removed what the other
    // left, the winner's stays all the same.
    let latest = all.max { ($0.content.date, $0.made) < ($1.content.date, $1.made) }
    let stands = [current, loser.current].first { one in all.contains { $0.made == one.made } }
    return DocumentManifest(name, stands ?? latest ?? current, limiting: all)
  }

  /// The document with as many of the others as there may be, the latest first.
  private init(_ name: DocumentName, _ current: DocumentVersion, limiting all: [DocumentVersion]) {
    self.init(name, current)
    self.current.isResolved = false
    var room = Self.chunksMax - current.content.chunks.count
    for version in all.sorted(by: { ($0.content.date, $0.made) > ($1.content.date, $1.made) })
    where version.made != current.made && !version.content.hasBytes(of: current.content)
      && others.count < Self.othersMax && version.content.chunks.count <= room
    {
      others.append(version)
      room -= version.content.chunks.count
    }
    others.sort { $0.made < $1.made }
  }
}

extension DocumentVersion {
  /// When it was written, where a clock that others do not vouch for has the earliest time there is.
  fileprivate func time(_ horizon: TimeHorizon) -> WallInstant {
    horizon.isAhead(content.date) ? WallInstant(milliseconds: .min) : content.date
  }
}

extension VersionVector.Dot: Comparable {
  /// Orders changes by their peer, and those of one by their count.
  public static func < (left: Self, right: Self) -> Bool {
    (left.peer, left.count) < (right.peer, right.count)
  }
}
