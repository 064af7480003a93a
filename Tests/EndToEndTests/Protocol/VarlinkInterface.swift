import LocalAuthJSON

/// A Varlink interface description, read anew here: the test must not believe our own encoder.
struct VarlinkInterface {
  indirect enum Kind {
    case bool, int, float, string, object
    case named(String)
    case choice([String])
    case structure([Field])
    case array(Kind)
    case map(Kind)
    case optional(Kind)
  }

  struct Field {
    var name: String
    var kind: Kind
  }

  struct Method {
    var input: [Field]
    var output: [Field]
  }

  struct SyntaxError: Error {
    var near: String
  }

  private(set) var name = ""
  private(set) var types: [String: Kind] = [:]
  private(set) var methods: [String: Method] = [:]
  private(set) var errors: [String: [Field]] = [:]
  private let words: [String]
  private var place = 0

  init(parsing text: String) throws {
    words = Self.words(of: text)
    try expect("interface")
    name = try next()
    while place < words.count {
      let word = try next()
      switch word {
      case "type": types[try next()] = try kind()
      case "method":
        let name = try next()
        let input = try fields()
        try expect("-")
        try expect(">")
        methods[name] = Method(input: input, output: try fields())
      case "error": errors[try next()] = try fields()
      default: throw SyntaxError(near: word)
      }
    }
  }

  // MARK: Conformity

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

  // MARK: Syntax

  private static func words(of text: String) -> [String] {
    var words: [String] = []
    for line in text.split(separator: "\n") {
      var word = ""
      for character in line.prefix(while: { $0 != "#" }) + " " {
        if character.isLetter || character.isNumber || character == "." || character == "_" {
          word.append(character)
          continue
        }
        if !word.isEmpty { words.append(word) }
        word = ""
        if !character.isWhitespace { words.append(String(character)) }
      }
    }
    return words
  }

  private mutating func next() throws -> String {
    guard let word = peek(0) else { throw SyntaxError(near: "the end") }
    place += 1
    return word
  }

  private func peek(_ distance: Int) -> String? {
    place + distance < words.count ? words[place + distance] : nil
  }

  private mutating func expect(_ wanted: String) throws {
    let word = try next()
    guard word == wanted else { throw SyntaxError(near: word) }
  }

  private mutating func kind() throws -> Kind {
    // In a structure a colon follows the first name; in a choice a comma or the end does.
    if peek(0) == "(" { return peek(2) == ":" ? .structure(try fields()) : try choice() }
    let word = try next()
    switch word {
    case "?": return .optional(try kind())
    case "[":
      let isMap = peek(0) == "string"
      if isMap { try expect("string") }
      try expect("]")
      return isMap ? .map(try kind()) : .array(try kind())
    case "bool": return .bool
    case "int": return .int
    case "float": return .float
    case "string": return .string
    case "object": return .object
    default: return .named(word)
    }
  }

  private mutating func choice() throws -> Kind {
    try expect("(")
    var words: [String] = []
    while true {
      words.append(try next())
      let separator = try next()
      if separator == ")" { return .choice(words) }
      guard separator == "," else { throw SyntaxError(near: separator) }
    }
  }

  private mutating func fields() throws -> [Field] {
    try expect("(")
    var fields: [Field] = []
    while true {
      let name = try next()
      if name == ")" { return fields }
      if name == "," { continue }
      try expect(":")
      fields.append(Field(name: name, kind: try kind()))
    }
  }
}

extension VarlinkInterface.Kind {
  var isOptional: Bool {
    if case .optional = self { return true }
    return false
  }
}
