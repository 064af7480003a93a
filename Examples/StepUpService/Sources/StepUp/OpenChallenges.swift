/// The challenges that were handed out and not answered yet: each stands for one action, counts for a
/// while, and counts once.
struct OpenChallenges {
  /// Why a nonce does not count.
  enum Failure: Error {
    /// It was never handed out, was answered before, or made room for others.
    case unknown
    case expired
    case forAnotherAction
  }

  private struct Challenge {
    let nonce: String
    let action: String
    let expires: ContinuousClock.Instant
  }

  private let lifetime: Duration
  private let limit: Int
  /// The oldest first.
  private var open: [Challenge] = []

  init(lifetime: Duration, limit: Int) {
    self.lifetime = lifetime
    self.limit = limit
  }

  /// A new nonce for `action`; anybody can ask for one, so the oldest makes room.
  mutating func open(_ action: String, at now: ContinuousClock.Instant) -> String {
    if open.count >= limit { open.removeFirst(open.count - limit + 1) }
    let nonce = Self.randomNonce()
    open.append(Challenge(nonce: nonce, action: action, expires: now + lifetime))
    return nonce
  }

  /// Takes a nonce for `action`.
  ///
  /// It is spent from here on, whatever is wrong with the answer: nobody gets a second try at one
  /// challenge.
  mutating func spend(
    _ nonce: String,
    for action: String,
    at now: ContinuousClock.Instant
  ) throws(Failure) {
    guard let place = open.firstIndex(where: { $0.nonce == nonce }) else { throw .unknown }
    let challenge = open.remove(at: place)
    guard now < challenge.expires else { throw .expired }
    guard challenge.action == action else { throw .forAnotherAction }
  }

  /// 128 bits that nobody can guess: the system's generator is a cryptographic one.
  private static func randomNonce() -> String {
    var random = SystemRandomNumberGenerator()
    return (0..<2).map { _ in
      let digits = String(random.next(), radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }
}
