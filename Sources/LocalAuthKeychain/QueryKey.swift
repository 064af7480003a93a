/// The keys of a dictionary that are no attributes, under Apple's strings.
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

  /// The key with this name, as ``init(rawValue:)`` has it and faster; nil for any other text.
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

  /// The key that has four letters and is yet no attribute: `kSecUseDataProtectionKeychain`, which
  /// says nothing here, where there is no other keychain.
  static let dataProtection = "nleg"
  /// The value of `sync` for items of both kinds.
  public static let synchronizableAny = "syna"
}

/// How many items a search is for.
public enum MatchLimit: Hashable, Sendable {
  /// One, which is the result itself.
  case one
  /// At most so many, in a list.
  case count(Int)
  /// Every one, in a list, also when there is one.
  case all

  /// Apple's words for the ends.
  static let oneWord = "m_LimitOne"
  static let allWord = "m_LimitAll"

  /// The most items that it lets through.
  public var maximum: Int {
    switch self {
    case .one: 1
    case .count(let count): count
    case .all: .max
    }
  }
}

/// What a call answers with besides its status.
public struct ReturnSet: OptionSet, Hashable, Sendable {
  /// One bit a kind.
  public let rawValue: UInt8

  /// The set with these bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The item's secret.
  public static let data = Self(rawValue: 1)
  /// Its attributes.
  public static let attributes = Self(rawValue: 2)
  /// The object it is known by in a program: a key, a certificate, an identity.
  public static let reference = Self(rawValue: 4)
  /// Its persistent reference.
  public static let persistentReference = Self(rawValue: 8)
}

/// Whether a call may ask somebody to authenticate.
public enum InterfaceMode: String, CaseIterable, Hashable, Sendable {
  case allow = "u_AuthUIA"
  /// An item that needs somebody makes the call fail.
  case fail = "u_AuthUIF"
  /// An item that needs somebody is not there.
  case skip = "u_AuthUIS"
}
