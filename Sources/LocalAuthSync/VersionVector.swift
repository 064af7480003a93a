/// Which changes of which peers a version of a record knows.
public struct VersionVector: Hashable, Sendable {
  /// One change: the peer's own count of its changes in the zone.
  public struct Dot: Hashable, Sendable {
    /// Who made it.
    public let peer: PeerIdentifier
    /// The how manieth change of that peer's in the zone it was, from 1.
    public let count: UInt64

    /// The change number `count` of `peer`.
    public init(_ peer: PeerIdentifier, _ count: UInt64) {
      self.peer = peer
      self.count = count
    }
  }

  /// How two versions are related.
  public enum Relation: Hashable, Sendable {
    /// Both know the same changes.
    case equal
    /// The first knows all that the second does, and more.
    case descends
    /// The second knows all that the first does, and more.
    case precedes
    /// Each knows a change that the other does not.
    case concurrent
  }

  /// The last change of each peer, in the order of the peers.
  public private(set) var dots: [Dot] = []

  /// The vector that knows nothing.
  public init() {}

  /// Reads dots in the order of their peers, each peer once; nil for others, and for a count of 0.
  init?(ordered dots: [Dot]) {
    guard dots.count <= CircleLog.peersMax, dots.allSatisfy({ $0.count > 0 }),
      zip(dots, dots.dropFirst()).allSatisfy({ $0.peer < $1.peer })
    else { return nil }
    self.dots = dots
  }

  /// The last change of `peer` that it knows; 0 for none.
  public subscript(peer: PeerIdentifier) -> UInt64 {
    dots.first { $0.peer == peer }?.count ?? 0
  }

  /// Makes it know this change too.
  public mutating func add(_ dot: Dot) {
    let place = dots.firstIndex { $0.peer >= dot.peer } ?? dots.count
    if place < dots.count, dots[place].peer == dot.peer {
      dots[place] = Dot(dot.peer, max(dots[place].count, dot.count))
    } else {
      dots.insert(dot, at: place)
    }
  }

  /// Makes it know all that `other` does.
  public mutating func join(_ other: VersionVector) {
    for dot in other.dots { add(dot) }
  }

  /// How this one is related to `other`.
  public func relation(to other: VersionVector) -> Relation {
    switch (covers(other), other.covers(self)) {
    case (true, true): .equal
    case (true, false): .descends
    case (false, true): .precedes
    case (false, false): .concurrent
    }
  }

  private func covers(_ other: VersionVector) -> Bool {
    other.dots.allSatisfy { self[$0.peer] >= $0.count }
  }
}
