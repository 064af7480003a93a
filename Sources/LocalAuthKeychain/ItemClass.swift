/// What an item is, under Apple's names on the wire.
public enum ItemClass: String, CaseIterable, Hashable, Sendable {
  case genericPassword = "genp"
  case internetPassword = "inet"
  case certificate = "cert"
  case key = "keys"
  /// A certificate with the private key that belongs to it: a join, not a table.
  case identity = "idnt"

  /// The classes whose items are stored.
  public static let stored: [Self] = [.genericPassword, .internetPassword, .certificate, .key]

  /// The attributes that tell two items of the class apart, in the order of ``PrimaryKey``.
  public var primaryKey: [ItemAttribute] { Self.commonKey + ownKey }

  /// The protection of an item that asks for none.
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

  /// Those of ``primaryKey`` that the class does not share with the others.
  var ownKey: [ItemAttribute] {
    switch self {
    case .genericPassword: [.account, .service]
    case .internetPassword:
      [.account, .securityDomain, .server, .protocol, .authenticationType, .port, .path]
    case .certificate: [.certificateType, .issuer, .serialNumber]
    case .key:
      [
        .keyClass, .applicationLabel, .applicationTag, .creator, .type, .keySizeInBits,
        .effectiveKeySize, .startDay, .endDay,
      ]
    case .identity: []
    }
  }
}
