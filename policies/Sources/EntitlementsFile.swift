import LocalAuthJSON

/// Reads `entitlements.json`.
public enum EntitlementsFile {
  /// The largest file to read, in bytes.
  public static let sizeLimit = PolicyFile.sizeLimit

  static let keys = ["$schema", "summary", "rules"]
  static let ruleKeys = [
    "summary", "uid", "unit", "cgroup", "executable", "applicationIdentifier", "groups",
    "applicationGroups",
  ]
  static let rulesLimit = 256
  static let elementsLimit = 64
  /// The kernel reserves the highest number for "no user".
  static let users: ClosedRange<UInt32> = 0...UInt32.max - 1
  static let userRule = "a user's number from 0 to \(users.upperBound)"
  static let nameRule =
    "1 to 128 printable ASCII characters without space, quote, backslash and '*'"

  /// Parses the rules in `bytes`; `file` appears only in errors.
  public static func parse(
    _ bytes: [UInt8],
    file: String
  ) throws(PolicyError) -> Entitlements {
    let document = try PolicyDocument(bytes, file: file)
    let object = try document.object(document.root, named: "entitlements", keys: keys)
    _ = try object.text("$schema", limit: 500)
    _ = try object.text("summary", limit: 500)
    let list = try object.required("rules", object.find("rules"))
    var rules: [Entitlements.Rule] = []
    for element in try document.elements(of: list, named: "rules", limit: rulesLimit) {
      let rule = try document.entitlementRule(element)
      if let index = rules.firstIndex(where: { $0.covers(rule) }) {
        throw document.error(.withoutEffect(unreachable(after: rules[index], index)), at: element)
      }
      rules.append(rule)
    }
    return Entitlements(rules)
  }

  private static func unreachable(after earlier: Entitlements.Rule, _ index: Int) -> String {
    let isForAll =
      earlier.users == nil && earlier.unit == nil && earlier.controlGroup == nil
      && earlier.executable == nil
    return isForAll
      ? "rule \(index + 1) has no condition and matches first; allowed: only as the last rule"
      : "rule \(index + 1) matches whatever this one does, and first; allowed: before it"
  }

  /// Whether `name` is valid as an application identifier or group.
  static func isName(_ name: String) -> Bool {
    PolicyText.isACR(name) && !name.utf8.contains(UInt8(ascii: "*"))
  }
}

extension PolicyDocument {
  /// Returns the elements of a list of 1 to `limit` elements.
  fileprivate func elements(
    of value: JSONValue,
    named key: String,
    limit: Int
  ) throws(PolicyError) -> [JSONValue] {
    guard case .array(let elements) = value.content else {
      throw error(.wrongType(key: key, allowed: "a list"), at: value)
    }
    guard !elements.isEmpty else { throw error(.empty(key), at: value) }
    guard elements.count <= limit else { throw error(.tooMany(key, limit: limit), at: value) }
    return elements
  }

  fileprivate func entitlementRule(_ value: JSONValue) throws(PolicyError) -> Entitlements.Rule {
    let object = try object(value, named: "rules", keys: EntitlementsFile.ruleKeys)
    _ = try object.text("summary", limit: 200)
    var rule = Entitlements.Rule(try object.entitlement())
    rule.users = try object.users()
    rule.unit = try object.matching("unit", UnitName.rule, UnitName.isValid)
    rule.controlGroup = try object.matching("cgroup", PathRule.rule) {
      ControlGroupPath($0) != nil
    }.flatMap(ControlGroupPath.init)
    rule.executable = try object.matching("executable", PathRule.rule, PathRule.isAbsolute)
    if let unit = rule.unit, let group = rule.controlGroup,
      ![group.systemUnit, group.userUnit].contains(unit)
    {
      let found = (group.userUnit ?? group.systemUnit).map { "in \($0)" } ?? "in no unit"
      throw object.contradiction("this group is \(found); allowed: one of both keys", at: "cgroup")
    }
    return rule
  }
}

extension PolicyObject {
  fileprivate func entitlement() throws(PolicyError) -> Entitlement {
    let identifier = try required(
      "applicationIdentifier",
      try matching("applicationIdentifier", EntitlementsFile.nameRule, EntitlementsFile.isName)
    )
    let groups = try required("groups", try names("groups", withWildcard: true))
    let shared = try names("applicationGroups", withWildcard: false) ?? []
    if let twice = shared.first(where: groups.contains) {
      throw contradiction(
        "\(PolicyText.quoted(twice)) is in \"groups\" too; allowed: in one of both",
        at: "applicationGroups"
      )
    }
    return Entitlement(
      applicationIdentifier: identifier,
      groups: groups,
      applicationGroups: shared
    )
  }

  private func names(_ key: String, withWildcard: Bool) throws(PolicyError) -> [String]? {
    guard let list = find(key) else { return nil }
    let rule = (withWildcard ? "\"*\" for every group, or " : "") + EntitlementsFile.nameRule
    var names: [String] = []
    let limit = EntitlementsFile.elementsLimit
    for element in try document.elements(of: list, named: key, limit: limit) {
      let name = try matching(element, key, rule) {
        EntitlementsFile.isName($0) || (withWildcard && $0 == "*")
      }
      try checkNew(name, isKnown: names.contains(name), at: element)
      names.append(name)
    }
    return names
  }

  fileprivate func users() throws(PolicyError) -> Set<UInt32>? {
    guard let found = find("uid") else { return nil }
    guard case .array = found.content else { return [try user(found)] }
    var users: Set<UInt32> = []
    let limit = EntitlementsFile.elementsLimit
    for element in try document.elements(of: found, named: "uid", limit: limit) {
      let user = try user(element)
      try checkNew("\(user)", isKnown: users.contains(user), at: element)
      users.insert(user)
    }
    return users
  }

  private func user(_ found: JSONValue) throws(PolicyError) -> UInt32 {
    let rule = EntitlementsFile.userRule
    switch found.content {
    case .integer(let number):
      guard let user = UInt32(exactly: number), EntitlementsFile.users.contains(user) else {
        throw document.error(
          .notAllowed(key: "uid", found: String(number), allowed: rule),
          at: found
        )
      }
      return user
    case .null, .bool, .number, .string, .array, .object:
      throw document.error(.wrongType(key: "uid", allowed: "\(rule), or a list of such"), at: found)
    }
  }

  private func checkNew(
    _ element: String,
    isKnown: Bool,
    at value: JSONValue
  ) throws(PolicyError) {
    guard isKnown else { return }
    throw document.error(
      .contradiction("\(PolicyText.quoted(element)) is listed twice; remove one"),
      at: value
    )
  }
}
