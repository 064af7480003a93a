public import LocalAuthJSON

/// A value of a field, read from and written as JSON in one way only.
public protocol WireValue {
  /// Reads the next value.
  static func read(_ reader: inout JSONReader) throws(WireError) -> Self
  /// Writes the value.
  func write(_ writer: inout WireWriter)
  /// Whether the value holds a secret, so that it must be written to memory that is wiped.
  var holdsSecret: Bool { get }
}

extension WireValue {
  /// False.
  public var holdsSecret: Bool { false }
}

extension String: WireValue {
  /// Reads a string.
  public static func read(_ reader: inout JSONReader) throws(WireError) -> String {
    try reading { () throws(JSONError) in try reader.string() }
  }
  /// Writes a string.
  public func write(_ writer: inout WireWriter) {
    writer.string(self)
  }
}

extension Int64: WireValue {
  /// Reads a whole number.
  public static func read(_ reader: inout JSONReader) throws(WireError) -> Int64 {
    try reading { () throws(JSONError) in try reader.int() }
  }
  /// Writes a whole number.
  public func write(_ writer: inout WireWriter) {
    writer.int(self)
  }
}

extension Bool: WireValue {
  /// Reads `true` or `false`.
  public static func read(_ reader: inout JSONReader) throws(WireError) -> Bool {
    try reading { () throws(JSONError) in try reader.bool() }
  }
  /// Writes `true` or `false`.
  public func write(_ writer: inout WireWriter) {
    writer.bool(self)
  }
}

extension Array: WireValue where Element: WireValue {
  /// Reads an array.
  public static func read(_ reader: inout JSONReader) throws(WireError) -> [Element] {
    var elements: [Element] = []
    try reading { () throws(JSONError) in try reader.beginArray() }
    while try reading({ () throws(JSONError) in try reader.nextElement() }) {
      elements.append(try Element.read(&reader))
    }
    return elements
  }
  /// Writes an array.
  public func write(_ writer: inout WireWriter) {
    writer.beginArray()
    for element in self { element.write(&writer) }
    writer.endArray()
  }
  /// Whether an element holds a secret.
  public var holdsSecret: Bool { contains { $0.holdsSecret } }
}

/// A secret in a message: never a copy, always a reference to its bytes.
///
/// When received, it is the range of the JSON string in the frame, to be decoded into locked memory
/// before the frame is wiped. When sent, it is memory that the caller keeps in place during the
/// call.
@safe
public struct WireSecret: WireValue, @unchecked Sendable {
  /// No secret, which a message holds before it is read.
  public static let none = WireSecret(range: 0..<0)

  @unsafe
  private enum Place {
    case frame(Range<Int>)
    case memory(UnsafeRawBufferPointer)
    case base64(UnsafeRawBufferPointer)
  }

  private let place: Place

  /// Creates a secret to send, whose bytes must stay in place while the message is written.
  @unsafe
  public init(borrowing bytes: UnsafeRawBufferPointer) { unsafe place = .memory(bytes) }

  /// Creates a secret to send as base64, whose bytes must stay in place while the message is
  /// written.
  @unsafe
  public init(base64Of bytes: UnsafeRawBufferPointer) { unsafe place = .base64(bytes) }

  private init(range: Range<Int>) { unsafe place = .frame(range) }

  /// True.
  public var holdsSecret: Bool { true }

  /// Checks the next string and keeps its range.
  public static func read(_ reader: inout JSONReader) throws(WireError) -> WireSecret {
    try reading { () throws(JSONError) in
      _ = try reader.peekKind()
      let start = reader.offset
      try reader.secretString { _ in true }
      return WireSecret(range: start..<reader.offset)
    }
  }

  /// Writes the bytes as a string, or as a string of base64.
  public func write(_ writer: inout WireWriter) {
    switch unsafe place {
    case .frame: preconditionFailure("a received secret is not sent on")
    // SAFETY: the creator of the value keeps the bytes in place.
    case .memory(let bytes): unsafe writer.secretString(bytes: bytes)
    // SAFETY: the same.
    case .base64(let bytes): unsafe writer.secretBase64(bytes: bytes)
    }
  }

  /// Decodes a received secret from the parameters it was read from, byte by byte.
  public func decode(
    from parameters: UnsafeRawBufferPointer,
    _ append: (UInt8) -> Bool
  ) throws(WireError) {
    guard case .frame(let range) = unsafe place, range.upperBound <= parameters.count else {
      preconditionFailure("a secret is decoded from the frame it came in")
    }
    // SAFETY: the range was checked, and the caller keeps the frame in place during the call.
    var reader = unsafe JSONReader(UnsafeRawBufferPointer(rebasing: parameters[range]))
    try reading { () throws(JSONError) in try reader.secretString(append) }
  }

  /// Returns the decoded size in bytes of a received secret that was sent as base64.
  ///
  /// Throws for text that is not strict base64.
  public func base64Size(in parameters: UnsafeRawBufferPointer) throws(WireError) -> Int {
    var count = 0
    // SAFETY: the caller keeps the frame in place during the call.
    try unsafe decodeBase64(from: parameters) { _ in
      count += 1
      return true
    }
    return count
  }

  /// Decodes a received secret that was sent as base64, byte by byte.
  ///
  /// Throws for text that is not strict base64, or if `append` has no room; the caller must wipe
  /// what it took until then.
  public func decodeBase64(
    from parameters: UnsafeRawBufferPointer,
    _ append: (UInt8) -> Bool
  ) throws(WireError) {
    var decoder = Base64Decoder()
    // SAFETY: the caller keeps the frame in place during the call.
    try unsafe decode(from: parameters) { decoder.take($0, append) }
    guard decoder.isComplete else { throw .invalidParameter("base64") }
  }
}

/// Bytes that are not secret, sent as a string of base64.
public struct WireBytes: WireValue, Hashable, Sendable {
  /// The bytes.
  public var bytes: [UInt8]

  /// Creates a value with these bytes.
  public init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Reads a string of strict base64.
  public static func read(_ reader: inout JSONReader) throws(WireError) -> WireBytes {
    var decoder = Base64Decoder()
    let bytes = try reading { () throws(JSONError) in
      try reader.lentString { text in Base64Decoder.bytes(of: text, endingIn: &decoder) }
    }
    guard decoder.isComplete else { throw .invalidParameter("base64") }
    return WireBytes(bytes)
  }

  /// Writes the bytes as a string of base64.
  public func write(_ writer: inout WireWriter) { writer.base64(bytes.span) }
}

/// Runs `body` and translates a JSON error into a `WireError`.
@inline(__always)
func reading<Result>(_ body: () throws(JSONError) -> Result) throws(WireError) -> Result {
  do throws(JSONError) {
    return try body()
  } catch {
    throw .malformed(error)
  }
}
