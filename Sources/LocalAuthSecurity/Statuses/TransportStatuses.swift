// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

// Transport security.

/// The protocol was violated.
public let errSSLProtocol: OSStatus = -9800
/// Both sides have no cipher suite in common.
public let errSSLNegotiation: OSStatus = -9801
/// A fatal alert ended the connection.
public let errSSLFatalAlert: OSStatus = -9802
/// Reading or writing would block.
public let errSSLWouldBlock: OSStatus = -9803
/// The session to resume is unknown.
public let errSSLSessionNotFound: OSStatus = -9804
/// The connection was closed gracefully.
public let errSSLClosedGraceful: OSStatus = -9805
/// The connection was closed by an error.
public let errSSLClosedAbort: OSStatus = -9806
/// The chain of certificates is not valid.
public let errSSLXCertChainInvalid: OSStatus = -9807
/// The certificate is malformed.
public let errSSLBadCert: OSStatus = -9808
/// The underlying cryptography failed.
public let errSSLCrypto: OSStatus = -9809
/// An internal error occurred.
public let errSSLInternal: OSStatus = -9810
/// The module could not be attached.
public let errSSLModuleAttach: OSStatus = -9811
/// The chain is valid, but its root is not trusted.
public let errSSLUnknownRootCert: OSStatus = -9812
/// The chain leads to no root.
public let errSSLNoRootCert: OSStatus = -9813
/// A certificate of the chain has expired.
public let errSSLCertExpired: OSStatus = -9814
/// A certificate of the chain is not valid yet.
public let errSSLCertNotYetValid: OSStatus = -9815
/// The server closed the connection without notification.
public let errSSLClosedNoNotify: OSStatus = -9816
/// The buffer is too small for the message.
public let errSSLBufferOverflow: OSStatus = -9817
/// The cipher suite is not valid.
public let errSSLBadCipherSuite: OSStatus = -9818
/// The peer received an unexpected message.
public let errSSLPeerUnexpectedMsg: OSStatus = -9819
/// The peer found a wrong authentication code in a record.
public let errSSLPeerBadRecordMac: OSStatus = -9820
/// The peer could not decrypt a record.
public let errSSLPeerDecryptionFail: OSStatus = -9821
/// The peer found a record too long.
public let errSSLPeerRecordOverflow: OSStatus = -9822
/// The peer could not decompress a record.
public let errSSLPeerDecompressFail: OSStatus = -9823
/// The handshake failed at the peer.
public let errSSLPeerHandshakeFail: OSStatus = -9824
/// The peer found the certificate invalid.
public let errSSLPeerBadCert: OSStatus = -9825
/// The peer does not support the kind of certificate.
public let errSSLPeerUnsupportedCert: OSStatus = -9826
/// The peer found the certificate revoked.
public let errSSLPeerCertRevoked: OSStatus = -9827
/// The peer found the certificate expired.
public let errSSLPeerCertExpired: OSStatus = -9828
/// The peer does not accept the certificate.
public let errSSLPeerCertUnknown: OSStatus = -9829
/// A parameter of the handshake is not permitted.
public let errSSLIllegalParam: OSStatus = -9830
/// The peer does not know the authority.
public let errSSLPeerUnknownCA: OSStatus = -9831
/// The peer denies access.
public let errSSLPeerAccessDenied: OSStatus = -9832
/// The peer could not decode a message.
public let errSSLPeerDecodeError: OSStatus = -9833
/// The peer found a wrong signature or code in the handshake.
public let errSSLPeerDecryptError: OSStatus = -9834
/// The peer is subject to export restrictions.
public let errSSLPeerExportRestriction: OSStatus = -9835
/// The peer does not support the protocol's version.
public let errSSLPeerProtocolVersion: OSStatus = -9836
/// The peer requires stronger ciphers.
public let errSSLPeerInsufficientSecurity: OSStatus = -9837
/// The peer had an internal error.
public let errSSLPeerInternalError: OSStatus = -9838
/// The user at the peer cancelled.
public let errSSLPeerUserCancelled: OSStatus = -9839
/// The peer does not renegotiate.
public let errSSLPeerNoRenegotiation: OSStatus = -9840
/// The peer's certificate is accepted, or its check is left to the caller.
public let errSSLPeerAuthCompleted: OSStatus = -9841
/// The server asks for a certificate.
public let errSSLClientCertRequested: OSStatus = -9842
/// The certificate is for another host name.
public let errSSLHostNameMismatch: OSStatus = -9843
/// The peer ended the connection before the handshake.
public let errSSLConnectionRefused: OSStatus = -9844
/// A record could not be decrypted.
public let errSSLDecryptionFail: OSStatus = -9845
/// The authentication code of a record is wrong.
public let errSSLBadRecordMac: OSStatus = -9846
/// A record is too long.
public let errSSLRecordOverflow: OSStatus = -9847
/// The connection is configured wrongly.
public let errSSLBadConfiguration: OSStatus = -9848
/// An unexpected record was received.
public let errSSLUnexpectedRecord: OSStatus = -9849
/// The peer's Diffie-Hellman key is too weak.
public let errSSLWeakPeerEphemeralDHKey: OSStatus = -9850
/// A client's hello was received.
public let errSSLClientHelloReceived: OSStatus = -9851
/// The transport was reset.
public let errSSLTransportReset: OSStatus = -9852
/// The network timed out.
public let errSSLNetworkTimeout: OSStatus = -9853
/// The configuration failed.
public let errSSLConfigurationFailed: OSStatus = -9854
/// An extension is not supported.
public let errSSLUnsupportedExtension: OSStatus = -9855
/// An unexpected message was received.
public let errSSLUnexpectedMessage: OSStatus = -9856
/// A record could not be decompressed.
public let errSSLDecompressFail: OSStatus = -9857
/// The handshake failed.
public let errSSLHandshakeFail: OSStatus = -9858
/// A message could not be decoded.
public let errSSLDecodeError: OSStatus = -9859
/// The client fell back to an inappropriate version.
public let errSSLInappropriateFallback: OSStatus = -9860
/// An extension is missing.
public let errSSLMissingExtension: OSStatus = -9861
/// The response with the certificate's status is wrong.
public let errSSLBadCertificateStatusResponse: OSStatus = -9862
/// A certificate is required.
public let errSSLCertificateRequired: OSStatus = -9863
/// The identity of the pre-shared key is unknown.
public let errSSLUnknownPSKIdentity: OSStatus = -9864
/// The server does not know the name.
public let errSSLUnrecognizedName: OSStatus = -9865
/// The connection is less secure than the application requires.
public let errSSLATSViolation: OSStatus = -9880
/// The protocol's version is lower than the application requires.
public let errSSLATSMinimumVersionViolation: OSStatus = -9881
/// The cipher suite is weaker than the application requires.
public let errSSLATSCiphersuiteViolation: OSStatus = -9882
/// The peer's key is shorter than the application requires.
public let errSSLATSMinimumKeySizeViolation: OSStatus = -9883
/// The hash of the peer's certificate is weaker than the application requires.
public let errSSLATSLeafCertificateHashAlgorithmViolation: OSStatus = -9884
/// The hash of a certificate in the chain is weaker than the application requires.
public let errSSLATSCertificateHashAlgorithmViolation: OSStatus = -9885
/// The certificate is not trusted as the application requires.
public let errSSLATSCertificateTrustViolation: OSStatus = -9886
/// The early data was rejected.
public let errSSLEarlyDataRejected: OSStatus = -9890

