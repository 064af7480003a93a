/// The values of an internet password's `ptcl`, in Apple's four letters.
public enum InternetProtocol: String, CaseIterable, Hashable, Sendable {
  case ftp = "ftp "
  case ftpAccount = "ftpa"
  case http = "http"
  case irc = "irc "
  case nntp = "nntp"
  case pop3 = "pop3"
  case smtp = "smtp"
  case socks = "sox "
  case imap = "imap"
  case ldap = "ldap"
  case appleTalk = "atlk"
  case afp = "afp "
  case telnet = "teln"
  case ssh = "ssh "
  case ftps = "ftps"
  case https = "htps"
  case httpProxy = "htpx"
  case httpsProxy = "htsx"
  case ftpProxy = "ftpx"
  case smb = "smb "
  case rtsp = "rtsp"
  case rtspProxy = "rtsx"
  case daap = "daap"
  case eppc = "eppc"
  case ipp = "ipp "
  case nntps = "ntps"
  case ldaps = "ldps"
  case telnetS = "tels"
  case imaps = "imps"
  case ircs = "ircs"
  case pop3S = "pops"
}

/// The values of an internet password's `atyp`.
public enum InternetAuthentication: String, CaseIterable, Hashable, Sendable {
  case ntlm = "ntlm"
  case msn = "msna"
  case dpa = "dpaa"
  case rpa = "rpaa"
  case httpBasic = "http"
  case httpDigest = "httd"
  case htmlForm = "form"
  case `default` = "dflt"
}

/// The values of a key's `kcls`.
public enum KeyClass: Int64, CaseIterable, Hashable, Sendable {
  case `public` = 0
  case `private` = 1
  case symmetric = 2
}

/// The values of a key's `type`.
public enum KeyType: Int64, CaseIterable, Hashable, Sendable {
  case rsa = 42
  case ellipticCurve = 73
  case ed25519 = 105
  case x25519 = 106
  case ed448 = 107
  case x448 = 108
  case kyber = 109
  case mlKEM = 110
  case mlDSA = 111
  /// A key of the Secure Enclave's public-key accelerator.
  case secureEnclaveAccelerator = 2_147_483_678
}

/// The holder of a key that is not stored as data: `tkid`.
public enum TokenID: String, CaseIterable, Hashable, Sendable {
  case secureEnclave = "com.apple.setoken"
  case secureEnclaveKeyStore = "com.apple.setoken:aks"
  case secureElement = "com.apple.secelemtoken"

  /// Whether the Secure Enclave, or its substitute, holds the key.
  public var isSecureEnclave: Bool {
    switch self {
    case .secureEnclave, .secureEnclaveKeyStore: true
    case .secureElement: false
    }
  }
}
