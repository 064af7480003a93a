import CLocalAuthOpenSSL

/// Why a certificate is not trusted.
public enum TrustFailure: Error, Hashable, Sendable {
  /// Its chain does not lead to a trusted anchor.
  case untrusted
  case expired
  case notYetValid
  /// It is for another host.
  case otherHost
  /// A signature was not made by the issuer.
  case wrongSignature
  /// A certificate in the chain was issued by one that is not a CA.
  case noAuthority
  /// The chain is longer than a CA in it, or the library, allows.
  case tooLong
  /// A CA in the chain may not issue for this name.
  case nameNotAllowed
  /// It is not intended for this use.
  case otherUse
  /// A key is too short.
  case weakKey
  /// A signature uses a digest that can be forged.
  case weakSignature
  /// A critical extension is not known.
  case unknownExtension
  /// A certificate cannot be read, or the check failed for another reason.
  case unreadable

  /// Maps an OpenSSL error code; nil if the certificate is trusted.
  init?(_ code: Int32) {
    switch code {
    case X509_V_OK: return nil
    case X509_V_ERR_CERT_HAS_EXPIRED: self = .expired
    case X509_V_ERR_CERT_NOT_YET_VALID: self = .notYetValid
    case X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH: self = .otherHost
    case X509_V_ERR_CERT_SIGNATURE_FAILURE: self = .wrongSignature
    case X509_V_ERR_INVALID_CA, X509_V_ERR_KEYUSAGE_NO_CERTSIGN: self = .noAuthority
    case X509_V_ERR_PATH_LENGTH_EXCEEDED, X509_V_ERR_CERT_CHAIN_TOO_LONG: self = .tooLong
    case X509_V_ERR_PERMITTED_VIOLATION, X509_V_ERR_EXCLUDED_VIOLATION: self = .nameNotAllowed
    case X509_V_ERR_INVALID_PURPOSE: self = .otherUse
    case X509_V_ERR_EE_KEY_TOO_SMALL, X509_V_ERR_CA_KEY_TOO_SMALL: self = .weakKey
    case X509_V_ERR_CA_MD_TOO_WEAK: self = .weakSignature
    case X509_V_ERR_UNHANDLED_CRITICAL_EXTENSION: self = .unknownExtension
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
      X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE, X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT,
      X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN, X509_V_ERR_CERT_UNTRUSTED:
      self = .untrusted
    default: self = .unreadable
    }
  }
}
