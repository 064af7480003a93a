public import LocalAuthCore
public import LocalAuthJSON

extension PolicyFile {
  /// Returns the policy as a file would state it, with every default written out.
  ///
  /// For every policy that a file can describe, ``parse(_:file:)`` reads the result back as the
  /// same policy. The exception is a user's own policy: it keeps its `user/` prefix, for display
  /// only.
  public static func json(_ policy: Policy) -> JSONValue {
    var members: [JSONValue.Member] = []
    func add(_ key: String, _ value: JSONValue) { members.append(.init(key: key, value: value)) }
    add("name", string(policy.name))
    add("summary", string(policy.summary))
    add("requirement", policy.requirement.json)
    add("presentation", string(policy.presentation.rawValue))
    if let limit = policy.timeLimit { add("timeLimit", duration(limit)) }
    if policy.requirement.factors.contains(.passcode) {
      add("passcodeTries", JSONValue(.integer(Int64(policy.passcodeTries))))
    }
    add("needsPasscodeSet", JSONValue(.bool(policy.needsPasscodeSet)))
    if policy.requirement.factors.contains(.biometry) { members += biometry(policy) }
    if let rule = policy.grant { add("grant", grant(rule)) }
    add("acr", string(policy.acr))
    return JSONValue(.object(members))
  }

  /// Returns ``json(_:)`` as text; equal policies give equal text.
  public static func text(_ policy: Policy) -> [UInt8] {
    var bytes: [UInt8] = []
    // Writing fails only for non-finite numbers, and there are none.
    try? json(policy).write(into: &bytes)
    return bytes
  }

  private static func biometry(_ policy: Policy) -> [JSONValue.Member] {
    var members: [JSONValue.Member] = []
    func add(_ key: String, _ value: JSONValue) { members.append(.init(key: key, value: value)) }
    add("fallback", string(policy.fallback.rawValue))
    if let title = policy.fallbackTitle { add("fallbackTitle", string(title)) }
    add("freshness", freshness(policy.freshness))
    add("minimumStrength", string(policy.minimumStrength.rawValue))
    if let lockout = policy.lockout { add("lockout", string(lockout)) }
    add("reuseLimit", duration(policy.reuseLimit))
    return members
  }

  private static func freshness(_ rules: FreshnessRules) -> JSONValue {
    let limits = [
      ("anyWithin", rules.anyWithin), ("passcodeWithin", rules.passcodeWithin),
      ("unlessMatchedWithin", rules.unlessMatchedWithin),
    ]
    return JSONValue(
      .object(
        limits.compactMap { key, limit in
          limit.map { JSONValue.Member(key: key, value: duration($0)) }
        }
      )
    )
  }

  private static func grant(_ rule: GrantRule) -> JSONValue {
    var members = [JSONValue.Member(key: "maxAge", value: duration(rule.maxAge))]
    if let idle = rule.idle { members.append(.init(key: "idle", value: duration(idle))) }
    if let uses = rule.uses {
      members.append(.init(key: "uses", value: JSONValue(.integer(Int64(uses)))))
    }
    return JSONValue(.object(members))
  }

  private static func string(_ text: String) -> JSONValue { JSONValue(.string(text)) }

  private static func duration(_ length: Duration) -> JSONValue {
    string(DurationText.format(length))
  }
}
