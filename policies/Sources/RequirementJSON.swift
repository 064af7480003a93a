import LocalAuthCore
import LocalAuthJSON

extension PolicyDocument {
  private static var rule: String {
    "\"biometry\", \"passcode\", \"possession\", {\"kind\": ...}, {\"authenticator\": ...}, "
      + "{\"allOf\": [...]} or {\"anyOf\": [...]}"
  }

  /// Parses `value` as a requirement that is nested in `depth` lists.
  func requirement(_ value: JSONValue, depth: Int = 0) throws(PolicyError) -> Requirement {
    switch value.content {
    case .string(let word): return try factor(word, at: value)
    case .object(let members):
      guard let member = members.first, members.count == 1 else {
        throw error(.wrongType(key: "requirement", allowed: Self.rule), at: value)
      }
      switch member.key {
      case "kind", "authenticator": return .possession(try possession(member, in: value))
      default: return try list(member, depth: depth + 1)
      }
    case .null, .bool, .integer, .number, .array:
      throw error(.wrongType(key: "requirement", allowed: Self.rule), at: value)
    }
  }

  private func factor(_ word: String, at value: JSONValue) throws(PolicyError) -> Requirement {
    switch word {
    case "biometry": return .biometry(.any)
    case "passcode": return .passcode
    case "possession": return .possession(.any)
    case "companion":
      throw error(
        .unsatisfiable("no companion device can be paired here; allowed: \(Self.rule)"),
        at: value
      )
    case "applicationPassword":
      throw error(
        .unsatisfiable(
          "an application password belongs to a keychain item, not to a policy; "
            + "allowed: \(Self.rule)"
        ),
        at: value
      )
    case "biometryCurrentSet":
      throw error(
        .unsatisfiable(
          "the current set of fingers is known to a keychain item, not to a policy; "
            + "allowed: \(Self.rule)"
        ),
        at: value
      )
    default:
      throw error(.notAllowed(key: "requirement", found: word, allowed: Self.rule), at: value)
    }
  }

  private func possession(
    _ member: JSONValue.Member,
    in value: JSONValue
  ) throws(PolicyError) -> Possession {
    let object = PolicyObject(document: self, value: value)
    guard member.key == "kind" else {
      let rule = "the name of an authenticator: \(PolicyText.nameRule)"
      return .authenticator(
        try object.matching(member.value, member.key, rule, PolicyText.isName)
      )
    }
    let kinds = AuthenticatorKind.outside.filter { $0.factor == .possession }.map(\.name)
    let rule = "one of \(PolicyText.list(kinds))"
    return .kind(try object.matching(member.value, member.key, rule, kinds.contains))
  }

  private func list(_ member: JSONValue.Member, depth: Int) throws(PolicyError) -> Requirement {
    guard ["allOf", "anyOf"].contains(member.key) else {
      throw PolicyError(
        .unknownKey(member.key, allowed: ["allOf", "anyOf", "kind", "authenticator"]),
        file: file,
        position: member.position
      )
    }
    guard case .array(let elements) = member.value.content else {
      throw error(.wrongType(key: member.key, allowed: "a list of requirements"), at: member.value)
    }
    guard depth <= PolicyFile.depthLimit else { throw error(.tooDeep, at: member.value) }
    guard !elements.isEmpty else { throw error(.empty(member.key), at: member.value) }
    guard elements.count <= PolicyFile.partsLimit else {
      throw error(.tooMany(member.key, limit: PolicyFile.partsLimit), at: member.value)
    }
    let parts = try parts(elements, of: member.key, depth: depth)
    return member.key == "allOf" ? .allOf(parts) : .anyOf(parts)
  }

  private func parts(
    _ elements: [JSONValue],
    of key: String,
    depth: Int
  ) throws(PolicyError)
    -> [Requirement]
  {
    var parts: [Requirement] = []
    for element in elements {
      let part = try requirement(element, depth: depth)
      guard !parts.contains(part) else {
        throw error(.contradiction("\"\(key)\" has the same part twice; remove one"), at: element)
      }
      // One prompt asks for one thing that the person has.
      if let other = Requirement.anyOf(parts).possession, let own = part.possession, own != other {
        throw error(
          .contradiction("a policy names one thing that the person has, and this is another"),
          at: element
        )
      }
      parts.append(part)
    }
    return parts
  }
}

extension Requirement {
  /// The requirement as a file states it.
  var json: JSONValue {
    switch self {
    case .biometry(.any): "biometry"
    case .biometry(.current): "biometryCurrentSet"
    case .passcode: "passcode"
    case .applicationPassword: "applicationPassword"
    case .companion: "companion"
    case .possession(.any): "possession"
    case .possession(.kind(let name)): ["kind": JSONValue(.string(name))]
    case .possession(.authenticator(let name)): ["authenticator": JSONValue(.string(name))]
    case .allOf(let parts): ["allOf": JSONValue(.array(parts.map(\.json)))]
    case .anyOf(let parts): ["anyOf": JSONValue(.array(parts.map(\.json)))]
    }
  }
}
