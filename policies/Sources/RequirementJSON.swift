import LocalAuthCore
import LocalAuthJSON

extension PolicyDocument {
  private static var rule: String {
    "\"biometry\", \"passcode\", \"possession\", {\"allOf\": [...]} or {\"anyOf\": [...]}"
  }

  /// Parses `value` as a requirement that is nested in `depth` lists.
  func requirement(_ value: JSONValue, depth: Int = 0) throws(PolicyError) -> Requirement {
    switch value.content {
    case .string(let word): return try factor(word, at: value)
    case .object(let members):
      guard let member = members.first, members.count == 1 else {
        throw error(.wrongType(key: "requirement", allowed: Self.rule), at: value)
      }
      return try list(member, depth: depth + 1)
    case .null, .bool, .integer, .number, .array:
      throw error(.wrongType(key: "requirement", allowed: Self.rule), at: value)
    }
  }

  private func factor(_ word: String, at value: JSONValue) throws(PolicyError) -> Requirement {
    switch word {
    case "biometry": return .biometry(.any)
    case "passcode": return .passcode
    case "possession": return .possession
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

  private func list(_ member: JSONValue.Member, depth: Int) throws(PolicyError) -> Requirement {
    guard ["allOf", "anyOf"].contains(member.key) else {
      throw PolicyError(
        .unknownKey(member.key, allowed: ["allOf", "anyOf"]),
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
    case .possession: "possession"
    case .allOf(let parts): ["allOf": JSONValue(.array(parts.map(\.json)))]
    case .anyOf(let parts): ["anyOf": JSONValue(.array(parts.map(\.json)))]
    }
  }
}
