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
    errSSLProtocol: "The protocol was broken.",
    errSSLNegotiation: "There is no cipher suite that both sides know.",
    errSSLFatalAlert: "A fatal alert ended the connection.",
    errSSLWouldBlock: "Reading or writing would have to wait.",
    errSSLSessionNotFound: "The session to resume is unknown.",
    errSSLClosedGraceful: "The connection was closed in order.",
    errSSLClosedAbort: "The connection was closed by an error.",
    errSSLXCertChainInvalid: "The chain of certificates is not valid.",
    errSSLBadCert: "The certificate is malformed.",
    errSSLCrypto: "The cryptography below failed.",
    errSSLInternal: "Something inside the connection failed.",
    errSSLModuleAttach: "The module could not be attached.",
    errSSLUnknownRootCert: "The chain is valid, and its root is not trusted.",
    errSSLNoRootCert: "The chain leads to no root.",
    errSSLCertExpired: "A certificate of the chain has expired.",
    errSSLCertNotYetValid: "A certificate of the chain is not valid yet.",
    errSSLClosedNoNotify: "The server closed the connection without saying so.",
    errSSLBufferOverflow: "The buffer does not hold the message.",
    errSSLBadCipherSuite: "The cipher suite is not valid.",
    errSSLPeerUnexpectedMsg: "The peer got a message that it did not expect.",
    errSSLPeerBadRecordMac: "The peer found a record's authentication code wrong.",
    errSSLPeerDecryptionFail: "The peer could not decrypt a record.",
    errSSLPeerRecordOverflow: "The peer found a record too long.",
    errSSLPeerDecompressFail: "The peer could not decompress a record.",
    errSSLPeerHandshakeFail: "The peer could not agree in the handshake.",
    errSSLPeerBadCert: "The peer found the certificate wrong.",
    errSSLPeerUnsupportedCert: "The peer does not support the kind of certificate.",
    errSSLPeerCertRevoked: "The peer found the certificate revoked.",
    errSSLPeerCertExpired: "The peer found the certificate expired.",
    errSSLPeerCertUnknown: "The peer does not accept the certificate.",
    errSSLIllegalParam: "A parameter of the handshake is not permitted.",
    errSSLPeerUnknownCA: "The peer does not know the authority.",
    errSSLPeerAccessDenied: "The peer denies access.",
    errSSLPeerDecodeError: "The peer could not decode a message.",
    errSSLPeerDecryptError: "The peer found a signature or a code of the handshake wrong.",
    errSSLPeerExportRestriction: "The peer must keep to the limits of export.",
    errSSLPeerProtocolVersion: "The peer does not support the protocol's version.",
    errSSLPeerInsufficientSecurity: "The peer wants stronger ciphers.",
    errSSLPeerInternalError: "Something inside the peer failed.",
    errSSLPeerUserCancelled: "The user at the peer cancelled.",
    errSSLPeerNoRenegotiation: "The peer does not negotiate again.",
    errSSLPeerAuthCompleted: "The peer's certificate is accepted, or is left to the caller.",
    errSSLClientCertRequested: "The server asks for a certificate.",
    errSSLHostNameMismatch: "The certificate is for another host name.",
    errSSLConnectionRefused: "The peer ended the connection before the handshake.",
    errSSLDecryptionFail: "A record could not be decrypted.",
    errSSLBadRecordMac: "The authentication code of a record is wrong.",
    errSSLRecordOverflow: "A record is too long.",
    errSSLBadConfiguration: "The connection is configured wrongly.",
    errSSLUnexpectedRecord: "A record came that nobody expected.",
    errSSLWeakPeerEphemeralDHKey: "The peer's Diffie-Hellman key is too weak.",
    errSSLClientHelloReceived: "The hello of a client has come.",
    errSSLTransportReset: "The transport was reset.",
    errSSLNetworkTimeout: "The network did not answer in time.",
    errSSLConfigurationFailed: "The configuration failed.",
    errSSLUnsupportedExtension: "An extension is not supported.",
    errSSLUnexpectedMessage: "A message came that nobody expected.",
    errSSLDecompressFail: "A record could not be decompressed.",
    errSSLHandshakeFail: "The handshake failed.",
    errSSLDecodeError: "A message could not be decoded.",
    errSSLInappropriateFallback: "The client fell back further than it should.",
    errSSLMissingExtension: "An extension is missing.",
    errSSLBadCertificateStatusResponse: "The answer about the certificate's status is wrong.",
    errSSLCertificateRequired: "A certificate is needed.",
    errSSLUnknownPSKIdentity: "The identity of the shared key is unknown.",
    errSSLUnrecognizedName: "The server does not know the name.",
    errSSLATSViolation: "The connection is not as safe as the application asks.",
    errSSLATSMinimumVersionViolation: "The protocol's version is below what the application asks.",
    errSSLATSCiphersuiteViolation: "The cipher suite is weaker than the application asks.",
    errSSLATSMinimumKeySizeViolation: "The peer's key is shorter than the application asks.",
    errSSLATSLeafCertificateHashAlgorithmViolation:
      "The peer's certificate is hashed more weakly than the application asks.",
    errSSLATSCertificateHashAlgorithmViolation:
      "A certificate of the chain is hashed more weakly than the application asks.",
    errSSLATSCertificateTrustViolation: "The certificate is not trusted as the application asks.",
    errSSLEarlyDataRejected: "The early data was rejected.",
  ]
}
