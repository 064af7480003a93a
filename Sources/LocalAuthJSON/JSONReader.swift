/// Reads one JSON text, value by value, without copying it.
///
/// The caller asks for what it expects, and the reader throws ``JSONError`` if the text differs:
///
/// ```swift
/// try reader.beginObject()
/// while let key = try reader.nextKey() {
///   switch key {
///   case "policy": policy = try reader.string()
///   default: try reader.skipValue()
///   }
/// }
/// try reader.end()
/// ```
///
/// It follows RFC 8259 to the letter and is stricter where that leaves a choice: keys in an object
/// are unique, strings are UTF-8 without lone surrogates, and there is no byte order mark. After an
/// error the reader must not be used again. Apart from the strings that are asked for, it allocates
/// nothing for keys of up to 24 bytes without escapes, if all open objects have no more than 30 of
/// them.
@safe
public struct JSONReader: ~Copyable {
  /// How many keys one object may have.
  public static let maximumKeys = 256
  /// How deeply objects and arrays may be nested unless the caller says otherwise.
  public static let defaultMaximumDepth = 32

  let source: UnsafeBufferPointer<UInt8>
  /// How many bytes have been read; after ``peekKind()``, where the next value begins.
  public internal(set) var offset = 0
  private let maximumDepth: Int
  private var depth = 0
  /// Whether nothing of the innermost object or array has been read.
  private var isFresh = false
  private var keys = JSONKeyRegister()

  /// Reads `bytes`, which must stay in place and unchanged while the reader exists.
  ///
  /// For a `Span`, ``read(_:maximumDepth:_:)`` is the safe way.
  @unsafe
  public init(
    _ bytes: UnsafeRawBufferPointer,
    maximumDepth: Int = JSONReader.defaultMaximumDepth
  ) {
    // SAFETY: bytes of any memory may be read as UInt8; the caller answers for the lifetime.
    unsafe source = bytes.bindMemory(to: UInt8.self)
    self.maximumDepth = maximumDepth
  }

  /// Calls `body` with a reader over `text` that is valid only during the call.
  ///
  /// `body` calls ``end()`` last, to refuse trailing content.
  @inlinable
  public static func read<Result: ~Copyable, Failure: Error>(
    _ text: Span<UInt8>,
    maximumDepth: Int = JSONReader.defaultMaximumDepth,
    _ body: (inout JSONReader) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // SAFETY: the span keeps the bytes in place during the call.
    try unsafe text.withUnsafeBytes { (bytes) throws(Failure) -> Result in
      var reader = unsafe JSONReader(bytes, maximumDepth: maximumDepth)
      return try body(&reader)
    }
  }

  /// Enters an object; continue with ``nextKey()``.
  public mutating func beginObject() throws(JSONError) {
    try open(UInt8(ascii: "{"), .object)
    keys.enterObject()
  }

  /// The next key of the object, whose value must be read or skipped next; nil leaves the object.
  public mutating func nextKey() throws(JSONError) -> JSONKey? {
    isAtEndOfObject() ? nil : try key()
  }

  /// Leaves the object if it ends here, and returns whether it does.
  private mutating func isAtEndOfObject() -> Bool {
    guard peek() == UInt8(ascii: "}") else { return false }
    close()
    keys.leaveObject()
    return true
  }

  /// The next key of an object that does not end here.
  private mutating func key() throws(JSONError) -> JSONKey {
    var byte = peek()
    if !isFresh { byte = try peekAfterComma(byte) }
    isFresh = false
    guard byte == UInt8(ascii: "\"") else { throw failure(.expectedKey) }
    let key = JSONKey(try scanString(), in: unsafe source.span)
    guard peek() == UInt8(ascii: ":") else { throw failure(.expectedColon) }
    offset += 1
    guard keys.keyCount < Self.maximumKeys else { throw JSONError(.tooManyKeys, at: key.offset) }
    guard keys.insert(key) else { throw JSONError(.duplicateKey, at: key.offset) }
    return key
  }

  /// Enters an array; continue with ``nextElement()``.
  public mutating func beginArray() throws(JSONError) {
    try open(UInt8(ascii: "["), .array)
  }

  /// Whether the array has another element, which must be read or skipped next.
  ///
  /// False leaves the array.
  public mutating func nextElement() throws(JSONError) -> Bool {
    let byte = peek()
    if byte == UInt8(ascii: "]") {
      close()
      return false
    }
    if !isFresh { _ = try peekAfterComma(byte) }
    isFresh = false
    return true
  }

  /// The kind of the next value, which stays unread.
  public mutating func peekKind() throws(JSONError) -> JSONKind {
    switch peek() {
    case UInt8(ascii: "{"): return .object
    case UInt8(ascii: "["): return .array
    case UInt8(ascii: "\""): return .string
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number
    case UInt8(ascii: "t"), UInt8(ascii: "f"): return .boolean
    case UInt8(ascii: "n"): return .null
    default: throw failure(.expectedValue)
    }
  }

  /// Reads and discards the next value, as strictly as if it were wanted.
  ///
  /// Only the range of its numbers is not checked.
  public mutating func skipValue() throws(JSONError) {
    switch try peekKind() {
    case .object:
      try beginObject()
      while !isAtEndOfObject() {
        _ = try key()
        try skipValue()
      }
    case .array:
      try beginArray()
      while try nextElement() { try skipValue() }
    case .string: _ = try scanString()
    case .number: _ = try scanNumber()
    case .boolean: _ = try bool()
    case .null: _ = try isNull()
    }
  }

  /// Checks that the text has been read to its end.
  public mutating func end() throws(JSONError) {
    precondition(depth == 0, "end() inside an object or array")
    _ = peek()
    guard unsafe offset == source.count else { throw JSONError(.trailingContent, at: offset) }
  }

  /// The next byte that is not white space, which stays unread; 0 at the end.
  ///
  /// A zero byte in the text is no token either, so callers need not tell the two apart.
  @inline(__always)
  mutating func peek() -> UInt8 {
    let text = unsafe source.span
    while offset < text.count {
      switch text[offset] {
      case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"):
        offset += 1
      case let byte: return byte
      }
    }
    return 0
  }

  /// The error `kind` at the next byte, or `unexpectedEnd` if there is none.
  func failure(_ kind: JSONError.Kind) -> JSONError {
    let isInside = unsafe offset < source.count
    return JSONError(isInside ? kind : .unexpectedEnd, at: offset)
  }

  @inline(__always)
  private mutating func peekAfterComma(_ byte: UInt8) throws(JSONError) -> UInt8 {
    guard byte == UInt8(ascii: ",") else { throw failure(.expectedCommaOrEnd) }
    offset += 1
    return peek()
  }

  private mutating func open(_ bracket: UInt8, _ kind: JSONKind) throws(JSONError) {
    guard peek() == bracket else { throw mismatch(kind) }
    guard depth < maximumDepth else { throw JSONError(.tooDeep, at: offset) }
    offset += 1
    depth += 1
    isFresh = true
  }

  private mutating func close() {
    precondition(depth > 0, "read beyond the end of an object or array")
    offset += 1
    depth -= 1
    isFresh = false
  }
}
