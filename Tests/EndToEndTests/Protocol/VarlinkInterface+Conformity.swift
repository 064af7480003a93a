import LocalAuthJSON
import LocalAuthTestSupport

extension VarlinkInterface {
  /// What is wrong with `value` as an object of `fields`; nil when nothing is.
  func fault(in value: JSONValue, _ fields: [Field], at path: String = "") -> String? {
    guard case .object(let members) = value.content else { return "\(path) is no object" }
    for member in members {
      guard let field = fields.first(where: { $0.name == member.key }) else {
        return "\(path).\(member.key) is not described"
      }
      if let fault = fault(in: member.value, field.kind, at: "\(path).\(member.key)") {
        return fault
      }
    }
    for field in fields where !field.kind.isOptional && value[field.name] == nil {
      return "\(path).\(field.name) is missing"
    }
    return nil
  }

  private func fault(in value: JSONValue, _ kind: Kind, at path: String) -> String? {
    switch (kind, value.content) {
    case (.bool, .bool), (.int, .integer), (.float, .number), (.float, .integer),
      (.string, .string), (.object, .object), (.optional, .null):
      return nil
    case (.optional(let kind), _): return fault(in: value, kind, at: path)
    case (.choice(let words), .string(let word)):
      return words.contains(word) ? nil : "\(path) is '\(word)', which is not described"
    case (.structure(let fields), _): return fault(in: value, fields, at: path)
    case (.array(let kind), .array(let elements)):
      return elements.lazy.compactMap { fault(in: $0, kind, at: path + "[]") }.first
    case (.map(let kind), .object(let members)):
      return members.lazy.compactMap { fault(in: $0.value, kind, at: path + "[]") }.first
    case (.named(let name), _):
      guard let kind = types[name] else { return "\(path) has the unknown type \(name)" }
      return fault(in: value, kind, at: path)
    default: return "\(path) has another type"
    }
  }
}
