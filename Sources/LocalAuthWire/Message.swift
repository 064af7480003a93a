public import LocalAuthJSON

/// A received call: `{"method": …, "parameters": …, "more": …}`.
public struct IncomingCall: Sendable {
  /// The method's full name.
  public var method: String
  /// The range of the parameters in the frame; nil if there are none.
  public var parameters: Range<Int>?
  /// Whether the caller accepts continuing replies.
  public var more: Bool
  /// Whether the caller wants no reply.
  public var oneway: Bool

  /// Reads a frame without its closing NUL; the parameters are checked to be valid JSON but not
  /// read.
  @unsafe
  public init(frame: UnsafeRawBufferPointer) throws(WireError) {
    var method: String?
    var parameters: Range<Int>?
    var more = false
    var oneway = false
    var reader = unsafe JSONReader(frame)
    do throws(JSONError) {
      try reader.beginObject()
      while let key = try reader.nextKey() {
        switch key {
        case "method": method = try reader.string()
        case "parameters": parameters = try reader.rangeOfValue()
        case "more": more = try reader.bool()
        case "oneway": oneway = try reader.bool()
        default: try reader.skipValue()
        }
      }
      try reader.end()
    } catch {
      throw .malformed(error)
    }
    guard let method else { throw .notAMessage("no method") }
    self.method = method
    self.parameters = parameters
    self.more = more
    self.oneway = oneway
  }

  /// Appends a call to `frame`, with the closing NUL.
  public static func write(
    _ method: String,
    _ parameters: some WireObject,
    more: Bool = false,
    to frame: inout [UInt8]
  ) throws(JSONWriteError) {
    try frame.append { writer in body(method, parameters, more: more, &writer) }
  }

  /// Writes a call that carries a secret into `memory`, with the closing NUL, and returns its size
  /// in bytes.
  @unsafe
  public static func write(
    _ method: String,
    _ parameters: some WireObject,
    more: Bool = false,
    into memory: UnsafeMutableRawBufferPointer
  ) throws(JSONWriteError) -> Int {
    guard memory.count > 1 else { throw .bufferFull }
    let room = unsafe UnsafeMutableRawBufferPointer(rebasing: memory.dropLast())
    var writer = unsafe WireWriter(WireSink(room))
    body(method, parameters, more: more, &writer)
    let count = try writer.finish().count
    unsafe memory[count] = 0
    return count + 1
  }

  private static func body(
    _ method: String,
    _ parameters: some WireObject,
    more: Bool,
    _ writer: inout WireWriter
  ) {
    writer.beginObject()
    writer.key("method")
    writer.string(method)
    writer.key("parameters")
    parameters.write(&writer)
    if more {
      writer.key("more")
      writer.bool(true)
    }
    writer.endObject()
  }
}

/// A received reply: `{"parameters": …, "continues": …}` or `{"error": …, "parameters": …}`.
public struct IncomingReply: Sendable {
  /// The error's full name, or nil.
  public var error: String?
  /// The range of the parameters in the frame; nil if there are none.
  public var parameters: Range<Int>?
  /// Whether another reply to the same call follows.
  public var continues: Bool

  /// Reads a frame without its closing NUL.
  @unsafe
  public init(frame: UnsafeRawBufferPointer) throws(WireError) {
    var name: String?
    var parameters: Range<Int>?
    var continues = false
    var reader = unsafe JSONReader(frame)
    do throws(JSONError) {
      try reader.beginObject()
      while let key = try reader.nextKey() {
        switch key {
        case "error": name = try reader.isNull() ? nil : try reader.string()
        case "parameters": parameters = try reader.rangeOfValue()
        case "continues": continues = try reader.bool()
        default: try reader.skipValue()
        }
      }
      try reader.end()
    } catch {
      throw .malformed(error)
    }
    error = name
    self.parameters = parameters
    self.continues = continues
  }

  /// Appends a reply to `frame`, with the closing NUL.
  public static func write(
    _ parameters: some WireObject,
    continues: Bool = false,
    to frame: inout [UInt8]
  ) throws(JSONWriteError) {
    try frame.append { writer in
      writer.beginObject()
      writer.key("parameters")
      parameters.write(&writer)
      if continues {
        writer.key("continues")
        writer.bool(true)
      }
      writer.endObject()
    }
  }

  /// Writes a last reply that carries a secret into `memory`, with the closing NUL, and returns its
  /// size in bytes.
  @unsafe
  public static func write(
    _ parameters: some WireObject,
    into memory: UnsafeMutableRawBufferPointer
  ) throws(JSONWriteError) -> Int {
    guard memory.count > 1 else { throw .bufferFull }
    let room = unsafe UnsafeMutableRawBufferPointer(rebasing: memory.dropLast())
    var writer = unsafe WireWriter(WireSink(room))
    writer.beginObject()
    writer.key("parameters")
    parameters.write(&writer)
    writer.endObject()
    let count = try writer.finish().count
    unsafe memory[count] = 0
    return count + 1
  }

  /// Appends an error to `frame`, with the closing NUL.
  public static func write(
    error name: String,
    _ parameters: some WireObject,
    to frame: inout [UInt8]
  ) throws(JSONWriteError) {
    try frame.append { writer in
      writer.beginObject()
      writer.key("error")
      writer.string(name)
      writer.key("parameters")
      parameters.write(&writer)
      writer.endObject()
    }
  }
}

extension WireObject {
  /// Reads the parameters at `range` of `frame`; nil counts as an empty object.
  @unsafe
  public static func read(
    _ range: Range<Int>?,
    of frame: UnsafeRawBufferPointer
  ) throws(WireError) -> Self {
    guard let range else {
      let none: [UInt8] = Array("{}".utf8)
      return try JSONReader.read(none.span) { (reader) throws(WireError) in try read(&reader) }
    }
    precondition(range.upperBound <= frame.count, "parameters belong to their frame")
    var reader = unsafe JSONReader(UnsafeRawBufferPointer(rebasing: frame[range]))
    return try read(&reader)
  }
}

extension JSONReader {
  /// Checks and skips the next value and returns its range.
  mutating func rangeOfValue() throws(JSONError) -> Range<Int> {
    _ = try peekKind()
    let start = offset
    try skipValue()
    return start..<offset
  }
}
