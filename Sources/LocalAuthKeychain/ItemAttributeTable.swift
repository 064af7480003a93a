/// The classes that have an attribute.
struct ItemClassSet: OptionSet, Hashable, Sendable {
  let rawValue: UInt8

  static let genericPassword = Self(rawValue: 1)
  static let internetPassword = Self(rawValue: 2)
  static let certificate = Self(rawValue: 4)
  static let key = Self(rawValue: 8)
  static let passwords: Self = [.genericPassword, .internetPassword]
  static let all: Self = [.passwords, .certificate, .key]

  /// Whether a stored class is in the set.
  func contains(_ itemClass: ItemClass) -> Bool {
    switch itemClass {
    case .genericPassword: contains(Self.genericPassword)
    case .internetPassword: contains(Self.internetPassword)
    case .certificate: contains(Self.certificate)
    case .key: contains(Self.key)
    case .identity: false
    }
  }
}

extension ItemAttribute {
  /// The kind and the classes of each attribute; no other table lists them.
  var row: (kind: AttributeKind, owners: ItemClassSet) {
    switch self {
    case .accessible: (.protection, .all)
    case .accessControl: (.accessControl, .all)
    case .accessGroup, .viewHint, .tokenID, .sharingGroup: (.text, .all)
    case .creationDate, .modificationDate: (.date, .all)
    case .label, .alias, .tokenObjectID: (.blob, .all)
    case .synchronizable, .tombstone, .systemBound, .appClip: (.number, .all)
    case .digest, .user: (.data, .all)

    case .account, .description, .comment: (.blob, .passwords)
    case .isInvisible, .isNegative: (.number, .passwords)
    case .service, .generic: (.blob, .genericPassword)
    case .securityDomain, .server, .authenticationType, .path: (.blob, .internetPassword)
    case .extraNotes, .extraHistory, .extra0, .extra1, .extra2, .extra3:
      (.blob, .internetPassword)
    case .protocol, .port: (.number, .internetPassword)
    case .creator, .type: (.number, [.passwords, .key])

    case .certificateType, .certificateEncoding: (.number, .certificate)
    case .subject, .issuer, .serialNumber, .subjectKeyID, .publicKeyHash: (.data, .certificate)

    case .applicationLabel: (.data, .key)
    case .applicationTag: (.blob, .key)
    case .startDay, .endDay: (.date, .key)
    case .keyClass, .keySizeInBits, .effectiveKeySize, .isPermanent, .isPrivate, .isModifiable,
      .isSensitive, .wasAlwaysSensitive, .isExtractable, .wasNeverExtractable, .canEncrypt,
      .canDecrypt, .canDerive, .canSign, .canVerify, .canSignRecover, .canVerifyRecover, .canWrap,
      .canUnwrap:
      (.number, .key)
    }
  }

  /// What a client may do with an attribute besides reading it.
  enum Role: Hashable, Sendable {
    /// Add and update accept it.
    case settable
    /// The keychain sets it and ignores a client's value.
    case computed
    /// A call that sets it is refused.
    case refused
  }

  /// How `SecItemAdd` treats it.
  var roleInAdd: Role {
    if Self.computed.contains(self) { return .computed }
    return Self.refused.contains(self) ? .refused : .settable
  }

  /// How `SecItemUpdate` treats it: as add does, except that a creation date is honoured.
  var roleInUpdate: Role { self == .creationDate ? .settable : roleInAdd }

  private static let computed: Set<Self> = [
    .creationDate, .modificationDate, .digest, .user, .systemBound,
  ]
  private static let refused: Set<Self> = [.appClip, .sharingGroup, .tombstone, .tokenObjectID]
}
