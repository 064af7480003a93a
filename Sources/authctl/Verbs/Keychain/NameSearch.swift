import LocalAuthKeychain

/// A search for items by a part of what people read of them; no secret is looked at.
struct NameSearch {
  private static let attributes: [ItemAttribute] = [
    .service, .server, .account, .label, .comment, .description, .path, .securityDomain,
  ]

  private let folded: String
  private let isASCII: Bool

  /// Creates a search for `text`, in small or capital letters.
  init(_ text: String) {
    folded = Self.folded(text)
    isASCII = folded.utf8.allSatisfy { $0 < 0x80 }
  }

  /// Whether a name of the item has the text in it.
  func matches(_ item: Item) -> Bool {
    Self.attributes.contains { attribute in
      guard case .text(let text)? = item.attributes[attribute] else { return false }
      return matches(text)
    }
  }

  /// Whether `text` has the searched text in it.
  func matches(_ text: String) -> Bool {
    let text = Self.folded(text)
    // Most names are ASCII, of which bytes say it all.
    if text.utf8.allSatisfy({ $0 < 0x80 }) {
      return isASCII && (folded.isEmpty || Array(text.utf8).contains(Array(folded.utf8)))
    }
    return folded.isEmpty || text.contains(folded)
  }

  /// Makes texts equal that differ in case only; by way of capitals, which makes `ß` and `SS` equal.
  private static func folded(_ text: String) -> String { text.uppercased().lowercased() }
}
