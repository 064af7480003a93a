public import LocalAuthJSON

/// What can stand behind a field's name: read from JSON and written as JSON in one way only.
public protocol WireValue {
  /// Reads the value that comes next.
  static func read(_ reader: inout JSONReader) throws(WireError) -> Self
  /// Writes the value.
  func write(_ writer: inout WireWriter)
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
}

/// A secret on its way through a message: never a copy, always a place where its bytes are.
///
/// Received, it is the JSON string's range in the frame, to be decoded into locked memory before
/// the frame is wiped. Sent, it is the memory that the caller keeps in place during the call.
@safe
public struct WireSecret: WireValue, @unchecked Sendable {
  /// No secret: what a message holds before it is read.
  public static let none = WireSecret(range: 0..<0)

  @unsafe
  private enum Place {
    case frame(Range<Int>)
    case memory(UnsafeRawBufferPointer)
  }

  private let place: Place

  /// A secret to send, which must stay in place while the message is written.
  @unsafe
  public init(borrowing bytes: UnsafeRawBufferPointer) { unsafe place = .memory(bytes) }

  private init(range: Range<Int>) { unsafe place = .frame(range) }

  /// Checks the string that comes next and remembers where it is.
  public static func read(_ reader: inout JSONReader) throws(WireError) -> WireSecret {
    try reading { () throws(JSONError) in
      _ = try reader.peekKind()
      let start = reader.offset
      try reader.secretString { _ in true }
      return WireSecret(range: start..<reader.offset)
    }
  }

  /// Writes the bytes as a string.
  public func write(_ writer: inout WireWriter) {
    switch unsafe place {
    case .frame: preconditionFailure("a received secret is not sent on")
    // SAFETY: whoever made the value keeps the bytes in place.
    case .memory(let bytes): unsafe writer.secretString(bytes: bytes)
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
}

/// Runs `body` and turns what JSON has against the text into an error of the wire.
@inline(__always)
func reading<Result>(_ body: () throws(JSONError) -> Result) throws(WireError) -> Result {
  do throws(JSONError) {
    return try body()
  } catch {
    throw .malformed(error)
  }
}
