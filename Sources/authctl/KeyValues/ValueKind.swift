import LocalAuthJSON
import LocalAuthPropertyList
import LocalAuthToken
import LocalAuthWire

/// The kinds of value that people type.
enum ValueKind: String, CaseIterable, ExpressibleByArgument {
  case string
  case int
  case real
  case bool
  case date
  case data
  case json

  /// What a text of the kind looks like.
  var example: String {
    switch self {
    case .string: "a text"
    case .int: "a whole number from \(Int64.min) to \(Int64.max)"
    case .real: "a number such as 1.5, -2e9, inf or nan"
    case .bool: "true or false"
    case .date: "a day such as 2026-08-01, with or without a time such as T11:02:03Z"
    case .data: "base64"
    case .json:
      "JSON of at most \(JSONReader.defaultMaximumDepth) levels without null and without a key twice, whose whole numbers fit 64 bits"
    }
  }

  /// Reads a text; nil if it is no value of the kind.
  func value(_ text: String) -> PropertyList? {
    switch self {
    case .string: .string(text)
    case .int: Int64(text).map { .integer($0) }
    case .real: Self.number(text).map { .real($0) }
    case .bool: Bool(text).map { .boolean($0) }
    case .date: ValueDate.seconds(text).map { .date($0) }
    case .data: Self.bytes(text).map { .data($0) }
    case .json: Self.tree(text)
    }
  }

  /// Reads a number; nil for one that is too large, which would be kept as infinity.
  private static func number(_ text: String) -> Double? {
    guard let number = Double(text) else { return nil }
    return number.isInfinite && text.utf8.contains { (UInt8(ascii: "0")...UInt8(ascii: "9")) ~= $0 }
      ? nil : number
  }

  private static func bytes(_ text: String) -> [UInt8]? {
    var (decoder, bytes) = (Base64Decoder(), [UInt8]())
    for character in text.utf8 {
      let isTaken = decoder.take(character) {
        bytes.append($0)
        return true
      }
      guard isTaken else { return nil }
    }
    return decoder.isComplete ? bytes : nil
  }

  private static func tree(_ text: String) -> PropertyList? {
    let bytes = Array(text.utf8)
    guard let value = try? JSONValue(parsing: bytes.span), isExact(value, in: text) else {
      return nil
    }
    return PropertyList(value)
  }

  /// Whether no whole number is so large that it was read as another one.
  private static func isExact(_ value: JSONValue, in text: String) -> Bool {
    switch value.content {
    case .null, .bool, .integer, .string: return true
    case .array(let elements): return elements.allSatisfy { isExact($0, in: text) }
    case .object(let members): return members.allSatisfy { isExact($0.value, in: text) }
    case .number(let number):
      guard number.magnitude >= 0x1p63, let position = value.position else { return true }
      let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
      let written = lines[position.line - 1].dropFirst(position.column - 1)
      return written.prefix { "-+.eE0123456789".unicodeScalars.contains($0) }
        .contains { ".eE".unicodeScalars.contains($0) }
    }
  }
}

extension PropertyList {
  /// The property list of JSON; nil if a null is in it, which no property list has, or a key twice.
  init?(_ json: JSONValue) {
    switch json.content {
    case .null: return nil
    case .bool(let value): self = .boolean(value)
    case .integer(let number): self = .integer(number)
    case .number(let number): self = .real(number)
    case .string(let text): self = .string(text)
    case .array(let elements):
      let values = elements.compactMap { PropertyList($0) }
      guard values.count == elements.count else { return nil }
      self = .array(values)
    case .object(let members):
      var values: [String: PropertyList] = [:]
      for member in members {
        guard let value = PropertyList(member.value),
          values.updateValue(value, forKey: member.key) == nil
        else { return nil }
      }
      self = .dictionary(values)
    }
  }

  /// The kind under which the value would be typed again.
  var kind: ValueKind {
    switch self {
    case .string: .string
    case .boolean: .bool
    case .integer: .int
    case .real: .real
    case .date: .date
    case .data: .data
    case .array, .dictionary: .json
    }
  }

  /// The value as JSON: dates, data, and numbers that JSON does not have are texts.
  var json: JSONValue {
    switch self {
    case .boolean(let value): JSONValue(.bool(value))
    case .integer(let number): JSONValue(.integer(number))
    case .real(let number) where number.isFinite: JSONValue(.number(number))
    case .string, .real, .date, .data: JSONValue(.string(text))
    case .array(let values): JSONValue(.array(values.map(\.json)))
    case .dictionary(let values):
      JSONValue(
        .object(
          values.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
            .map { JSONValue.Member(key: $0.key, value: $0.value.json) }
        )
      )
    }
  }

  /// The value as it would be typed under its ``kind``.
  var text: String {
    switch self {
    case .string(let text): text
    case .boolean(let value): "\(value)"
    case .integer(let number): "\(number)"
    case .real(let number): "\(number)"
    case .date(let seconds): ValueDate.text(seconds)
    case .data(let bytes): Self.base64(bytes)
    case .array, .dictionary: line(of: json)
    }
  }

  private static func base64(_ bytes: [UInt8]) -> String {
    let text = Base64URL.encode(bytes).map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 }
    return String(text) + String(repeating: "=", count: (4 - text.count % 4) % 4)
  }

  private func line(of json: JSONValue) -> String {
    var bytes: [UInt8] = []
    // What was read from a property list is no deeper than the writer goes.
    try? json.write(into: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// Dates of property lists, which count seconds from the first moment of 2001.
enum ValueDate {
  /// That moment, in milliseconds since 1970.
  private static let epoch: Int64 = 978_307_200_000
  /// Dates of the years 1 to 9999 are shown as days.
  private static let calendar = -63_114_076_800.0..<252_423_993_600.0

  static func seconds(_ text: String) -> Double? {
    Timestamp.milliseconds(text, years: 1...9999).map { Double($0 - epoch) / 1000 }
  }

  static func text(_ seconds: Double) -> String {
    guard calendar.contains(seconds) else { return "\(seconds) seconds from 2001-01-01" }
    return Timestamp.text(Int64((seconds * 1000).rounded(.down)) + epoch)
  }
}
