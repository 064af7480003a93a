/// Why a text is not the JSON that the reader was asked for, and where.
///
/// It never carries a part of the text, because the text may hold a secret.
public struct JSONError: Error, Hashable, Sendable {
  /// What is wrong.
  public enum Kind: Hashable, Sendable {
    /// The text ends inside a value, or is empty.
    case unexpectedEnd
    /// Something follows the one value of the text.
    case trailingContent
    /// There is no value where one must be.
    case expectedValue
    /// There is a value, but of another kind than was asked for.
    case expected(JSONKind)
    /// An object continues with something that is not a quoted key.
    case expectedKey
    /// A key is not followed by a colon.
    case expectedColon
    /// A value in an object or array is followed by neither a comma nor the end.
    case expectedCommaOrEnd
    /// A number breaks the grammar, for instance with a leading zero.
    case invalidNumber
    /// A number that must be whole has a fraction or an exponent.
    case expectedInteger
    /// A number does not fit 64 bits, or is too large for a double.
    case numberOutOfRange
    /// A backslash begins no escape of JSON.
    case invalidEscape
    /// A `\u` escape names half of a surrogate pair.
    case loneSurrogate
    /// The bytes of a string are not UTF-8.
    case invalidUTF8
    /// A control character in a string is not escaped.
    case controlCharacter
    /// A key occurs twice in one object.
    case duplicateKey
    /// An object has more than ``JSONReader/maximumKeys`` keys.
    case tooManyKeys
    /// Objects and arrays are nested deeper than allowed.
    case tooDeep
    /// A string is longer than the memory it was to be read into.
    case stringTooLong
  }

  /// What is wrong.
  public let kind: Kind
  /// The byte at which it is wrong, counted from 0; the length of the text when it ends too early.
  public let offset: Int

  /// Makes the error `kind` at the byte `offset`.
  public init(_ kind: Kind, at offset: Int) {
    self.kind = kind
    self.offset = offset
  }

  /// Line and column of the error in the text that was read.
  public func position(in text: Span<UInt8>) -> JSONPosition {
    JSONPosition(offset: offset, in: text)
  }
}

extension JSONError: CustomStringConvertible {
  /// One line that says what is wrong and at which byte.
  public var description: String { "\(kind) (byte \(offset))" }
}

extension JSONError.Kind: CustomStringConvertible {
  /// One line that says what is wrong.
  public var description: String {
    switch self {
    case .unexpectedEnd: "the text ends too early; complete the value"
    case .trailingContent: "something follows the value; remove it"
    case .expectedValue: "a value is missing here"
    case .expected(let kind): "\(kind) is needed here"
    case .expectedKey: "a quoted key is needed here"
    case .expectedColon: "a colon is needed after a key"
    case .expectedCommaOrEnd: "a comma or the closing bracket is needed here"
    case .invalidNumber: "this is not a number as JSON writes it"
    case .expectedInteger: "a whole number is needed here"
    case .numberOutOfRange: "this number is too large"
    case .invalidEscape: "this escape does not exist; write a backslash as \\\\"
    case .loneSurrogate: "this \\u escape is half of a pair; write both halves"
    case .invalidUTF8: "this is not UTF-8"
    case .controlCharacter: "a control character must be escaped in a string"
    case .duplicateKey: "this key occurs twice in its object; remove one"
    case .tooManyKeys: "this object has more than \(JSONReader.maximumKeys) keys"
    case .tooDeep: "objects and arrays are nested too deeply"
    case .stringTooLong: "this string is too long"
    }
  }
}
