extension Policy {
  /// This policy, by which nothing is proven that does not prove another one too.
  ///
  /// So whoever names a policy can ask for more than a floor, and never for less.
  ///
  /// - Parameter floor: The policy that has to be proven at least.
  /// - Returns: the policy, whose requirement has both.
  public func atLeast(_ floor: Policy) -> Policy {
    var policy = self
    policy.requirement = .allOf([requirement, floor.requirement])
    policy.passcodeTries = min(passcodeTries, floor.passcodeTries)
    policy.freshness = freshness.atLeast(floor.freshness)
    policy.minimumStrength = max(minimumStrength, floor.minimumStrength)
    return policy
  }
}

extension FreshnessRules {
  /// Rules under which a finger is enough only where it is under these and under `floor`.
  fileprivate func atLeast(_ floor: FreshnessRules) -> FreshnessRules {
    var rules = FreshnessRules()
    rules.anyWithin = Self.shorter(anyWithin, floor.anyWithin)
    rules.passcodeWithin = Self.shorter(passcodeWithin, floor.passcodeWithin)
    // It lengthens the limit on the passcode, and counts only for rules that have one.
    let graces = [self, floor].filter { $0.passcodeWithin != nil }.map(\.unlessMatchedWithin)
    rules.unlessMatchedWithin = graces.contains(nil) ? nil : graces.compactMap(\.self).min()
    return rules
  }

  private static func shorter(_ one: Duration?, _ other: Duration?) -> Duration? {
    [one, other].compactMap(\.self).min()
  }
}
