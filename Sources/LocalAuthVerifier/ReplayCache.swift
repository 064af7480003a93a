/// The used assertions that have not expired yet; each can be used once.
///
/// An assertion is never forgotten while it could be reused; if there is no room, no more are
/// accepted.
struct ReplayCache {
  struct Key: Hashable {
    let issuer: String
    let identifier: String
  }

  enum Verdict {
    case fresh
    case used
    case full
  }

  private let limit: Int
  private var expiries: [Key: Int64] = [:]
  /// Assertions that expired up to this time are forgotten; they count as used even if the clock is
  /// set back.
  private var forgottenUntil = Int64.min
  /// A lower bound of all expiries.
  private var earliest = Int64.max

  init(limit: Int) { self.limit = max(1, limit) }

  /// Accepts the assertion with this `key`, which expires at `expiry`, unless it was used before.
  mutating func take(_ key: Key, until expiry: Int64, at now: Int64) -> Verdict {
    guard expiries[key] == nil, expiry > forgottenUntil else { return .used }
    if expiries.count >= limit { forgetExpired(at: now) }
    guard expiries.count < limit else { return .full }
    expiries[key] = expiry
    earliest = min(earliest, expiry)
    return .fresh
  }

  private mutating func forgetExpired(at now: Int64) {
    guard earliest <= now else { return }
    forgottenUntil = max(forgottenUntil, now)
    expiries = expiries.filter { $0.value > now }
    earliest = expiries.values.min() ?? .max
  }
}
