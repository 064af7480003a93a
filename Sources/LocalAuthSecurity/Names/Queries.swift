// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

// The keys of a call: what it matches, returns, takes as a value, and uses.

/// Matches certificates and identities that a policy accepts.
public let kSecMatchPolicy: CFString = "m_Policy"
/// Matches among these items only.
public let kSecMatchItemList: CFString = "m_ItemList"
/// Matches in these keychain files only.
public let kSecMatchSearchList: CFString = "m_SearchList"
/// Matches certificates whose chain has one of these issuers.
public let kSecMatchIssuers: CFString = "m_Issuers"
/// Matches certificates with this email address, or with none.
public let kSecMatchEmailAddressIfPresent: CFString = "m_EmailAddressIfPresent"
/// Matches certificates whose subject contains this text.
public let kSecMatchSubjectContains: CFString = "m_SubjectContains"
/// Matches servers that are this host or a subdomain of it.
public let kSecMatchHostOrSubdomainOfHost: CFString = "m_HostOrSubdomainOfHost"
/// Matches certificates whose subject begins with this text.
public let kSecMatchSubjectStartsWith: CFString = "m_SubjectStartsWith"
/// Matches certificates whose subject ends with this text.
public let kSecMatchSubjectEndsWith: CFString = "m_SubjectEndsWith"
/// Matches certificates whose subject is this text.
public let kSecMatchSubjectWholeString: CFString = "m_SubjectWholeString"
/// Whether matching ignores case.
public let kSecMatchCaseInsensitive: CFString = "m_CaseInsensitive"
/// Whether matching ignores accents.
public let kSecMatchDiacriticInsensitive: CFString = "m_DiacriticInsensitive"
/// Whether matching ignores the width of letters.
public let kSecMatchWidthInsensitive: CFString = "m_WidthInsensitive"
/// Whether only certificates that are trusted match.
public let kSecMatchTrustedOnly: CFString = "m_TrustedOnly"
/// Matches certificates that are valid on a date; null means today.
public let kSecMatchValidOnDate: CFString = "m_ValidOnDate"
/// The maximum number of items: a number or one of `kSecMatchLimit…`.
public let kSecMatchLimit: CFString = "m_Limit"
/// One item; the default.
public let kSecMatchLimitOne: CFString = "m_LimitOne"
/// Every item.
public let kSecMatchLimitAll: CFString = "m_LimitAll"
/// Whether the result has the item's data.
public let kSecReturnData: CFString = "r_Data"
/// Whether the result has the item's attributes.
public let kSecReturnAttributes: CFString = "r_Attributes"
/// Whether the result has an object for the item.
public let kSecReturnRef: CFString = "r_Ref"
/// Whether the result has a reference that can be stored.
public let kSecReturnPersistentRef: CFString = "r_PersistentRef"
/// The item's data.
public let kSecValueData: CFString = "v_Data"
/// An object for the item.
public let kSecValueRef: CFString = "v_Ref"
/// A stored reference.
public let kSecValuePersistentRef: CFString = "v_PersistentRef"
/// Items to use instead of those in the keychain; not implemented by Apple either.
public let kSecUseItemList: CFString = "u_ItemList"
/// A keychain file to add to; there is none here.
public let kSecUseKeychain: CFString = "u_Keychain"
/// The reason to show in the prompt; deprecated by Apple for the context's `localizedReason`.
public let kSecUseOperationPrompt: CFString = "u_OpPrompt"
/// Whether prompts are forbidden; deprecated by Apple for `kSecUseAuthenticationUI`.
public let kSecUseNoAuthenticationUI: CFString = "u_NoAuthUI"
/// Whether prompts are allowed: one of `kSecUseAuthenticationUI…`.
public let kSecUseAuthenticationUI: CFString = "u_AuthUI"
/// The `LAContext` whose proofs to use.
public let kSecUseAuthenticationContext: CFString = "u_AuthCtx"
/// Whether to use the data protection keychain rather than a file; there is no other here.
public let kSecUseDataProtectionKeychain: CFString = "nleg"
/// Whether the item belongs to every user of an Apple TV.
public let kSecUseUserIndependentKeychain: CFString = "u_UserIndependentKeychain"
/// Prompts; deprecated by Apple for the context's `interactionNotAllowed`.
public let kSecUseAuthenticationUIAllow: CFString = "u_AuthUIA"
/// Fails instead of prompting; deprecated by Apple for the context's `interactionNotAllowed`.
public let kSecUseAuthenticationUIFail: CFString = "u_AuthUIF"
/// Skips items that require a prompt.
public let kSecUseAuthenticationUISkip: CFString = "u_AuthUIS"
