// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

// The classes of items.

/// The key of an item's class.
public let kSecClass: CFString = "class"
/// A password for a service.
public let kSecClassGenericPassword: CFString = "genp"
/// A password for a server.
public let kSecClassInternetPassword: CFString = "inet"
/// A certificate.
public let kSecClassCertificate: CFString = "cert"
/// A cryptographic key.
public let kSecClassKey: CFString = "keys"
/// A certificate with its private key.
public let kSecClassIdentity: CFString = "idnt"
