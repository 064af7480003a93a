extension Certificate {
  /// The subject's most specific common name; nil if it has none.
  public var commonName: String? { subject.texts(X509Type.commonName).last }

  /// The subject's email addresses: those among the alternative names, then those in the subject's
  /// name.
  public var emailAddresses: [String] {
    var addresses: [String] = []
    for name in alternativeNames where name.tag == DERTag.context(1, isConstructed: false) {
      // One malformed address casts doubt on the others: return none.
      guard let address = DirectoryText.ascii(name.content) else { return [] }
      addresses.append(address)
    }
    return addresses + subject.texts(X509Type.emailAddress)
  }

  /// The subject's DNS names: those among the alternative names, or else the common names that look
  /// like one.
  var networkNames: [String] {
    var names: [String] = []
    for name in alternativeNames where name.tag == DERTag.context(2, isConstructed: false) {
      guard let text = String(validating: name.content, as: UTF8.self) else { return [] }
      if Self.isNetworkName(text) { names.append(text) }
    }
    guard names.isEmpty else { return names }
    return subject.texts(X509Type.commonName).filter { Self.isNetworkName($0) }
  }

  /// Whether `text` consists of labels separated by dots, the last with a letter or asterisk (RFC
  /// 1035, plus underscores and asterisks).
  private static func isNetworkName(_ text: String) -> Bool {
    let labels = text.split(separator: ".", omittingEmptySubsequences: false)
    guard text.utf16.count <= 255, labels.allSatisfy({ isLabel($0) }) else { return false }
    return labels.last?.contains { $0.isLetter || $0 == "*" } ?? false
  }

  private static func isLabel(_ label: Substring) -> Bool {
    (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
      && label.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
          UInt8(ascii: "*"):
          true
        default: false
        }
      }
  }

  /// A name for the subject that a person would recognise; nil for an empty name.
  ///
  /// The common names, or else the first email address, or else the first DNS name, or else the
  /// best of the other attributes.
  public var subjectSummary: String? {
    var summary: (rank: SummaryRank, text: String)?
    var description: String?
    for attribute in subject.attributes {
      let text = attribute.text
      let rank = SummaryRank(of: attribute.type)
      if attribute.type.elementsEqual(X509Type.description) {
        description = description.map { "\(text), \($0)" } ?? text
      }
      guard let known = summary, known.rank >= rank else {
        summary = (rank, text)
        continue
      }
      if known.rank == rank { summary = (rank, "\(text), \(known.text)") }
    }
    if let summary, summary.rank == .commonName {
      return description.map { "\(summary.text) (\($0))" } ?? summary.text
    }
    return emailAddresses.first ?? networkNames.first ?? summary?.text
  }
}

/// How well an attribute of a name identifies the subject to people.
private enum SummaryRank: Comparable {
  case other
  case organization
  case organizationalUnit
  case commonName

  init(of type: ArraySlice<UInt8>) {
    if type.elementsEqual(X509Type.commonName) {
      self = .commonName
    } else if type.elementsEqual(X509Type.organizationalUnit) {
      self = .organizationalUnit
    } else if type.elementsEqual(X509Type.organization) {
      self = .organization
    } else {
      self = .other
    }
  }
}
