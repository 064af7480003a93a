/// How long and how often a policy lets a success answer again.
public struct GrantRule: Hashable, Sendable {
  /// The greatest age of the proof; nothing extends it.
  public var maxAge: Duration
  /// The longest time without a use, restarted by each use; nil for no limit.
  public var idle: Duration?
  /// The most answers; nil for any number.
  public var uses: UInt32?

  /// The rule with these limits.
  public init(maxAge: Duration, idle: Duration? = nil, uses: UInt32? = nil) {
    self.maxAge = maxAge
    self.idle = idle
    self.uses = uses
  }

  /// The rule narrowed to what a caller wants, never beyond what the policy allows.
  public func narrowed(maxAge: Duration, uses: UInt32?) -> Self {
    let fewest = [self.uses, uses].compactMap(\.self).min()
    return Self(maxAge: min(self.maxAge, maxAge), idle: idle, uses: fewest)
  }
}
