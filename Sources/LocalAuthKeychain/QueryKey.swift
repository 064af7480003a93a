/// The keys of a dictionary that are not attributes, with Apple's strings.
public enum QueryKey: String, CaseIterable, Hashable, Sendable {
  case itemClass = "class"

  case matchPolicy = "m_Policy"
  case matchItemList = "m_ItemList"
  case matchSearchList = "m_SearchList"
  case matchIssuers = "m_Issuers"
  case matchEmailAddress = "m_EmailAddressIfPresent"
  case matchSubjectContains = "m_SubjectContains"
  case matchHost = "m_HostOrSubdomainOfHost"
  case matchCaseInsensitive = "m_CaseInsensitive"
  case matchTrustedOnly = "m_TrustedOnly"
  case matchValidOnDate = "m_ValidOnDate"
  case matchLimit = "m_Limit"

  case returnData = "r_Data"
  case returnAttributes = "r_Attributes"
  case returnReference = "r_Ref"
  case returnPersistentReference = "r_PersistentRef"

  case valueData = "v_Data"
  case valueReference = "v_Ref"
  case valuePersistentReference = "v_PersistentRef"

  case useItemList = "u_ItemList"
  case useTombstones = "u_Tomb"
  case useCredential = "u_CredRef"
  case useOperationPrompt = "u_OpPrompt"
  case useNoAuthenticationUI = "u_NoAuthUI"
  case useAuthenticationUI = "u_AuthUI"
  case useAuthenticationContext = "u_AuthCtx"
  case useCallerName = "u_CallerName"
  case useSystemKeychain = "u_SystemKeychain"
  case useUserIndependentKeychain = "u_UserIndependentKeychain"
  case useTokenRawItems = "u_TokenRawItems"

  /// The key with this name; faster than ``init(rawValue:)``, nil if there is none.
  init?(named name: String) {
    let table = Self.byName
    var (start, end) = (0, table.count)
    while start < end {
      let middle = (start + end) / 2
      if table[middle].name < name { start = middle + 1 } else { end = middle }
    }
    guard start < table.count, table[start].name == name else { return nil }
    self = table[start].key
  }

  private static let byName = allCases.map { (name: $0.rawValue, key: $0) }
    .sorted { $0.name < $1.name }

  /// The only four-letter key that is not an attribute: `kSecUseDataProtectionKeychain`.
  ///
  /// It is ignored, because there is no other keychain.
  static let dataProtection = "nleg"
  /// The value of `sync` for items of both kinds.
  public static let synchronizableAny = "syna"
}

/// How many items a search returns.
public enum MatchLimit: Hashable, Sendable {
  /// One item, which is the result itself.
  case one
  /// At most this many items, in a list.
  case count(Int)
  /// Every item, in a list even if there is only one.
  case all

  /// Apple's words for one and for all.
  static let oneWord = "m_LimitOne"
  static let allWord = "m_LimitAll"

  /// The largest number of items it allows.
  public var maximum: Int {
    switch self {
    case .one: 1
    case .count(let count): count
    case .all: .max
    }
  }
}

/// What a call returns besides its status.
public struct ReturnSet: OptionSet, Hashable, Sendable {
  /// One bit per kind.
  public let rawValue: UInt8

  /// The set with these bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The item's secret.
  public static let data = Self(rawValue: 1)
  /// Its attributes.
  public static let attributes = Self(rawValue: 2)
  /// The object that represents it in a program: a key, a certificate, an identity.
  public static let reference = Self(rawValue: 4)
  /// Its persistent reference.
  public static let persistentReference = Self(rawValue: 8)
}

/// Whether a call may prompt for authentication.
public enum InterfaceMode: String, CaseIterable, Hashable, Sendable {
  case allow = "u_AuthUIA"
  /// An item that needs a prompt makes the call fail.
  case fail = "u_AuthUIF"
  /// An item that needs a prompt is skipped.
  case skip = "u_AuthUIS"
}