extension StatusMessage {
  /// The messages of these statuses.
  static let transport: [OSStatus: String] = [
    errSSLProtocol: "The protocol was violated.",
    errSSLNegotiation: "Both sides have no cipher suite in common.",
    errSSLFatalAlert: "A fatal alert ended the connection.",
    errSSLWouldBlock: "Reading or writing would block.",
    errSSLSessionNotFound: "The session to resume is unknown.",
    errSSLClosedGraceful: "The connection was closed gracefully.",
    errSSLClosedAbort: "The connection was closed by an error.",
    errSSLXCertChainInvalid: "The chain of certificates is not valid.",
    errSSLBadCert: "The certificate is malformed.",
    errSSLCrypto: "The underlying cryptography failed.",
    errSSLInternal: "An internal error occurred.",
    errSSLModuleAttach: "The module could not be attached.",
    errSSLUnknownRootCert: "The chain is valid, but its root is not trusted.",
    errSSLNoRootCert: "The chain leads to no root.",
    errSSLCertExpired: "A certificate of the chain has expired.",
    errSSLCertNotYetValid: "A certificate of the chain is not valid yet.",
    errSSLClosedNoNotify: "The server closed the connection without notification.",
    errSSLBufferOverflow: "The buffer is too small for the message.",
    errSSLBadCipherSuite: "The cipher suite is not valid.",
    errSSLPeerUnexpectedMsg: "The peer received an unexpected message.",
    errSSLPeerBadRecordMac: "The peer found a wrong authentication code in a record.",
    errSSLPeerDecryptionFail: "The peer could not decrypt a record.",
    errSSLPeerRecordOverflow: "The peer found a record too long.",
    errSSLPeerDecompressFail: "The peer could not decompress a record.",
    errSSLPeerHandshakeFail: "The handshake failed at the peer.",
    errSSLPeerBadCert: "The peer found the certificate invalid.",
    errSSLPeerUnsupportedCert: "The peer does not support the kind of certificate.",
    errSSLPeerCertRevoked: "The peer found the certificate revoked.",
    errSSLPeerCertExpired: "The peer found the certificate expired.",
    errSSLPeerCertUnknown: "The peer does not accept the certificate.",
    errSSLIllegalParam: "A parameter of the handshake is not permitted.",
    errSSLPeerUnknownCA: "The peer does not know the authority.",
    errSSLPeerAccessDenied: "The peer denies access.",
    errSSLPeerDecodeError: "The peer could not decode a message.",
    errSSLPeerDecryptError: "The peer found a wrong signature or code in the handshake.",
    errSSLPeerExportRestriction: "The peer is subject to export restrictions.",
    errSSLPeerProtocolVersion: "The peer does not support the protocol's version.",
    errSSLPeerInsufficientSecurity: "The peer requires stronger ciphers.",
    errSSLPeerInternalError: "The peer had an internal error.",
    errSSLPeerUserCancelled: "The user at the peer cancelled.",
    errSSLPeerNoRenegotiation: "The peer does not renegotiate.",
    errSSLPeerAuthCompleted:
      "The peer's certificate is accepted, or its check is left to the caller.",
    errSSLClientCertRequested: "The server asks for a certificate.",
    errSSLHostNameMismatch: "The certificate is for another host name.",
    errSSLConnectionRefused: "The peer ended the connection before the handshake.",
    errSSLDecryptionFail: "A record could not be decrypted.",
    errSSLBadRecordMac: "The authentication code of a record is wrong.",
    errSSLRecordOverflow: "A record is too long.",
    errSSLBadConfiguration: "The connection is configured wrongly.",
    errSSLUnexpectedRecord: "An unexpected record was received.",
    errSSLWeakPeerEphemeralDHKey: "The peer's Diffie-Hellman key is too weak.",
    errSSLClientHelloReceived: "A client's hello was received.",
    errSSLTransportReset: "The transport was reset.",
    errSSLNetworkTimeout: "The network timed out.",
    errSSLConfigurationFailed: "The configuration failed.",
    errSSLUnsupportedExtension: "An extension is not supported.",
    errSSLUnexpectedMessage: "An unexpected message was received.",
    errSSLDecompressFail: "A record could not be decompressed.",
    errSSLHandshakeFail: "The handshake failed.",
    errSSLDecodeError: "A message could not be decoded.",
    errSSLInappropriateFallback: "The client fell back to an inappropriate version.",
    errSSLMissingExtension: "An extension is missing.",
    errSSLBadCertificateStatusResponse: "The response with the certificate's status is wrong.",
    errSSLCertificateRequired: "A certificate is required.",
    errSSLUnknownPSKIdentity: "The identity of the pre-shared key is unknown.",
    errSSLUnrecognizedName: "The server does not know the name.",
    errSSLATSViolation: "The connection is less secure than the application requires.",
    errSSLATSMinimumVersionViolation:
      "The protocol's version is lower than the application requires.",
    errSSLATSCiphersuiteViolation: "The cipher suite is weaker than the application requires.",
    errSSLATSMinimumKeySizeViolation: "The peer's key is shorter than the application requires.",
    errSSLATSLeafCertificateHashAlgorithmViolation:
      "The hash of the peer's certificate is weaker than the application requires.",
    errSSLATSCertificateHashAlgorithmViolation:
      "The hash of a certificate in the chain is weaker than the application requires.",
    errSSLATSCertificateTrustViolation:
      "The certificate is not trusted as the application requires.",
    errSSLEarlyDataRejected: "The early data was rejected.",
  ]
}
