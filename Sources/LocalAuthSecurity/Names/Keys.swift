// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

// Values of the attributes of keys.

/// A public key.
public let kSecAttrKeyClassPublic: CFString = "0"
/// A private key.
public let kSecAttrKeyClassPrivate: CFString = "1"
/// A symmetric key.
public let kSecAttrKeyClassSymmetric: CFString = "2"
/// RSA.
public let kSecAttrKeyTypeRSA: CFString = "42"
/// DSA.
public let kSecAttrKeyTypeDSA: CFString = "43"
/// AES.
public let kSecAttrKeyTypeAES: CFString = "2147483649"
/// DES.
public let kSecAttrKeyTypeDES: CFString = "14"
/// Triple DES.
public let kSecAttrKeyType3DES: CFString = "17"
/// RC4.
public let kSecAttrKeyTypeRC4: CFString = "25"
/// RC2.
public let kSecAttrKeyTypeRC2: CFString = "23"
/// CAST.
public let kSecAttrKeyTypeCAST: CFString = "56"
/// Elliptic curves; Apple recommends `kSecAttrKeyTypeECSECPrimeRandom` instead.
public let kSecAttrKeyTypeECDSA: CFString = "73"
/// The older name of `kSecAttrKeyTypeECSECPrimeRandom`.
public let kSecAttrKeyTypeEC: CFString = "73"
/// The curves of NIST over prime fields.
public let kSecAttrKeyTypeECSECPrimeRandom: CFString = "73"
/// HMAC with SHA-1.
public let kSecAttrPRFHmacAlgSHA1: CFString = "hsha1"
/// HMAC with SHA-224.
public let kSecAttrPRFHmacAlgSHA224: CFString = "hsha224"
/// HMAC with SHA-256.
public let kSecAttrPRFHmacAlgSHA256: CFString = "hsha256"
/// HMAC with SHA-384.
public let kSecAttrPRFHmacAlgSHA384: CFString = "hsha384"
/// HMAC with SHA-512.
public let kSecAttrPRFHmacAlgSHA512: CFString = "hsha512"
/// The Secure Enclave, or what stands in for it.
public let kSecAttrTokenIDSecureEnclave: CFString = "com.apple.setoken"
/// The attributes of the private key of a generated pair.
public let kSecPrivateKeyAttrs: CFString = "private"
/// The attributes of the public key of a generated pair.
public let kSecPublicKeyAttrs: CFString = "public"
