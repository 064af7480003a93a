/// Turns that calls of all users share: so many are taken at a time, and so many of them by one user.
///
/// Users with waiting calls follow one another, so that a long line of one user's keeps another user waiting for one turn.
final class UserTurns {
  /// A call's turn: it waits for it, has it, or neither.
  final class Turn {
    fileprivate let user: UInt32
    /// Whether the call has the turn now.
    fileprivate(set) var isTaken = false

    init(of user: UInt32) { self.user = user }
  }

  private typealias Entry = (turn: Turn, body: () -> Void)

  private let most: Int
  private let mostOfUser: Int
  private var takenInAll = 0
  private var taken: [UInt32: Int] = [:]
  /// The waiting calls of each user that has any.
  private var lines: [UInt32: [Entry]] = [:]
  /// The users with waiting calls, whose turn is next first.
  private var order: [UInt32] = []
  private var isHandingOn = false

  /// So many turns in all, and of one user.
  init(inAll most: Int, ofUser mostOfUser: Int) {
    self.most = most
    self.mostOfUser = mostOfUser
  }

  /// Whether a call of `user` would have its turn at once.
  func isFree(for user: UInt32) -> Bool { lines[user] == nil && hasRoom(for: user) }

  /// Calls `body` once it is the turn of `turn`, which may be at once; ``leave(_:)`` must follow.
  func enter(_ turn: Turn, _ body: @escaping () -> Void) {
    guard isFree(for: turn.user) else {
      if lines[turn.user] == nil { order.append(turn.user) }
      return lines[turn.user, default: []].append((turn, body))
    }
    take(turn)
    body()
  }

  /// Ends a turn and gives it to the next in line, or leaves the line, in which nothing of the call stays.
  func leave(_ turn: Turn) {
    guard turn.isTaken else { return leaveLine(turn) }
    turn.isTaken = false
    takenInAll -= 1
    let left = taken[turn.user, default: 1] - 1
    taken[turn.user] = left == 0 ? nil : left
    // Who leaves at once is called by the loop that is running: a long line needs no deep stack.
    guard !isHandingOn else { return }
    isHandingOn = true
    defer { isHandingOn = false }
    while let next = takeNext() { next() }
  }

  private func hasRoom(for user: UInt32) -> Bool {
    takenInAll < most && taken[user, default: 0] < mostOfUser
  }

  private func take(_ turn: Turn) {
    turn.isTaken = true
    takenInAll += 1
    taken[turn.user, default: 0] += 1
  }

  /// Takes the turn of the next call that may have one out of its line, and gives it.
  private func takeNext() -> (() -> Void)? {
    guard let place = order.firstIndex(where: { hasRoom(for: $0) }),
      case let user = order.remove(at: place), let entry = lines[user]?.removeFirst()
    else { return nil }
    if lines[user]?.isEmpty == true { lines[user] = nil } else { order.append(user) }
    take(entry.turn)
    return entry.body
  }

  private func leaveLine(_ turn: Turn) {
    lines[turn.user]?.removeAll { $0.turn === turn }
    guard lines[turn.user]?.isEmpty == true else { return }
    lines[turn.user] = nil
    order.removeAll { $0 == turn.user }
  }
}
