import LocalAuthJSON

/// Checks values against a JSON Schema; as much of 2020-12 as `docs/authctl.schema.json` uses, and a
/// keyword that is not understood is a problem, so that nothing goes unchecked.
struct JSONSchema {
  private let root: JSONValue
  private static let annotations = ["$schema", "$defs", "title", "description"]

  init(_ text: String) throws { root = try JSONValue.parsed(text) }

  /// Everything that is wrong with `value`; empty for a value that is valid.
  func problems(of value: JSONValue) -> [String] { problems(of: value, root, "$").list }

  /// The names of the kinds of objects, one of which every object is.
  var kinds: [String] {
    root["anyOf"]?.elements.compactMap { $0["$ref"]?.string?.split(separator: "/").last }
      .map { String($0) } ?? []
  }

  /// Whether `value` is of this kind.
  func isValid(_ value: JSONValue, as kind: String) -> Bool {
    guard let schema = root["$defs"]?[kind] else { return false }
    return problems(of: value, schema, "$").list.isEmpty
  }

  private typealias Findings = (list: [String], evaluated: [String])

  private func problems(of value: JSONValue, _ schema: JSONValue, _ path: String) -> Findings {
    var found: Findings = ([], [])
    for member in schema.members where member.key != "unevaluatedProperties" {
      let (list, evaluated) = check(value, member.key, member.value, schema, path)
      found.list += list
      found.evaluated += evaluated
    }
    if schema["unevaluatedProperties"] != nil {
      for member in value.members where !found.evaluated.contains(member.key) {
        found.list.append("\(path).\(member.key) is not described")
      }
    }
    return found
  }

  private func check(
    _ value: JSONValue,
    _ keyword: String,
    _ argument: JSONValue,
    _ schema: JSONValue,
    _ path: String
  ) -> Findings {
    switch keyword {
    case "type":
      let types = argument.elements.isEmpty ? [argument] : argument.elements
      let fits = types.contains { $0.string.map { Self.is(value, $0) } ?? false }
      return (fits ? [] : ["\(path) has another type"], [])
    case "const": return (value == argument ? [] : ["\(path) is another value"], [])
    case "enum":
      return (argument.elements.contains(value) ? [] : ["\(path) is none of the values"], [])
    case "minimum":
      return ((value.integer ?? 0) >= (argument.integer ?? 0) ? [] : ["\(path) is too small"], [])
    case "pattern":
      // The one pattern is that of a time.
      return (value.string?.utf8.count == 20 ? [] : ["\(path) is no time"], [])
    case "required":
      let missing = argument.elements.compactMap(\.string).filter { value[$0] == nil }
      return (missing.map { "\(path).\($0) is missing" }, [])
    case "properties": return properties(of: value, argument, path)
    case "additionalProperties":
      let list = value.members.filter { schema["properties"]?[$0.key] == nil }
        .flatMap { problems(of: $0.value, argument, "\(path).\($0.key)").list }
      return (list, [])
    case "items":
      let list = value.elements.enumerated().flatMap { index, element in
        problems(of: element, argument, "\(path)[\(index)]").list
      }
      return (list, [])
    case "$ref":
      let name = argument.string?.split(separator: "/").last.map { String($0) } ?? ""
      guard let target = root["$defs"]?[name] else { return (["\(name) is not defined"], []) }
      return problems(of: value, target, path)
    case "allOf":
      return argument.elements.map { problems(of: value, $0, path) }
        .reduce(into: ([], [])) { all, next in
          all.list += next.list
          all.evaluated += next.evaluated
        }
    case "anyOf":
      let results = argument.elements.map { problems(of: value, $0, path).list }
      return (results.contains([]) ? [] : ["\(path) is none of these: \(results)"], [])
    default:
      let isKnown = Self.annotations.contains(keyword)
      return (isKnown ? [] : ["the keyword \(keyword) is not understood"], [])
    }
  }

  private func properties(
    of value: JSONValue,
    _ properties: JSONValue,
    _ path: String
  ) -> Findings {
    var found: Findings = ([], [])
    for property in properties.members {
      found.evaluated.append(property.key)
      guard let member = value[property.key] else { continue }
      found.list += problems(of: member, property.value, "\(path).\(property.key)").list
    }
    return found
  }

  private static func `is`(_ value: JSONValue, _ type: String) -> Bool {
    switch value.content {
    case .null: type == "null"
    case .bool: type == "boolean"
    case .integer: type == "integer" || type == "number"
    case .number: type == "number"
    case .string: type == "string"
    case .array: type == "array"
    case .object: type == "object"
    }
  }
}
