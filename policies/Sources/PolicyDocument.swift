import LocalAuthCore
import LocalAuthJSON

/// A parsed file with its name, so that every error can state its location.
struct PolicyDocument {
  let file: String
  let root: JSONValue

  init(_ bytes: [UInt8], file: String) throws(PolicyError) {
    self.file = file
    guard bytes.count <= PolicyFile.sizeLimit else { throw PolicyError(.tooLarge, file: file) }
    do throws(JSONError) {
      root = try JSONValue(parsing: bytes.span, maximumDepth: PolicyFile.jsonDepthLimit)
    } catch {
      throw PolicyError(
        .notJSON(error.kind),
        file: file,
        position: error.position(in: bytes.span)
      )
    }
  }

  func error(_ problem: PolicyError.Problem, at value: JSONValue) -> PolicyError {
    PolicyError(problem, file: file, position: value.position)
  }

  /// Returns `value` as an object whose keys must all be among `keys`.
  func object(
    _ value: JSONValue,
    named name: String,
    keys: [String]
  ) throws(PolicyError)
    -> PolicyObject
  {
    guard case .object(let members) = value.content else {
      throw error(.wrongType(key: name, allowed: "an object"), at: value)
    }
    for member in members where !keys.contains(member.key) {
      throw PolicyError(
        .unknownKey(member.key, allowed: keys),
        file: file,
        position: member.position
      )
    }
    return PolicyObject(document: self, value: value)
  }
}

/// An object of a file, read by key; the error for an invalid value states the allowed ones.
struct PolicyObject {
  let document: PolicyDocument
  let value: JSONValue

  func find(_ key: String) -> JSONValue? { value[key] }

  /// Unwraps the value found at `key`, which is required.
  func required<Found>(_ key: String, _ found: Found?) throws(PolicyError) -> Found {
    guard let found else { throw document.error(.missingKey(key), at: value) }
    return found
  }

  /// Reads displayable text of 1 to `limit` characters.
  func text(_ key: String, limit: Int) throws(PolicyError) -> String? {
    let rule = "text of 1 to \(limit) characters that can be shown on one line"
    guard let found = find(key) else { return nil }
    let text = try string(found, key: key, allowed: rule)
    guard (1...limit).contains(text.unicodeScalars.count), PolicyText.isShowable(text) else {
      throw notAllowed(key, text, rule, at: found)
    }
    return text
  }

  func name(_ key: String) throws(PolicyError) -> String? {
    guard let found = find(key) else { return nil }
    let text = try string(found, key: key, allowed: "a name: \(PolicyText.nameRule)")
    guard PolicyText.isName(text) else {
      let isOwnPrefixed = key == "name" && text.hasPrefix("user/")
      let remark = isOwnPrefixed ? "; 'user/' is put before it by itself" : ""
      let rule = PolicyText.nameRule + remark
      throw notAllowed(key, text, rule, at: found)
    }
    return text
  }

  func acr(_ key: String) throws(PolicyError) -> String? {
    guard let found = find(key) else { return nil }
    let text = try string(found, key: key, allowed: PolicyText.acrRule)
    guard PolicyText.isACR(text) else { throw notAllowed(key, text, PolicyText.acrRule, at: found) }
    return text
  }

  /// Reads a string that `isAllowed` accepts; `rule` says which those are.
  func matching(
    _ key: String,
    _ rule: String,
    _ isAllowed: (String) -> Bool
  ) throws(PolicyError) -> String? {
    guard let found = find(key) else { return nil }
    return try matching(found, key, rule, isAllowed)
  }

  /// Reads `found`, the value of `key` or an element of it, as a string that `isAllowed` accepts.
  func matching(
    _ found: JSONValue,
    _ key: String,
    _ rule: String,
    _ isAllowed: (String) -> Bool
  ) throws(PolicyError) -> String {
    let text = try string(found, key: key, allowed: rule)
    guard isAllowed(text) else { throw notAllowed(key, text, rule, at: found) }
    return text
  }

  func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ key: String,
    of choices: Choice.Type
  ) throws(PolicyError) -> Choice? {
    guard let found = find(key) else { return nil }
    let allowed = PolicyText.list(choices.allCases.map(\.rawValue))
    let text = try string(found, key: key, allowed: "one of \(allowed)")
    guard let choice = Choice(rawValue: text) else {
      throw notAllowed(key, text, allowed, at: found)
    }
    return choice
  }

  func flag(_ key: String) throws(PolicyError) -> Bool? {
    guard let found = find(key) else { return nil }
    guard case .bool(let flag) = found.content else {
      throw document.error(.wrongType(key: key, allowed: "true or false"), at: found)
    }
    return flag
  }

  func count(_ key: String, in range: ClosedRange<UInt32>) throws(PolicyError) -> UInt32? {
    guard let found = find(key) else { return nil }
    let rule = "a whole number from \(range.lowerBound) to \(range.upperBound)"
    switch found.content {
    case .integer(let number):
      guard let count = UInt32(exactly: number), range.contains(count) else {
        throw notAllowed(key, String(number), rule, at: found)
      }
      return count
    case .number(let number): throw notAllowed(key, number.description, rule, at: found)
    case .null, .bool, .string, .array, .object:
      throw document.error(.wrongType(key: key, allowed: rule), at: found)
    }
  }

  func number(_ key: String, in range: NumberRange) throws(PolicyError) -> Double? {
    guard let found = find(key) else { return nil }
    let number: Double
    switch found.content {
    case .integer(let whole): number = Double(whole)
    case .number(let fraction): number = fraction
    case .null, .bool, .string, .array, .object:
      throw document.error(.wrongType(key: key, allowed: range.rule), at: found)
    }
    guard range.contains(number) else {
      throw notAllowed(key, number.description, range.rule, at: found)
    }
    return number
  }

  func duration(_ key: String, in range: DurationRange) throws(PolicyError) -> Duration? {
    guard let found = find(key) else { return nil }
    let text = try string(found, key: key, allowed: range.rule)
    guard let duration = range.duration(text) else {
      throw notAllowed(key, text, range.rule, at: found)
    }
    return duration
  }

  /// Returns the error that `key` contradicts another setting.
  func contradiction(_ text: String, at key: String) -> PolicyError {
    document.error(.contradiction(text), at: value[key] ?? value)
  }

  private func string(
    _ found: JSONValue,
    key: String,
    allowed: String
  ) throws(PolicyError)
    -> String
  {
    guard case .string(let text) = found.content else {
      throw document.error(.wrongType(key: key, allowed: allowed), at: found)
    }
    return text
  }

  private func notAllowed(
    _ key: String,
    _ found: String,
    _ allowed: String,
    at value: JSONValue
  )
    -> PolicyError
  {
    document.error(.notAllowed(key: key, found: found, allowed: allowed), at: value)
  }
}
