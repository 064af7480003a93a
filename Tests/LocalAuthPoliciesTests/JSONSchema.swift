import LocalAuthJSON

/// As much of JSON Schema 2020-12 as the schemas in `policies/schema` use, to check files by.
struct JSONSchema {
  /// The keywords that it knows; a test fails when a schema uses another.
  static let keywords: Set<String> = [
    "$schema", "$id", "$ref", "$defs", "title", "description", "type", "enum", "properties",
    "required", "additionalProperties", "dependentRequired", "items", "minItems", "maxItems",
    "uniqueItems", "minLength", "maxLength", "pattern", "minimum", "maximum", "exclusiveMinimum",
    "exclusiveMaximum", "anyOf", "oneOf",
  ]

  let root: JSONValue

  init(_ root: JSONValue) { self.root = root }

  /// Whether `value` is valid under `schema`, or under the whole schema.
  func accepts(_ value: JSONValue, under schema: JSONValue? = nil) -> Bool {
    let schema = schema ?? root
    if case .string(let reference)? = schema["$ref"]?.content,
      let definition = root["$defs"]?[String(reference.dropFirst("#/$defs/".count))],
      !accepts(value, under: definition)
    {
      return false
    }
    return hasType(value, schema) && isListed(value, schema) && combines(value, schema)
      && fitsText(value, schema) && fitsNumber(value, schema) && fitsArray(value, schema)
      && fitsObject(value, schema)
  }

  private func hasType(_ value: JSONValue, _ schema: JSONValue) -> Bool {
    guard case .string(let type)? = schema["type"]?.content else { return true }
    if case .integer = value.content, ["integer", "number"].contains(type) { return true }
    return type == value.kind.rawValue
  }

  private func isListed(_ value: JSONValue, _ schema: JSONValue) -> Bool {
    guard case .array(let values)? = schema["enum"]?.content else { return true }
    return values.contains(value)
  }

  private func combines(_ value: JSONValue, _ schema: JSONValue) -> Bool {
    if case .array(let parts)? = schema["anyOf"]?.content,
      !parts.contains(where: { accepts(value, under: $0) })
    {
      return false
    }
    guard case .array(let parts)? = schema["oneOf"]?.content else { return true }
    return parts.filter { accepts(value, under: $0) }.count == 1
  }

  private func fitsText(_ value: JSONValue, _ schema: JSONValue) -> Bool {
    guard case .string(let text) = value.content else { return true }
    let count = Int64(text.unicodeScalars.count)
    guard isWithin(count, schema, "minLength", "maxLength") else { return false }
    guard case .string(let pattern)? = schema["pattern"]?.content else { return true }
    guard let expression = try? Regex(pattern).matchingSemantics(.unicodeScalar) else {
      return false
    }
    return text.contains(expression)
  }

  private func fitsNumber(_ value: JSONValue, _ schema: JSONValue) -> Bool {
    guard let number = value.number else { return true }
    func isMet(_ keyword: String, _ holds: (Double, Double) -> Bool) -> Bool {
      schema[keyword]?.number.map { holds(number, $0) } ?? true
    }
    return isMet("minimum", >=) && isMet("maximum", <=) && isMet("exclusiveMinimum", >)
      && isMet("exclusiveMaximum", <)
  }

  private func fitsArray(_ value: JSONValue, _ schema: JSONValue) -> Bool {
    guard case .array(let elements) = value.content else { return true }
    guard isWithin(Int64(elements.count), schema, "minItems", "maxItems") else { return false }
    if schema["uniqueItems"] == true, Set(elements).count < elements.count { return false }
    guard let items = schema["items"] else { return true }
    return elements.allSatisfy { accepts($0, under: items) }
  }

  private func fitsObject(_ value: JSONValue, _ schema: JSONValue) -> Bool {
    guard case .object(let members) = value.content else { return true }
    if case .array(let keys)? = schema["required"]?.content, !keys.allSatisfy({ has(value, $0) }) {
      return false
    }
    if case .object(let dependents)? = schema["dependentRequired"]?.content {
      for dependent in dependents where value[dependent.key] != nil {
        guard case .array(let keys) = dependent.value.content,
          keys.allSatisfy({ has(value, $0) })
        else { return false }
      }
    }
    let properties = schema["properties"]
    return members.allSatisfy { member in
      if let property = properties?[member.key] { return accepts(member.value, under: property) }
      return schema["additionalProperties"] != false
    }
  }

  private func has(_ object: JSONValue, _ key: JSONValue) -> Bool {
    guard case .string(let key) = key.content else { return false }
    return object[key] != nil
  }

  private func isWithin(
    _ count: Int64,
    _ schema: JSONValue,
    _ minimum: String,
    _ maximum: String
  ) -> Bool {
    if case .integer(let least)? = schema[minimum]?.content, count < least { return false }
    if case .integer(let most)? = schema[maximum]?.content, count > most { return false }
    return true
  }
}

extension JSONValue {
  /// The number that it is; nil for anything else.
  fileprivate var number: Double? {
    switch content {
    case .integer(let whole): Double(whole)
    case .number(let fraction): fraction
    case .null, .bool, .string, .array, .object: nil
    }
  }
}
