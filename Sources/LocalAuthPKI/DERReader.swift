/// One DER element: its tag, its content, and all of its bytes.
struct DERElement: Hashable, Sendable {
  let tag: UInt8
  let content: ArraySlice<UInt8>
  let whole: ArraySlice<UInt8>
}

/// The tags used in certificates.
enum DERTag {
  static let boolean: UInt8 = 0x01
  static let integer: UInt8 = 0x02
  static let bitString: UInt8 = 0x03
  static let octetString: UInt8 = 0x04
  static let objectIdentifier: UInt8 = 0x06
  static let utf8String: UInt8 = 0x0c
  static let printableString: UInt8 = 0x13
  static let t61String: UInt8 = 0x14
  static let videotexString: UInt8 = 0x15
  static let ia5String: UInt8 = 0x16
  static let utcTime: UInt8 = 0x17
  static let generalizedTime: UInt8 = 0x18
  static let visibleString: UInt8 = 0x1a
  static let generalString: UInt8 = 0x1b
  static let universalString: UInt8 = 0x1c
  static let bmpString: UInt8 = 0x1e
  static let sequence: UInt8 = 0x30
  static let set: UInt8 = 0x31

  /// The context-specific tag with this number, for explicit or implicit tagging.
  static func context(_ number: UInt8, isConstructed: Bool) -> UInt8 {
    0x80 | (isConstructed ? 0x20 : 0) | number
  }
}

/// Reads consecutive DER elements.
///
/// Lengths must use the shortest form and tags must fit one byte; an element must lie within the
/// one that contains it.
struct DERReader {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  var isAtEnd: Bool { rest.isEmpty }

  /// The next element.
  mutating func next() throws(PKIError) -> DERElement {
    guard rest.count >= 2, let tag = rest.first, tag & 0x1f != 0x1f else { throw .malformed }
    let start = rest.startIndex
    var (size, header) = (Int(rest[start + 1]), 2)
    if size & 0x80 != 0 {
      let digits = rest.dropFirst(2).prefix(size & 0x7f)
      guard (1...4).contains(size & 0x7f), digits.count == size & 0x7f, digits.first != 0 else {
        throw .malformed
      }
      header += digits.count
      size = digits.reduce(0) { $0 << 8 | Int($1) }
      guard size >= 0x80 else { throw .malformed }
    }
    let whole = rest.prefix(header + size)
    guard whole.count == header + size else { throw .malformed }
    rest = rest.dropFirst(whole.count)
    return DERElement(tag: tag, content: whole.dropFirst(header), whole: whole)
  }

  /// The next element, which must have tag `tag`.
  mutating func next(_ tag: UInt8) throws(PKIError) -> DERElement {
    let element = try next()
    guard element.tag == tag else { throw .malformed }
    return element
  }

  /// The next element if it has tag `tag`; otherwise returns nil and reads nothing.
  mutating func next(ifTagged tag: UInt8) throws(PKIError) -> DERElement? {
    rest.first == tag ? try next() : nil
  }

  /// Throws unless everything was read.
  func finish() throws(PKIError) {
    guard rest.isEmpty else { throw .malformed }
  }

  /// The only element of `bytes`, which must have tag `tag`.
  static func only(_ tag: UInt8, in bytes: ArraySlice<UInt8>) throws(PKIError) -> DERElement {
    var reader = DERReader(bytes)
    let element = try reader.next(tag)
    try reader.finish()
    return element
  }

  /// Encodes an element with this content.
  static func element(_ tag: UInt8, _ content: some Collection<UInt8>) -> [UInt8] {
    var digits: [UInt8] = []
    var size = content.count
    while content.count >= 0x80, size > 0 {
      digits.insert(UInt8(truncatingIfNeeded: size), at: 0)
      size >>= 8
    }
    let length = digits.isEmpty ? [UInt8(content.count)] : [0x80 | UInt8(digits.count)] + digits
    return [tag] + length + content
  }
}
