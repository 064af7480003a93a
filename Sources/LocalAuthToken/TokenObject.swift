import LocalAuthJSON

/// Strict access to the members of a JSON object: each must exist and have the right type.
struct TokenObject {
  private let value: JSONValue
  /// The nesting depth of a key set.
  private static let depthMax = 4

  init(_ bytes: [UInt8], _ part: TokenError.Part) throws(TokenError) {
    let value: JSONValue
    do throws(JSONError) {
      value = try JSONValue(parsing: bytes.span, maximumDepth: Self.depthMax)
    } catch {
      throw .malformed(part)
    }
    try self.init(value, part)
  }

  init(_ value: JSONValue, _ part: TokenError.Part) throws(TokenError) {
    guard case .object = value.content else { throw .malformed(part) }
    self.value = value
  }

  func has(_ name: String) -> Bool { value[name] != nil }

  func string(_ name: String) throws(TokenError) -> String {
    guard case .string(let text) = try member(name).content else { throw .invalid(name) }
    return text
  }

  func optionalString(_ name: String) throws(TokenError) -> String? {
    has(name) ? try string(name) : nil
  }

  func bool(_ name: String) throws(TokenError) -> Bool {
    guard case .bool(let flag) = try member(name).content else { throw .invalid(name) }
    return flag
  }

  /// Seconds since 1970, within the range that every JSON parser represents exactly.
  func seconds(_ name: String) throws(TokenError) -> Int64 {
    guard case .integer(let number) = try member(name).content, (0...1 << 53).contains(number)
    else { throw .invalid(name) }
    return number
  }

  func strings(_ name: String) throws(TokenError) -> [String] {
    try array(name).map { value throws(TokenError) in
      guard case .string(let text) = value.content else { throw .invalid(name) }
      return text
    }
  }

  func array(_ name: String) throws(TokenError) -> [JSONValue] {
    guard case .array(let values) = try member(name).content else { throw .invalid(name) }
    return values
  }

  /// Bytes encoded as base64url.
  func bytes(_ name: String) throws(TokenError) -> [UInt8] {
    guard let bytes = Base64URL.decode(Array(try string(name).utf8)) else { throw .invalid(name) }
    return bytes
  }

  private func member(_ name: String) throws(TokenError) -> JSONValue {
    guard let found = value[name] else { throw .missing(name) }
    return found
  }
}
