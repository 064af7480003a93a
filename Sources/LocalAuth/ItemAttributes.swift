public import LocalAuthKeychain

/// The attributes of an item, a search or a change, as named properties or through
/// ``subscript(_:)``.
///
/// Attributes are not secret: a program that can use the keychain may read them without any proof
/// except what the item itself requires. They are stored encrypted nevertheless.
public struct ItemAttributes: Hashable, Sendable {
  /// Every attribute that has a value.
  public private(set) var values: [ItemAttribute: AttributeValue] = [:]

  /// An empty set of attributes.
  public init() {}

  init(_ values: [ItemAttribute: AttributeValue]) { self.values = values }

  /// The value of an attribute; nil if it has none.
  public subscript(_ attribute: ItemAttribute) -> AttributeValue? {
    get { values[attribute] }
    set { values[attribute] = newValue }
  }

  private subscript(text attribute: ItemAttribute) -> String? {
    get {
      switch values[attribute] {
      case .text(let text)?: text
      case .data(let bytes)?: String(validating: bytes, as: UTF8.self)
      case .number(let number)?: String(number)
      case .date?, nil: nil
      }
    }
    set { values[attribute] = newValue.map { .text($0) } }
  }

  private subscript(number attribute: ItemAttribute) -> Int64? {
    get {
      guard case .number(let number)? = values[attribute] else { return nil }
      return number
    }
    set { values[attribute] = newValue.map { .number($0) } }
  }

  private subscript(flag attribute: ItemAttribute) -> Bool? {
    get { self[number: attribute].map { $0 != 0 } }
    set { self[number: attribute] = newValue.map { $0 ? 1 : 0 } }
  }

  private subscript(bytes attribute: ItemAttribute) -> [UInt8]? {
    get {
      switch values[attribute] {
      case .data(let bytes)?: bytes
      case .text(let text)?: Array(text.utf8)
      case .number?, .date?, nil: nil
      }
    }
    set { values[attribute] = newValue.map { .data($0) } }
  }
}

// MARK: Every class

extension ItemAttributes {
  /// The item's name for people.
  public var label: String? {
    get { self[text: .label] }
    set { self[text: .label] = newValue }
  }
}

// MARK: Passwords

extension ItemAttributes {
  /// The account that the password belongs to.
  public var account: String? {
    get { self[text: .account] }
    set { self[text: .account] = newValue }
  }

  /// The kind of item, for people to read: Apple's `kSecAttrDescription`.
  public var kind: String? {
    get { self[text: .description] }
    set { self[text: .description] = newValue }
  }

  /// A comment for people to read and edit.
  public var comment: String? {
    get { self[text: .comment] }
    set { self[text: .comment] = newValue }
  }

  /// Whether programs that list items should hide it.
  public var isInvisible: Bool? {
    get { self[flag: .isInvisible] }
    set { self[flag: .isInvisible] = newValue }
  }

  /// Whether the item only records that there is no password.
  public var isNegative: Bool? {
    get { self[flag: .isNegative] }
    set { self[flag: .isNegative] = newValue }
  }

  /// The service of a generic password.
  public var service: String? {
    get { self[text: .service] }
    set { self[text: .service] = newValue }
  }

  /// Arbitrary data that a program stores with a generic password.
  public var generic: [UInt8]? {
    get { self[bytes: .generic] }
    set { self[bytes: .generic] = newValue }
  }

  /// The server of an internet password.
  public var server: String? {
    get { self[text: .server] }
    set { self[text: .server] = newValue }
  }

  /// The realm of an internet password.
  public var securityDomain: String? {
    get { self[text: .securityDomain] }
    set { self[text: .securityDomain] = newValue }
  }

  /// The protocol spoken with the server.
  public var networkProtocol: InternetProtocol? {
    get { self[text: .protocol].flatMap { InternetProtocol(rawValue: $0) } }
    set { self[text: .protocol] = newValue?.rawValue }
  }

  /// How the password authenticates to the server.
  public var authentication: InternetAuthentication? {
    get { self[text: .authenticationType].flatMap { InternetAuthentication(rawValue: $0) } }
    set { self[text: .authenticationType] = newValue?.rawValue }
  }

  /// The port on the server.
  public var port: Int? {
    get { self[number: .port].map { Int(clamping: $0) } }
    set { self[number: .port] = newValue.map { Int64($0) } }
  }

  /// The path on the server.
  public var path: String? {
    get { self[text: .path] }
    set { self[text: .path] = newValue }
  }
}

// MARK: Keys and certificates

extension ItemAttributes {
  /// A program's own name for a key.
  public var applicationTag: [UInt8]? {
    get { self[bytes: .applicationTag] }
    set { self[bytes: .applicationTag] = newValue }
  }

  /// The value by which a key is found; for a private key, the hash of its public key.
  public var applicationLabel: [UInt8]? {
    get { self[bytes: .applicationLabel] }
    set { self[bytes: .applicationLabel] = newValue }
  }

  /// Whether a key is public, private or symmetric.
  public var keyClass: KeyClass? {
    get { self[number: .keyClass].flatMap { KeyClass(rawValue: $0) } }
    set { self[number: .keyClass] = newValue?.rawValue }
  }

  /// The algorithm a key is for.
  public var keyType: KeyType? {
    get { self[number: .type].flatMap { KeyType(rawValue: $0) } }
    set { self[number: .type] = newValue?.rawValue }
  }

  /// The size of a key in bits.
  public var keySizeInBits: Int? {
    get { self[number: .keySizeInBits].map { Int(clamping: $0) } }
    set { self[number: .keySizeInBits] = newValue.map { Int64($0) } }
  }

  /// The public half of a private key generated in the keychain: X9.63's uncompressed point for
  /// P-256, 32 bytes for Ed25519.
  public var publicKey: [UInt8]? { self[bytes: .tokenObjectID] }

  /// The subject of a certificate, as a DER name.
  public var subject: [UInt8]? {
    get { self[bytes: .subject] }
    set { self[bytes: .subject] = newValue }
  }

  /// The issuer of a certificate, as a DER name.
  public var issuer: [UInt8]? {
    get { self[bytes: .issuer] }
    set { self[bytes: .issuer] = newValue }
  }

  /// The serial number of a certificate.
  public var serialNumber: [UInt8]? {
    get { self[bytes: .serialNumber] }
    set { self[bytes: .serialNumber] = newValue }
  }

  /// The hash of a certificate's public key, which is the ``applicationLabel`` of its private key.
  public var publicKeyHash: [UInt8]? {
    get { self[bytes: .publicKeyHash] }
    set { self[bytes: .publicKeyHash] = newValue }
  }
}
