// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

// Options and results of an import, and shared credentials.

/// The passphrase of a PKCS #12 file.
public let kSecImportExportPassphrase: CFString = "passphrase"
/// The keychain file to import into; there is none here.
public let kSecImportExportKeychain: CFString = "keychain"
/// The access list of imported keys; there is none here.
public let kSecImportExportAccess: CFString = "access"
/// Whether imported items stay out of the keychain, whatever `kSecUseDataProtectionKeychain` says.
public let kSecImportToMemoryOnly: CFString = "memory"
/// The label of an imported item.
public let kSecImportItemLabel: CFString = "label"
/// The identifier of an imported key.
public let kSecImportItemKeyID: CFString = "keyid"
/// The trust in the imported certificates; never returned here.
public let kSecImportItemTrust: CFString = "trust"
/// The chain of certificates, as far as the file has it.
public let kSecImportItemCertChain: CFString = "chain"
/// The certificate with its private key.
public let kSecImportItemIdentity: CFString = "identity"
/// The password of an account that is shared with a website.
public let kSecSharedPassword: CFString = "spwd"
