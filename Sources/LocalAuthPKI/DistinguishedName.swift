/// The name of a subject or an issuer (X.501).
struct DistinguishedName: Hashable, Sendable {
  /// One attribute of a name.
  struct Attribute: Hashable, Sendable {
    let type: ArraySlice<UInt8>
    let value: DERElement

    /// The value as text.
    var text: String { DirectoryText.of(value) }
  }

  /// The relative names, from the most general to the most specific; each has one or more
  /// attributes.
  let parts: [[Attribute]]

  /// Parses the content of the name's SEQUENCE.
  init(content: ArraySlice<UInt8>) throws(PKIError) {
    var parts: [[Attribute]] = []
    var reader = DERReader(content)
    while !reader.isAtEnd {
      var part: [Attribute] = []
      var members = DERReader(try reader.next(DERTag.set).content)
      repeat {
        var pair = DERReader(try members.next(DERTag.sequence).content)
        let type = try pair.next(DERTag.objectIdentifier).content
        guard !type.isEmpty else { throw .malformed }
        part.append(Attribute(type: type, value: try pair.next()))
        try pair.finish()
      } while !members.isAtEnd
      parts.append(part)
    }
    self.parts = parts
  }

  /// All attributes, in the order of the name.
  var attributes: [Attribute] { parts.flatMap { $0 } }

  /// The texts of all attributes of this type.
  func texts(_ type: [UInt8]) -> [String] {
    attributes.filter { $0.type.elementsEqual(type) }.map(\.text)
  }

  /// The content of the name's SEQUENCE, normalized for comparison.
  ///
  /// Every PrintableString is converted to capitals, trimmed, and its runs of blanks replaced by
  /// one space.
  var normalized: [UInt8] {
    parts.flatMap { part in
      DERReader.element(
        DERTag.set,
        part.flatMap { attribute in
          DERReader.element(
            DERTag.sequence,
            DERReader.element(DERTag.objectIdentifier, attribute.type)
              + Self.normalized(attribute.value)
          )
        }
      )
    }
  }

  private static func normalized(_ value: DERElement) -> [UInt8] {
    guard value.tag == DERTag.printableString else { return Array(value.whole) }
    let words = value.content.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    let text = words.joined(separator: [UInt8(ascii: " ")]).map { byte in
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) ? byte & ~0x20 : byte
    }
    return DERReader.element(DERTag.printableString, text)
  }
}

/// The attribute and extension types used here, as the content of their object identifiers.
enum X509Type {
  static let commonName: [UInt8] = [0x55, 4, 3]
  static let organization: [UInt8] = [0x55, 4, 10]
  static let organizationalUnit: [UInt8] = [0x55, 4, 11]
  static let description: [UInt8] = [0x55, 4, 13]
  static let emailAddress: [UInt8] = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 9, 1]
  static let subjectKeyIdentifier: [UInt8] = [0x55, 0x1d, 14]
  static let subjectAlternativeName: [UInt8] = [0x55, 0x1d, 17]
}
