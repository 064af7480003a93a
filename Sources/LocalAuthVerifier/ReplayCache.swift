/// The assertions that were used and have not expired: each counts once.
///
/// It forgets nothing that could still be used: where there is no room, nothing more is taken.
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
  /// What expired until then is forgotten; after a clock that was set back it counts as used.
  private var forgottenUntil = Int64.min
  /// No entry expires earlier.
  private var earliest = Int64.max

  init(limit: Int) { self.limit = max(1, limit) }

  var count: Int { expiries.count }

  /// Takes the assertion called `key`, which counts until `expiry`, unless it was taken before.
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
