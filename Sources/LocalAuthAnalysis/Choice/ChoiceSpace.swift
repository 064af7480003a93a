public import LocalAuthCore

/// What a policy is chosen from: every way to ask, on a device with every lockout profile and delay
/// table, with every freshness and grant.
public struct ChoiceSpace: Sendable {
  /// A policy, and the device that it is for.
  public struct Candidate: Hashable, Sendable {
    /// The name of the policy that asks in the same way.
    public var form: String
    /// The policy; it names the lockout profile too, if it asks for a finger.
    public var policy: Policy
    /// The device's lockout profile.
    public var lockout: LockoutProfile
    /// The device's passcode delays.
    public var delays: PasscodeDelays

    /// Whether it asks for a finger, without which no lockout profile makes a difference.
    public var asksForFinger: Bool { policy.requirement.factors.contains(.biometry) }

    /// The policy as a file of this name would have it.
    public func policy(named name: String, summary: String) -> Policy {
      var named = policy
      named.name = name
      named.summary = summary
      named.acr = "urn:localauth:acr:\(name)"
      return named
    }
  }

  /// All candidates; those of equal worth are preferred in this order.
  public private(set) var candidates: [Candidate]
  /// The policies whose people would need something to have, which the model of people lacks.
  public let unsolvable: [String]

  /// The ages of a passcode that clauses of rules name besides the shipped 156 h: 72 h (C-3-4), 24 h
  /// (C-1-7) and 4 h (C-1-8) of Android's Compatibility Definition, 7.3.10.
  ///
  /// No match excuses from them, and 48 h without any success count too, as Apple's guide has it.
  static let ruled = [72, 24, 4].map { hours in
    FreshnessRules(anyWithin: .seconds(48 * 3600), passcodeWithin: .seconds(hours * 3600))
  }

  /// The space that these span.
  ///
  /// Freshness is that of a policy, none, or one of ``ruled``; a grant is that of a policy, or none.
  public init(
    policies: [Policy],
    lockouts: [LockoutProfile],
    delays: [PasscodeDelays]
  ) {
    let asking = policies.filter { $0.requirement.factors.contains(.biometry) }
    let freshness = (asking.map(\.freshness) + [FreshnessRules()] + Self.ruled).distinct
    let grants = ([nil] + policies.map(\.grant)).distinct
      .sorted { ($0?.maxAge ?? .zero) > ($1?.maxAge ?? .zero) }
    let solvable = policies.filter(\.isMetWithoutPossession)
    unsolvable = policies.filter { !$0.isMetWithoutPossession }.map(\.name)
    candidates = solvable.flatMap { policy in
      let asks = policy.requirement.factors.contains(.biometry)
      return (asks ? lockouts : Array(lockouts.prefix(1))).flatMap { lockout in
        delays.flatMap { table in
          (asks ? freshness : [FreshnessRules()]).flatMap { rules in
            grants.map { grant in
              var varied = policy
              varied.freshness = rules
              varied.grant = grant
              varied.lockout = asks ? lockout.name : nil
              return Candidate(form: policy.name, policy: varied, lockout: lockout, delays: table)
            }
          }
        }
      }
    }
  }

  /// The part of the space that asks for nothing but these; all of it if nothing does.
  public func asking(only authenticators: ChoiceAuthenticators) -> ChoiceSpace {
    var part = self
    part.candidates.removeAll { !authenticators.include($0.policy.requirement) }
    return part.candidates.isEmpty ? self : part
  }
}

extension Array where Element: Hashable {
  /// Each element once, where it is first.
  var distinct: [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}

extension Policy {
  /// Whether people meet it with a finger and the passcode alone, which is all that they have in the model.
  public var isMetWithoutPossession: Bool {
    requirement.isReachable(from: Proven(), with: [.biometry, .passcode])
  }
}

extension Requirement {
  /// The same for people who have nothing: what they could have instead of something else is left
  /// out, unless it comes last, because the last part says why a requirement is not met.
  var withoutPossession: Requirement {
    switch self {
    case .anyOf(let parts):
      let last = parts.count - 1
      return .anyOf(
        parts.enumerated().compactMap { index, part in
          if case .possession = part, index < last { nil } else { part.withoutPossession }
        }
      )
    case .allOf(let parts): return .allOf(parts.map(\.withoutPossession))
    case .biometry, .passcode, .applicationPassword, .companion, .possession: return self
    }
  }
}
