/// The attributes of items, under Apple's four-letter names on the wire.
public enum ItemAttribute: String, CaseIterable, Hashable, Sendable {
  // Every class.
  case accessible = "pdmn"
  case accessControl = "accc"
  case accessGroup = "agrp"
  case creationDate = "cdat"
  case modificationDate = "mdat"
  case label = "labl"
  case alias = "alis"
  case synchronizable = "sync"
  case tombstone = "tomb"
  case digest = "sha1"
  case user = "musr"
  case viewHint = "vwht"
  case tokenID = "tkid"
  case tokenObjectID = "toid"
  case sharingGroup = "ggrp"
  case systemBound = "sysb"
  case appClip = "clip"
  // Passwords.
  case account = "acct"
  case description = "desc"
  case comment = "icmt"
  case isInvisible = "invi"
  case isNegative = "nega"
  case service = "svce"
  case generic = "gena"
  case securityDomain = "sdmn"
  case server = "srvr"
  case `protocol` = "ptcl"
  case authenticationType = "atyp"
  case port = "port"
  case path = "path"
  case extraNotes = "binn"
  case extraHistory = "bini"
  case extra0 = "bin0"
  case extra1 = "bin1"
  case extra2 = "bin2"
  case extra3 = "bin3"
  // Passwords and keys.
  case creator = "crtr"
  case type = "type"
  // Certificates.
  case certificateType = "ctyp"
  case certificateEncoding = "cenc"
  case subject = "subj"
  case issuer = "issr"
  case serialNumber = "slnr"
  case subjectKeyID = "skid"
  case publicKeyHash = "pkhh"
  // Keys.
  case keyClass = "kcls"
  case applicationLabel = "klbl"
  case applicationTag = "atag"
  case isPermanent = "perm"
  case isPrivate = "priv"
  case isModifiable = "modi"
  case keySizeInBits = "bsiz"
  case effectiveKeySize = "esiz"
  case startDay = "sdat"
  case endDay = "edat"
  case isSensitive = "sens"
  case wasAlwaysSensitive = "asen"
  case isExtractable = "extr"
  case wasNeverExtractable = "next"
  case canEncrypt = "encr"
  case canDecrypt = "decr"
  case canDerive = "drve"
  case canSign = "sign"
  case canVerify = "vrfy"
  case canSignRecover = "snrc"
  case canVerifyRecover = "vyrc"
  case canWrap = "wrap"
  case canUnwrap = "unwp"

  /// The four letters of its name as one big-endian number.
  package var number: UInt32 { Self.numbers[ordinal] }

  /// Hashes the ordinal, which takes a tenth of the time of hashing the letters.
  public func hash(into hasher: inout Hasher) { hasher.combine(UInt8(truncatingIfNeeded: ordinal)) }

  /// Its index in ``allCases``.
  private var ordinal: Int {
    // SAFETY: an enumeration of fewer than 256 cases without payloads is one byte, the index of the
    // case.
    unsafe withUnsafeBytes(of: self) { unsafe Int($0[0]) }
  }

  private static let numbers = allCases.map { attribute in
    attribute.rawValue.utf8.reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
  }

  /// The attribute with this ``number``; nil if there is none.
  package init?(number: UInt32) {
    let table = Self.byNumber
    var (start, end) = (0, table.count)
    while start < end {
      let middle = (start + end) / 2
      if table[middle].number < number { start = middle + 1 } else { end = middle }
    }
    guard start < table.count, table[start].number == number else { return nil }
    self = table[start].attribute
  }

  /// The attribute with this name; faster than ``init(rawValue:)``, nil if there is none.
  init?(named name: String) {
    guard name.utf8.count == 4 else { return nil }
    self.init(number: name.utf8.reduce(0) { $0 << 8 | UInt32($1) })
  }

  private static let byNumber = allCases.map { (number: $0.number, attribute: $0) }
    .sorted { $0.number < $1.number }

  /// The kind of values it takes.
  public var kind: AttributeKind { row.kind }

  /// Whether items of `itemClass` have the attribute; an identity has those of both its halves.
  public func belongs(to itemClass: ItemClass) -> Bool {
    switch itemClass {
    case .identity: row.owners.contains(.certificate) || row.owners.contains(.key)
    case .genericPassword, .internetPassword, .certificate, .key: row.owners.contains(itemClass)
    }
  }

  /// The default value in an item of `itemClass`, if the column cannot be empty.
  ///
  /// Two passwords with neither account nor service therefore have the same key.
  public func defaultValue(for itemClass: ItemClass) -> AttributeValue? {
    itemClass.primaryKey.contains(self) ? emptyValue : nil
  }

  /// The value that stands for a missing one in a primary key; nil for kinds that are never part of
  /// one.
  var emptyValue: AttributeValue? {
    switch kind {
    case .blob, .text: return .text("")
    case .data: return .data([])
    case .number: return .number(0)
    case .date: return .date(Self.referenceDay)
    case .protection, .accessControl: return nil
    }
  }

  /// 2001-01-01, the epoch of Apple's clock, in milliseconds since 1970.
  static let referenceDay: Int64 = 978_307_200_000

  /// Whether a result shows it; the hidden attributes only distinguish items internally.
  public var isShown: Bool { !Self.hidden.contains(self) }

  private static let hidden: Set<Self> = [
    .user, .viewHint, .sharingGroup, .systemBound, .appClip,
  ]
}
