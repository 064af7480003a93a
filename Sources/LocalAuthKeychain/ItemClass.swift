/// The class of an item, under Apple's names on the wire.
public enum ItemClass: String, CaseIterable, Hashable, Sendable {
  case genericPassword = "genp"
  case internetPassword = "inet"
  case certificate = "cert"
  case key = "keys"
  /// A certificate with the private key that belongs to it: a join, not a table.
  case identity = "idnt"

  /// The classes whose items are stored.
  public static let stored: [Self] = [.genericPassword, .internetPassword, .certificate, .key]

  /// The attributes that distinguish items of the class, in the order of `PrimaryKey`.
  public var primaryKey: [ItemAttribute] {
    switch self {
    case .genericPassword: Self.genericPasswordKey
    case .internetPassword: Self.internetPasswordKey
    case .certificate: Self.certificateKey
    case .key: Self.keyKey
    case .identity: Self.commonKey
    }
  }

  /// The protection of an item added without one.
  public var defaultProtection: ProtectionClass {
    switch self {
    case .certificate: .always
    case .genericPassword, .internetPassword, .key, .identity: .whenUnlocked
    }
  }

  /// Whether a program can hold its items by reference (`SecKeyRef` and the like).
  public var hasReferences: Bool {
    switch self {
    case .certificate, .key, .identity: true
    case .genericPassword, .internetPassword: false
    }
  }

  private static let commonKey: [ItemAttribute] = [
    .accessGroup, .synchronizable, .user, .viewHint, .tokenID, .sharingGroup,
  ]

  private static let genericPasswordKey = commonKey + [.account, .service]
  private static let internetPasswordKey =
    commonKey + [.account, .securityDomain, .server, .protocol, .authenticationType, .port, .path]
  private static let certificateKey = commonKey + [.certificateType, .issuer, .serialNumber]
  private static let keyKey =
    commonKey + [
      .keyClass, .applicationLabel, .applicationTag, .creator, .type, .keySizeInBits,
      .effectiveKeySize, .startDay, .endDay,
    ]

  /// The attributes of ``primaryKey`` that the class does not share with the others.
  var ownKey: ArraySlice<ItemAttribute> { primaryKey[Self.commonKey.count...] }
}
