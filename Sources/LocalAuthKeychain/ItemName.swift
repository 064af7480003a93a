/// What an item is called, as a prompt tells a person.
///
/// Whoever stored the item chose the words: they are cut, and quoted wherever they are shown.
public struct ItemName: Hashable, Sendable {
  /// Scalars of each word that are shown.
  public static let limit = 48

  /// Its class.
  public let itemClass: ItemClass
  /// What people read, or the tag of a key that has nothing to read.
  public let label: String?
  /// The service, or the server.
  public let service: String?
  /// Whose it is.
  public let account: String?

  /// The name with these parts; what is empty is none.
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

  /// What `item` is called.
  public init(of item: Item) { self.init(item.itemClass, item.attributes) }

  /// What an item with these attributes is called.
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

  /// `"mail" (account me)`, or what kind of item it is where no name can be read.
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

  /// One word stands for itself; anything that could pass for a sentence of ours is quoted.
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
  /// The value as a person can read it; nil for bytes that are no text.
  fileprivate var readable: String? {
    switch self {
    case .text(let text): text
    case .number(let number): String(number)
    case .data(let bytes): String(validating: bytes, as: UTF8.self)
    case .date: nil
    }
  }
}
