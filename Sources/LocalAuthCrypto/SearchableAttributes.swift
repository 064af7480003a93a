public import LocalAuthKeychain

extension ItemAttribute {
  /// The attribute's number in stored terms; nil if it is not searchable.
  ///
  /// The searchable attributes are those by which people look items up. Dates, flags and comments
  /// are not among them; a search for those compares opened items. A number is never reused for
  /// another attribute, and removing or adding one needs a migration of every item.
  public var searchNumber: UInt8? {
    switch self {
    case .accessGroup: 1
    case .label: 2
    case .account: 3
    case .service: 4
    case .generic: 5
    case .creator: 6
    case .type: 7
    case .securityDomain: 8
    case .server: 9
    case .protocol: 10
    case .authenticationType: 11
    case .port: 12
    case .path: 13
    case .subject: 14
    case .issuer: 15
    case .serialNumber: 16
    case .subjectKeyID: 17
    case .publicKeyHash: 18
    case .keyClass: 19
    case .applicationLabel: 20
    case .applicationTag: 21
    case .accessible, .accessControl, .creationDate, .modificationDate, .alias, .synchronizable,
      .tombstone, .digest, .user, .viewHint, .tokenID, .tokenObjectID, .sharingGroup,
      .systemBound, .appClip, .description, .comment, .isInvisible, .isNegative, .extraNotes,
      .extraHistory, .extra0, .extra1, .extra2, .extra3, .certificateType, .certificateEncoding,
      .isPermanent, .isPrivate, .isModifiable, .keySizeInBits, .effectiveKeySize, .startDay,
      .endDay, .isSensitive, .wasAlwaysSensitive, .isExtractable, .wasNeverExtractable,
      .canEncrypt, .canDecrypt, .canDerive, .canSign, .canVerify, .canSignRecover,
      .canVerifyRecover, .canWrap, .canUnwrap:
      nil
    }
  }

  /// The attributes that have a ``searchNumber``.
  static let searchable = allCases.filter { $0.searchNumber != nil }
}
