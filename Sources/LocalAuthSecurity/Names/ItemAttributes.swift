// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

// The attributes of items; most names have four letters.

/// When the item can be opened: one of `kSecAttrAccessible…`.
public let kSecAttrAccessible: CFString = "pdmn"
/// The access list of an item in a keychain file; no item has one here.
public let kSecAttrAccess: CFString = "acls"
/// A `SecAccessControl`, which says what must be proven first.
public let kSecAttrAccessControl: CFString = "accc"
/// The group of programs that share the item.
public let kSecAttrAccessGroup: CFString = "agrp"
/// Whether the item is synchronised to the owner's other devices.
public let kSecAttrSynchronizable: CFString = "sync"
/// When the item was added; the keychain sets it.
public let kSecAttrCreationDate: CFString = "cdat"
/// When the item was last changed; the keychain sets it.
public let kSecAttrModificationDate: CFString = "mdat"
/// What kind of item it is, for people to read.
public let kSecAttrDescription: CFString = "desc"
/// A comment for people to read.
public let kSecAttrComment: CFString = "icmt"
/// The item's creator, as a four-letter code.
public let kSecAttrCreator: CFString = "crtr"
/// The item's type, as a four-letter code.
public let kSecAttrType: CFString = "type"
/// The item's name, for people to read.
public let kSecAttrLabel: CFString = "labl"
/// Whether the item is hidden in lists.
public let kSecAttrIsInvisible: CFString = "invi"
/// Whether the item only marks that there is no password.
public let kSecAttrIsNegative: CFString = "nega"
/// The account that a password is for.
public let kSecAttrAccount: CFString = "acct"
/// The service that a generic password is for.
public let kSecAttrService: CFString = "svce"
/// Additional data of the program for a generic password.
public let kSecAttrGeneric: CFString = "gena"
/// The security domain of an internet password.
public let kSecAttrSecurityDomain: CFString = "sdmn"
/// The server that an internet password is for.
public let kSecAttrServer: CFString = "srvr"
/// The protocol of an internet password: one of `kSecAttrProtocol…`.
public let kSecAttrProtocol: CFString = "ptcl"
/// How the server authenticates: one of `kSecAttrAuthenticationType…`.
public let kSecAttrAuthenticationType: CFString = "atyp"
/// The port of an internet password.
public let kSecAttrPort: CFString = "port"
/// The path on the server of an internet password.
public let kSecAttrPath: CFString = "path"
/// The subject of a certificate: the normalized name, without the SEQUENCE around it.
public let kSecAttrSubject: CFString = "subj"
/// The issuer of a certificate: the normalized name, without the SEQUENCE around it.
public let kSecAttrIssuer: CFString = "issr"
/// The serial number of a certificate.
public let kSecAttrSerialNumber: CFString = "slnr"
/// The subject key identifier of a certificate.
public let kSecAttrSubjectKeyID: CFString = "skid"
/// The hash of a certificate's public key: the `kSecAttrApplicationLabel` of its key.
public let kSecAttrPublicKeyHash: CFString = "pkhh"
/// The type of a certificate, as a number.
public let kSecAttrCertificateType: CFString = "ctyp"
/// The encoding of a certificate, as a number.
public let kSecAttrCertificateEncoding: CFString = "cenc"
/// Whether a key is public, private or symmetric: one of `kSecAttrKeyClass…`.
public let kSecAttrKeyClass: CFString = "kcls"
/// The name of a key for programs: the hash of its public key.
public let kSecAttrApplicationLabel: CFString = "klbl"
/// Whether a generated key is also kept in the keychain.
public let kSecAttrIsPermanent: CFString = "perm"
/// Whether a key can leave the keychain only wrapped.
public let kSecAttrIsSensitive: CFString = "sens"
/// Whether a key can leave the keychain.
public let kSecAttrIsExtractable: CFString = "extr"
/// The name that the program gives a key.
public let kSecAttrApplicationTag: CFString = "atag"
/// The algorithm of a key: one of `kSecAttrKeyType…`.
public let kSecAttrKeyType: CFString = "type"
/// The pseudorandom function of a key derivation.
public let kSecAttrPRF: CFString = "prf"
/// The salt of a key derivation.
public let kSecAttrSalt: CFString = "salt"
/// The number of rounds of a key derivation.
public let kSecAttrRounds: CFString = "rounds"
/// The size of a key, in bits.
public let kSecAttrKeySizeInBits: CFString = "bsiz"
/// The effective size of a key, in bits.
public let kSecAttrEffectiveKeySize: CFString = "esiz"
/// Whether a key may encrypt.
public let kSecAttrCanEncrypt: CFString = "encr"
/// Whether a key may decrypt.
public let kSecAttrCanDecrypt: CFString = "decr"
/// Whether other keys may be derived from a key.
public let kSecAttrCanDerive: CFString = "drve"
/// Whether a key may sign.
public let kSecAttrCanSign: CFString = "sign"
/// Whether a key may verify signatures.
public let kSecAttrCanVerify: CFString = "vrfy"
/// Whether a key may wrap other keys.
public let kSecAttrCanWrap: CFString = "wrap"
/// Whether a key may unwrap other keys.
public let kSecAttrCanUnwrap: CFString = "unwp"
/// The synchronisation view that carries the item.
public let kSecAttrSyncViewHint: CFString = "vwht"
/// The token that holds a key that is not stored as data.
public let kSecAttrTokenID: CFString = "tkid"
/// The older spelling of `kSecAttrPersistentReference`.
public let kSecAttrPersistantReference: CFString = "persistref"
/// A persistent reference to the item.
public let kSecAttrPersistentReference: CFString = "persistref"
