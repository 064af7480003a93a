import LocalAuthCore

/// Who asks for a conversation with PAM.
struct PAMAsker: Hashable {
  /// How sure it is that the account is the asker's own.
  enum Standing: Int, Comparable {
    /// It is another's account.
    case stranger
    /// A program asks that says of nobody where it is.
    case unknown
    /// The kernel or root says that it is the asker's own; root counts as everybody's.
    case owner

    static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
  }

  /// Whose share of the conversations it uses, whichever account it asks about.
  ///
  /// Of hosts it is the network that one machine has for itself: all of loopback, and 64 bits of IPv6.
  let origin: Origin
  let standing: Standing

  /// Who asks from `origin` about the account of `owner`.
  init(_ origin: Origin, of owner: UInt32) {
    switch origin {
    case .owner: (self.origin, standing) = (.user(owner), .owner)
    case .user(let uid):
      (self.origin, standing) = (origin, [owner, 0].contains(uid) ? .owner : .stranger)
    case .host(""): (self.origin, standing) = (.user(owner), .unknown)
    case .host(let name): (self.origin, standing) = (.host(Self.network(of: name)), .stranger)
    }
  }

  /// Whether it asks from another machine.
  var isRemote: Bool {
    if case .host = origin { true } else { false }
  }

  private static func network(of host: String) -> String {
    if host.hasPrefix("127.") || host == "::1" || host.hasPrefix("::ffff:127.") {
      return "loopback"
    }
    let groups = host.split(separator: ":", omittingEmptySubsequences: false)
    // A part that is left out stands for zeros, which may be among the first four.
    guard groups.count > 2, let left = groups.firstIndex(of: "") ?? groups.indices.last else {
      return host
    }
    let known = groups[..<min(4, left)]
    return (known + Array(repeating: "0", count: 4 - known.count)).joined(separator: ":") + "::"
  }
}

/// How many conversations with PAM there may be, and which one gives way to another.
///
/// Only one in which nothing was typed yet gives way: to somebody who is more surely the owner of the account, to one
/// of the same standing who has at least two conversations less, and once it has been open for a while, to anybody of
/// that standing who has fewer.
struct PAMPlaces {
  /// Conversations of one asker.
  var ofOne: Int
  /// Conversations of strangers, from whichever origins.
  var ofStrangers = 8
  /// Those among them from other machines, of which somebody may have many.
  var ofHosts = 6
  /// Conversations of everybody.
  var ofAll = 16

  /// A conversation, and whether it may give way.
  struct Holder {
    let asker: PAMAsker
    let yields: Bool
    /// Whether nobody would still be typing who came to type.
    var isOld = false
  }

  /// What another conversation finds.
  enum Room: Equatable {
    case free
    /// A place, once the conversation with this index has given way.
    case behind(Int)
    case none
  }

  /// The room for a conversation of `asker` beside those of `holders`, the first of which began first.
  func room(for asker: PAMAsker, beside holders: [Holder]) -> Room {
    var bounds: [(most: Int, counts: (PAMAsker) -> Bool)] = [
      (ofOne, { $0.origin == asker.origin }), (ofAll, { _ in true }),
    ]
    if asker.standing == .stranger {
      bounds.append((ofStrangers, { $0.standing == .stranger }))
      if asker.isRemote { bounds.insert((ofHosts, { $0.isRemote }), at: 1) }
    }
    let full = bounds.first { bound in holders.count { bound.counts($0.asker) } >= bound.most }
    // Whoever gives way to the first bound that is reached makes room within the others, too.
    guard let full else { return .free }
    func share(_ asker: PAMAsker) -> Int { holders.count { $0.asker.origin == asker.origin } }
    let yielding = holders.indices.filter { index in
      let other = holders[index].asker
      guard holders[index].yields, full.counts(other) else { return false }
      guard other.standing == asker.standing else { return other.standing < asker.standing }
      return share(other) > share(asker) + 1
        || holders[index].isOld && share(other) > share(asker)
    }
    let first = yielding.min { one, other in
      let (one, other) = (holders[one].asker, holders[other].asker)
      return (one.standing.rawValue, -share(one)) < (other.standing.rawValue, -share(other))
    }
    return first.map { .behind($0) } ?? .none
  }
}
