// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

// What goes into an import and comes out of it, and shared credentials.

/// The passphrase of a PKCS #12 file.
public let kSecImportExportPassphrase: CFString = "passphrase"
/// The keychain file to import into; there is none here.
public let kSecImportExportKeychain: CFString = "keychain"
/// The access list of imported keys; there is none here.
public let kSecImportExportAccess: CFString = "access"
/// Whether what is imported stays out of the keychain, as it does anyway.
public let kSecImportToMemoryOnly: CFString = "memory"
/// The label of an imported item.
public let kSecImportItemLabel: CFString = "label"
/// The identifier of an imported key.
public let kSecImportItemKeyID: CFString = "keyid"
/// How far the imported certificates are trusted.
public let kSecImportItemTrust: CFString = "trust"
/// The certificates up to a root.
public let kSecImportItemCertChain: CFString = "chain"
/// The certificate with its private key.
public let kSecImportItemIdentity: CFString = "identity"
/// The password of an account that is shared with a website.
public let kSecSharedPassword: CFString = "spwd"
