/// A Varlink interface description, read anew here: tests must not believe our own encoder.
public struct VarlinkInterface: Sendable {
  /// A type.
  public indirect enum Kind: Sendable {
    case bool, int, float, string, object
    case named(String)
    case choice([String])
    case structure([Field])
    case array(Kind)
    case map(Kind)
    case optional(Kind)
  }

  /// A field of a structure, a parameter of a method or of an error.
  public struct Field: Sendable {
    /// Its name.
    public let name: String
    /// Its type.
    public let kind: Kind
  }

  /// What a method takes and answers.
  public struct Method: Sendable {
    /// The parameters.
    public let input: [Field]
    /// The fields of a reply.
    public let output: [Field]
  }

  /// The text is no description.
  public struct SyntaxError: Error {
    let near: String
  }

  /// The interface's name.
  public private(set) var name = ""
  /// The types that have a name.
  public private(set) var types: [String: Kind] = [:]
  /// The methods, by name.
  public private(set) var methods: [String: Method] = [:]
  /// The parameters of the errors, by name.
  public private(set) var errors: [String: [Field]] = [:]
  private let words: [String]
  private var place = 0

  /// Reads a description.
  public init(parsing text: String) throws {
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
  /// Whether a value may be absent.
  public var isOptional: Bool {
    if case .optional = self { return true }
    return false
  }

  /// The type of a value that is there.
  public var wrapped: Self {
    if case .optional(let kind) = self { return kind }
    return self
  }
}
