public import LocalAuthCore
import LocalAuthJSON

/// Reads and writes the files in `policies/policy`.
public enum PolicyFile {
  /// The largest file to read, in bytes.
  public static let sizeLimit = 65_536
  /// The maximum nesting of lists in a requirement.
  public static let depthLimit = 8
  /// The maximum number of parts in one list.
  public static let partsLimit = 16
  /// The maximum nesting of objects and arrays; more than any allowed requirement needs.
  public static let jsonDepthLimit = 32

  static let keys = [
    "$schema", "name", "summary", "source", "requirement", "presentation", "fallback",
    "fallbackTitle", "timeLimit", "passcodeTries", "needsPasscodeSet", "freshness",
    "minimumStrength", "lockout", "reuseLimit", "grant", "acr",
  ]
  static let freshnessKeys = ["anyWithin", "passcodeWithin", "unlessMatchedWithin"]
  static let grantKeys = ["maxAge", "idle", "uses"]
  static let tries: ClosedRange<UInt32> = 1...100
  static let uses: ClosedRange<UInt32> = 1...1000

  /// Parses the policy in `bytes`; `file` appears only in errors.
  ///
  /// It does not check whether the policy's lockout profile exists; ``PolicyCatalog`` does.
  public static func parse(_ bytes: [UInt8], file: String) throws(PolicyError) -> Policy {
    try Parsed(bytes, file: file).policy
  }

  /// A policy and the object it was read from, for checks that need other files.
  struct Parsed {
    var policy: Policy
    let object: PolicyObject

    init(_ bytes: [UInt8], file: String) throws(PolicyError) {
      let document = try PolicyDocument(bytes, file: file)
      object = try document.object(document.root, named: "policy", keys: keys)
      let name = try object.describe()
      policy = Policy(
        name: name.name,
        summary: name.summary,
        requirement: try document.requirement(
          try object.required("requirement", object.find("requirement"))
        )
      )
      try readManner()
      try readBiometry()
      try checkFallback()
    }
  }
}

extension PolicyObject {
  /// Reads the keys that every file begins with.
  func describe() throws(PolicyError) -> (name: String, summary: String, source: String?) {
    _ = try text("$schema", limit: 500)
    let source = try text("source", limit: 500)
    return (
      try required("name", try name("name")),
      try required("summary", try text("summary", limit: 200)),
      source
    )
  }
}

extension PolicyFile.Parsed {
  private var factors: FactorSet { policy.requirement.factors }

  private mutating func readManner() throws(PolicyError) {
    if let presentation = try object.choice("presentation", of: Policy.Presentation.self) {
      policy.presentation = presentation
    }
    if policy.presentation == .parallel, factors.factors.count < 2 {
      throw object.contradiction(
        "\"parallel\" needs two factors and the requirement has one; allowed: sequential",
        at: "presentation"
      )
    }
    policy.timeLimit = try object.duration("timeLimit", in: .timeLimit)
    if let tries = try object.count("passcodeTries", in: PolicyFile.tries) {
      policy.passcodeTries = tries
      try needs(.passcode, for: "passcodeTries")
    }
    policy.needsPasscodeSet = try object.flag("needsPasscodeSet") ?? false
    policy.grant = try readGrant()
    policy.acr = try object.acr("acr") ?? "urn:localauth:acr:\(policy.name)"
  }

  private func readGrant() throws(PolicyError) -> GrantRule? {
    guard let value = object.find("grant") else { return nil }
    let rules = try object.document.object(value, named: "grant", keys: PolicyFile.grantKeys)
    let maxAge = try rules.required("maxAge", try rules.duration("maxAge", in: .grant))
    let rule = GrantRule(
      maxAge: maxAge,
      idle: try rules.duration("idle", in: .grant),
      uses: try rules.count("uses", in: PolicyFile.uses)
    )
    if let idle = rule.idle, idle >= maxAge {
      throw rules.contradiction("\"idle\" must be shorter than \"maxAge\"", at: "idle")
    }
    return rule
  }

  private mutating func readBiometry() throws(PolicyError) {
    policy.fallback = try object.choice("fallback", of: Policy.FallbackMode.self) ?? .allowed
    policy.fallbackTitle = try object.text("fallbackTitle", limit: 64)
    if let strength = try object.choice("minimumStrength", of: SensorStrength.self) {
      policy.minimumStrength = strength
    }
    policy.lockout = try object.name("lockout")
    if let limit = try object.duration("reuseLimit", in: .reuse) { policy.reuseLimit = limit }
    try readFreshness()
    for key in [
      "fallback", "fallbackTitle", "minimumStrength", "lockout", "reuseLimit", "freshness",
    ] {
      try needs(.biometry, for: key)
    }
    if !factors.contains(.biometry) { policy.fallback = .forbidden }
  }

  private mutating func readFreshness() throws(PolicyError) {
    guard let value = object.find("freshness") else { return }
    let rules = try object.document.object(
      value,
      named: "freshness",
      keys: PolicyFile.freshnessKeys
    )
    policy.freshness = FreshnessRules(
      anyWithin: try rules.duration("anyWithin", in: .freshness),
      passcodeWithin: try rules.duration("passcodeWithin", in: .freshness),
      unlessMatchedWithin: try rules.duration("unlessMatchedWithin", in: .freshness)
    )
    guard let grace = policy.freshness.unlessMatchedWithin else { return }
    guard let limit = policy.freshness.passcodeWithin else {
      throw rules.contradiction(
        "\"unlessMatchedWithin\" excuses from \"passcodeWithin\", which is missing",
        at: "unlessMatchedWithin"
      )
    }
    guard grace < limit else {
      throw rules.contradiction(
        "\"unlessMatchedWithin\" must be shorter than \"passcodeWithin\"",
        at: "unlessMatchedWithin"
      )
    }
  }

  private func checkFallback() throws(PolicyError) {
    if policy.fallbackTitle != nil, policy.fallback != .allowed {
      throw object.contradiction(
        "\"fallbackTitle\" names a button that \"fallback\": \"\(policy.fallback.rawValue)\" "
          + "never shows; allowed with: allowed",
        at: "fallbackTitle"
      )
    }
    guard policy.fallback == .forced else { return }
    guard policy.requirement.isReachable(from: Proven(), with: .passcode) else {
      throw object.contradiction(
        "\"forced\" asks for the passcode alone, which does not meet the requirement; "
          + "allowed: allowed and forbidden",
        at: "fallback"
      )
    }
    guard policy.presentation == .sequential else {
      throw object.contradiction(
        "\"forced\" leaves nothing to present in parallel; allowed: allowed and forbidden",
        at: "fallback"
      )
    }
  }

  private func needs(_ factor: Factor, for key: String) throws(PolicyError) {
    guard object.find(key) != nil, !factors.contains(factor.alone) else { return }
    throw object.contradiction(
      "\"\(key)\" is about \(factor.rawValue), which the requirement does not have",
      at: key
    )
  }
}
