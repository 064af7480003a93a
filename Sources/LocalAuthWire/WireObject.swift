public import LocalAuthJSON

/// A JSON object with named fields, described once for reading and writing.
public protocol WireObject: WireValue {
  /// Whether unknown fields are skipped instead of refused.
  static var ignoresUnknownFields: Bool { get }
  /// Creates the object before any field is read.
  init()
  /// Passes every field to `mapper`, in the order in which they are written.
  mutating func map(_ mapper: inout some FieldMapper) throws(WireError)
}

/// Visits the fields of a ``WireObject``.
public protocol FieldMapper {
  /// Visits a field that must be present.
  mutating func required<Value: WireValue>(
    _ name: StaticString,
    _ value: inout Value
  ) throws(WireError)
  /// Visits a field that may be absent or null.
  mutating func optional<Value: WireValue>(
    _ name: StaticString,
    _ value: inout Value?
  ) throws(WireError)
}

/// A reply of a service, in which clients accept fields that later versions added.
public protocol WireReply: WireObject {}

extension WireReply {
  /// True, because a client does not need what it does not know.
  public static var ignoresUnknownFields: Bool { true }
}

extension WireObject {
  /// False, so that a caller learns that part of its call was not understood.
  public static var ignoresUnknownFields: Bool { false }

  /// Reads an object; a missing field is an error, and so is an unknown field of a call.
  public static func read(_ reader: inout JSONReader) throws(WireError) -> Self {
    // SAFETY: the decoder does not outlive the closure, in which the pointer is valid.
    try unsafe withUnsafeMutablePointer(to: &reader) { (pointer) throws(WireError) -> Self in
      var object = Self()
      var decoder = unsafe FieldDecoder(pointer)
      try decoder.read(&object)
      return object
    }
  }

  /// Writes an object; fields without a value are left out.
  public func write(_ writer: inout WireWriter) {
    writer.beginObject()
    // SAFETY: the encoder does not outlive the closure, in which the pointer is valid.
    unsafe withUnsafeMutablePointer(to: &writer) { pointer in
      var copy = self
      var encoder = unsafe FieldEncoder(pointer)
      // Writing a field never throws; the writer reports its errors at the end.
      try? copy.map(&encoder)
    }
    writer.endObject()
  }

  /// Whether a field holds a secret.
  public var holdsSecret: Bool {
    var copy = self
    var finder = SecretFinder()
    // The finder never throws.
    try? copy.map(&finder)
    return finder.hasFound
  }
}

/// Finds secrets among an object's fields, so that no list of messages with secrets has to be kept.
private struct SecretFinder: FieldMapper {
  private(set) var hasFound = false

  mutating func required<Value: WireValue>(_ name: StaticString, _ value: inout Value) {
    if value.holdsSecret { hasFound = true }
  }

  mutating func optional<Value: WireValue>(_ name: StaticString, _ value: inout Value?) {
    if let value, value.holdsSecret { hasFound = true }
  }
}

/// Reads one object: for each key of the text, the field of that name.
///
/// One pass over the fields takes all keys that come in the order of the fields. We write them in
/// that order, so one pass reads a message; keys in another order cost another pass each.
@safe
private struct FieldDecoder: FieldMapper {
  private enum Step {
    case reading
    case checking
  }

  private let reader: UnsafeMutablePointer<JSONReader>
  private var step: Step = .checking
  private var index = 0
  private var seen: UInt64 = 0
  /// The key whose value comes next; nil at the end of the object.
  private var key: JSONKey?
  private var isMatched = false

  @unsafe
  init(_ reader: UnsafeMutablePointer<JSONReader>) { unsafe self.reader = reader }

  mutating func read<Object: WireObject>(_ object: inout Object) throws(WireError) {
    try reading { () throws(JSONError) in try unsafe reader.pointee.beginObject() }
    try readKey()
    while let unread = key {
      begin(.reading)
      try object.map(&self)
      guard !isMatched else { continue }
      guard Object.ignoresUnknownFields else { throw .invalidParameter(unread.string) }
      try reading { () throws(JSONError) in try unsafe reader.pointee.skipValue() }
      try readKey()
    }
    begin(.checking)
    try object.map(&self)
  }

  mutating func required<Value: WireValue>(
    _ name: StaticString,
    _ value: inout Value
  ) throws(WireError) {
    defer { index += 1 }
    switch step {
    case .checking: try check(name)
    case .reading:
      guard let key, key == name else { return }
      match()
      value = try read(name)
      try readKey()
    }
  }

  mutating func optional<Value: WireValue>(
    _ name: StaticString,
    _ value: inout Value?
  ) throws(WireError) {
    defer { index += 1 }
    guard step == .reading, let key, key == name else { return }
    match()
    let isNull = try reading { () throws(JSONError) in try unsafe reader.pointee.isNull() }
    value = isNull ? nil : try read(name)
    try readKey()
  }

  private mutating func readKey() throws(WireError) {
    key = try reading { () throws(JSONError) in try unsafe reader.pointee.nextKey() }
  }

  private func read<Value: WireValue>(_ name: StaticString) throws(WireError) -> Value {
    do throws(WireError) {
      return try unsafe Value.read(&reader.pointee)
    } catch {
      guard case .invalidParameter(let inner) = error else { throw .invalidParameter("\(name)") }
      throw .invalidParameter("\(name).\(inner)")
    }
  }

  private mutating func begin(_ step: Step) {
    self.step = step
    index = 0
    isMatched = false
  }

  private mutating func match() {
    isMatched = true
    seen |= 1 << UInt64(index)
  }

  private func check(_ name: StaticString) throws(WireError) {
    guard seen & (1 << UInt64(index)) == 0 else { return }
    throw .invalidParameter("\(name)")
  }
}

/// Writes the fields of one object.
@safe
private struct FieldEncoder: FieldMapper {
  private let writer: UnsafeMutablePointer<WireWriter>

  @unsafe
  init(_ writer: UnsafeMutablePointer<WireWriter>) { unsafe self.writer = writer }

  mutating func required<Value: WireValue>(_ name: StaticString, _ value: inout Value) {
    unsafe writer.pointee.key(name)
    unsafe value.write(&writer.pointee)
  }

  mutating func optional<Value: WireValue>(_ name: StaticString, _ value: inout Value?) {
    guard var present = value.take() else { return }
    required(name, &present)
  }
}
