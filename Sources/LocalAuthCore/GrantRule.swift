/// What a policy allows to be remembered of a success.
public struct GrantRule: Hashable, Sendable {
  /// How long after the proof, at most; nothing makes it longer.
  public var maxAge: Duration
  /// How long without a use, at most, since each use begins it anew; nil for no such limit.
  public var idle: Duration?
  /// How many answers, at most; nil for any number.
  public var uses: UInt32?

  /// The rule with these limits.
  public init(maxAge: Duration, idle: Duration? = nil, uses: UInt32? = nil) {
    self.maxAge = maxAge
    self.idle = idle
    self.uses = uses
  }

  /// The rule where a caller wants less: never more than the policy allows.
  public func narrowed(maxAge: Duration, uses: UInt32?) -> Self {
    let fewest = [self.uses, uses].compactMap(\.self).min()
    return Self(maxAge: min(self.maxAge, maxAge), idle: idle, uses: fewest)
  }
}
