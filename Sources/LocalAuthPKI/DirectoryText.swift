/// Converts attribute values of names to text.
enum DirectoryText {
  /// The text of `element`, or its bytes in hexadecimal if it is not text.
  static func of(_ element: DERElement) -> String {
    decoded(element) ?? hexadecimal(element.content)
  }

  private static func decoded(_ element: DERElement) -> String? {
    // Some issuers include the zero at the end of a C string.
    let isWide = element.tag == DERTag.bmpString
    let hasEnd = !isWide && element.content.last == 0
    let bytes = hasEnd ? element.content.dropLast() : element.content
    switch element.tag {
    case DERTag.printableString, DERTag.ia5String: return ascii(bytes)
    case DERTag.utf8String, DERTag.generalString, DERTag.universalString:
      return String(validating: bytes, as: UTF8.self)
    case DERTag.t61String, DERTag.videotexString, DERTag.visibleString: return latin1(bytes)
    case DERTag.bmpString: return utf16(bytes)
    default: return nil
    }
  }

  /// The text of bytes if all are ASCII.
  static func ascii(_ bytes: ArraySlice<UInt8>) -> String? {
    String(validating: bytes, as: Unicode.ASCII.self)
  }

  private static func latin1(_ bytes: ArraySlice<UInt8>) -> String {
    String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
  }

  private static func utf16(_ bytes: ArraySlice<UInt8>) -> String? {
    guard bytes.count.isMultiple(of: 2) else { return nil }
    let start = bytes.startIndex
    let units = (0..<bytes.count / 2).map { index in
      UInt16(bytes[start + 2 * index]) << 8 | UInt16(bytes[start + 2 * index + 1])
    }
    return String(validating: units, as: UTF16.self)
  }

  private static func hexadecimal(_ bytes: ArraySlice<UInt8>) -> String {
    bytes.map { byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }.joined(separator: " ")
  }
}
