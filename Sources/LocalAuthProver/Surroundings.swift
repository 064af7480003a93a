public import LocalAuthCore

/// What a device is explored with.
public enum Surroundings: CaseIterable, Hashable, Sendable {
  /// Its owner's programs, and its own sensor, which judges a finger once that is charged; nothing that a
  /// person has is judged.
  case own
  /// Authenticators that judge by themselves: started for an attempt that is charged, they may say
  /// any word at any time, or none.
  case byItself
  /// Programs of two other users beside the owner's, whose attempts have counts of their own.
  case others
}

/// A word of an authenticator that judges by itself.
public enum Word: CaseIterable, Hashable, Sendable {
  /// There is something to judge.
  case touched
  case match
  case miss
  /// It cannot judge.
  case failed

  /// The verdict that ends the attempt; nil if the word ends nothing.
  var verdict: Verdict? {
    switch self {
    case .touched: nil
    case .match: .proven(finger: nil, generation: nil)
    case .miss: .miss
    case .failed: .unjudged(Outcome(.systemCancel))
    }
  }
}

extension Setup {
  /// The factors that authenticators outside the device can judge.
  static let outside: FactorSet = [.biometry, .possession]

  /// The surroundings that make a difference to `policy`.
  public static func surroundings(of policy: Policy) -> [Surroundings] {
    let factors = policy.requirement.factors
    return [.own] + (factors.isDisjoint(with: outside) ? [] : [.byItself])
      + (factors.isDisjoint(with: [.biometry, .passcode]) ? [] : [.others])
  }

  /// The same policy on the same device in all surroundings that make a difference.
  public var inAllSurroundings: [Setup] {
    Self.surroundings(of: policy).map {
      Setup(
        policy: policy,
        policyLockout: policyLockout,
        lockout: lockout,
        delays: delays,
        surroundings: $0
      )
    }
  }

  /// The authenticators that judge by themselves; the reader says when it is touched, and the key
  /// does not.
  var authenticators: [AuthenticatorDescription] {
    var all: [AuthenticatorDescription] = []
    if byThemselves.contains(.biometry) {
      all.append(description("reader", .fingerprint, reportsPresence: true))
    }
    if byThemselves.contains(.possession) { all.append(key) }
    return all
  }

  /// What the person has, as the policy asks for it.
  private var key: AuthenticatorDescription {
    switch policy.requirement.possession ?? .any {
    case .any: return description("key", .key, reportsPresence: false)
    case .authenticator(let name): return description(name, .key, reportsPresence: false)
    case .kind(let name):
      let kind = AuthenticatorKind(name: name, evidence: .possession, factor: .possession)
      return description("key", kind, reportsPresence: false)
    }
  }

  private func description(
    _ name: String,
    _ kind: AuthenticatorKind,
    reportsPresence: Bool
  ) -> AuthenticatorDescription {
    AuthenticatorDescription(
      name: name,
      kind: kind,
      judging: .byItself,
      asking: .touch,
      method: kind.name,
      isSimulated: true,
      reportsPresence: reportsPresence
    )
  }
}
