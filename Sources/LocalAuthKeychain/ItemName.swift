/// The name of an item as a prompt shows it.
///
/// The program that stored the item chose the words: they are cut, and quoted if they could pass
/// for words of ours.
public struct ItemName: Hashable, Sendable {
  /// The largest number of scalars shown of each part.
  public static let limit = 48

  /// Its class.
  public let itemClass: ItemClass
  /// The label, or the tag of a key without a readable label.
  public let label: String?
  /// The service, or the server.
  public let service: String?
  /// The account.
  public let account: String?

  /// The name with these parts; empty parts count as missing.
  public init(
    _ itemClass: ItemClass,
    label: String? = nil,
    service: String? = nil,
    account: String? = nil
  ) {
    self.itemClass = itemClass
    self.label = Self.cut(label)
    self.service = Self.cut(service)
    self.account = Self.cut(account)
  }

  /// The name of `item`.
  public init(of item: Item) { self.init(item.itemClass, item.attributes) }

  /// The name of an item with these attributes.
  public init(_ itemClass: ItemClass, _ attributes: [ItemAttribute: AttributeValue]) {
    func text(_ names: ItemAttribute...) -> String? {
      for name in names {
        if let text = attributes[name]?.readable, !text.isEmpty { return text }
      }
      return nil
    }
    self.init(
      itemClass,
      label: text(.label, .applicationTag),
      service: text(.service, .server),
      account: text(.account)
    )
  }

  private static func cut(_ text: String?) -> String? {
    guard let text, !text.isEmpty else { return nil }
    let scalars = text.unicodeScalars
    guard scalars.count > limit else { return text }
    return String(String.UnicodeScalarView(scalars.prefix(limit))) + "..."
  }

  /// The text for a prompt: `"mail" (account me)`, or the kind of item if no name is readable.
  public var text: String {
    guard let title = label ?? service ?? account else { return kind }
    var more: [String] = []
    if label != nil, let service, service != label {
      more.append("\(itemClass == .internetPassword ? "server" : "service") \(Self.plain(service))")
    }
    if label != nil || service != nil, let account { more.append("account \(Self.plain(account))") }
    return Self.quoted(title) + (more.isEmpty ? "" : " (\(more.joined(separator: ", ")))")
  }

  private var kind: String {
    switch itemClass {
    case .genericPassword, .internetPassword: "a password"
    case .certificate: "a certificate"
    case .key: "a key"
    case .identity: "an identity"
    }
  }

  /// Returns a single word as it is, and quotes anything that could pass for a sentence of ours.
  private static func plain(_ text: String) -> String {
    let isWord = text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "@"),
        UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "/"):
        true
      default: false
      }
    }
    return isWord ? text : quoted(text)
  }

  private static func quoted(_ text: String) -> String {
    let marks: Set<Unicode.Scalar> = ["\"", "\u{201C}", "\u{201D}", "\u{201E}", "\u{201F}"]
    let inner = text.unicodeScalars.map { marks.contains($0) ? "'" : $0 }
    return "\"\(String(String.UnicodeScalarView(inner)))\""
  }
}

extension AttributeValue {
  /// The value in readable form; nil for dates and for bytes that are not UTF-8.
  fileprivate var readable: String? {
    switch self {
    case .text(let text): text
    case .number(let number): String(number)
    case .data(let bytes): String(validating: bytes, as: UTF8.self)
    case .date: nil
    }
  }
}
