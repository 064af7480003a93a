extension Certificate {
  /// The most specific common name of the subject; nil where it has none.
  public var commonName: String? { subject.texts(X509Type.commonName).last }

  /// The subject's addresses: those among its alternative names, then those in the name itself.
  public var emailAddresses: [String] {
    var addresses: [String] = []
    for name in alternativeNames where name.tag == DERTag.context(1, isConstructed: false) {
      // One that is not what it says leaves doubt about the others.
      guard let address = DirectoryText.ascii(name.content) else { return [] }
      addresses.append(address)
    }
    return addresses + subject.texts(X509Type.emailAddress)
  }

  /// The subject's names in the network: those among its alternative names, or else the common names
  /// that look like one.
  var networkNames: [String] {
    var names: [String] = []
    for name in alternativeNames where name.tag == DERTag.context(2, isConstructed: false) {
      guard let text = String(validating: name.content, as: UTF8.self) else { return [] }
      if Self.isNetworkName(text) { names.append(text) }
    }
    guard names.isEmpty else { return names }
    return subject.texts(X509Type.commonName).filter { Self.isNetworkName($0) }
  }

  /// Whether `text` is labels with dots between them, the last of which has a letter (RFC 1035, with
  /// underscores and asterisks).
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

  /// What a person would call the subject: its common names, or else its first address, or else its
  /// first name in the network, or else whatever the name has; nil for an empty name.
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

/// How well a statement of a name tells people who is meant.
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
