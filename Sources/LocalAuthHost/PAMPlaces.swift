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
  let origin: Origin
  let standing: Standing

  /// Who asks from `origin` about the account of `owner`.
  init(_ origin: Origin, of owner: UInt32) {
    switch origin {
    case .owner: (self.origin, standing) = (.user(owner), .owner)
    case .user(let uid):
      (self.origin, standing) = (origin, [owner, 0].contains(uid) ? .owner : .stranger)
    case .host(""): (self.origin, standing) = (.user(owner), .unknown)
    case .host: (self.origin, standing) = (origin, .stranger)
    }
  }
}

/// How many conversations with PAM there may be, and which one gives way to another.
///
/// Only one in which nothing was typed yet gives way: to somebody who is more surely the owner of the account, or to one
/// of the same standing who has at least two conversations less.
struct PAMPlaces {
  /// Conversations of one asker.
  var ofOne: Int
  /// Conversations of strangers, from whichever origins.
  var ofStrangers = 8
  /// Conversations of everybody.
  var ofAll = 16

  /// A conversation, and whether it may give way.
  struct Holder {
    let asker: PAMAsker
    let yields: Bool
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
    }
    let full = bounds.first { bound in holders.count { bound.counts($0.asker) } >= bound.most }
    // Whoever gives way to the first bound that is reached makes room within the others, too.
    guard let full else { return .free }
    func share(_ asker: PAMAsker) -> Int { holders.count { $0.asker.origin == asker.origin } }
    let yielding = holders.indices.filter { index in
      let other = holders[index].asker
      guard holders[index].yields, full.counts(other) else { return false }
      return other.standing < asker.standing
        || other.standing == asker.standing && share(other) > share(asker) + 1
    }
    let first = yielding.min { one, other in
      let (one, other) = (holders[one].asker, holders[other].asker)
      return (one.standing.rawValue, -share(one)) < (other.standing.rawValue, -share(other))
    }
    return first.map { .behind($0) } ?? .none
  }
}
