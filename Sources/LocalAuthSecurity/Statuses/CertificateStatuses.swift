// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

// Devices, certificates, revocation and services.

/// The service is not available.
public let errSecServiceNotAvailable: OSStatus = -67_585
/// The client identifier is not sufficient.
public let errSecInsufficientClientID: OSStatus = -67_586
/// The device was reset.
public let errSecDeviceReset: OSStatus = -67_587
/// The device failed.
public let errSecDeviceFailed: OSStatus = -67_588
/// The application could not be added to the access list.
public let errSecAppleAddAppACLSubject: OSStatus = -67_589
/// The public key lacks a part.
public let errSecApplePublicKeyIncomplete: OSStatus = -67_590
/// The signature is not the expected one.
public let errSecAppleSignatureMismatch: OSStatus = -67_591
/// The start date of the key is not valid.
public let errSecAppleInvalidKeyStartDate: OSStatus = -67_592
/// The end date of the key is not valid.
public let errSecAppleInvalidKeyEndDate: OSStatus = -67_593
/// A value could not be converted.
public let errSecConversionError: OSStatus = -67_594
/// The connection was rolled back to SSL 2.
public let errSecAppleSSLv2Rollback: OSStatus = -67_595
/// The quota is exceeded.
public let errSecQuotaExceeded: OSStatus = -67_596
/// The file is too large.
public let errSecFileTooBig: OSStatus = -67_597
/// The database has a damaged blob.
public let errSecInvalidDatabaseBlob: OSStatus = -67_598
/// The blob of a key is damaged.
public let errSecInvalidKeyBlob: OSStatus = -67_599
/// The database has a blob of an incompatible version.
public let errSecIncompatibleDatabaseBlob: OSStatus = -67_600
/// The blob of a key has an incompatible version.
public let errSecIncompatibleKeyBlob: OSStatus = -67_601
/// The certificate is for another host.
public let errSecHostNameMismatch: OSStatus = -67_602
/// An extension is marked critical in an unknown way.
public let errSecUnknownCriticalExtensionFlag: OSStatus = -67_603
/// The certificate has no basic constraints.
public let errSecNoBasicConstraints: OSStatus = -67_604
/// The basic constraints do not state whether this is an authority.
public let errSecNoBasicConstraintsCA: OSStatus = -67_605
/// The key identifier of the authority is not valid.
public let errSecInvalidAuthorityKeyID: OSStatus = -67_606
/// The key identifier of the subject is not valid.
public let errSecInvalidSubjectKeyID: OSStatus = -67_607
/// The policy does not accept the key's usage.
public let errSecInvalidKeyUsageForPolicy: OSStatus = -67_608
/// The extended key usage is not valid.
public let errSecInvalidExtendedKeyUsage: OSStatus = -67_609
/// The identifiers of certificate and issuer do not match.
public let errSecInvalidIDLinkage: OSStatus = -67_610
/// The chain is longer than a certificate in it permits.
public let errSecPathLengthConstraintExceeded: OSStatus = -67_611
/// The root of the chain is not valid.
public let errSecInvalidRoot: OSStatus = -67_612
/// The revocation list has expired.
public let errSecCRLExpired: OSStatus = -67_613
/// The revocation list is not valid yet.
public let errSecCRLNotValidYet: OSStatus = -67_614
/// The revocation list was not found.
public let errSecCRLNotFound: OSStatus = -67_615
/// The server of the revocation list does not answer.
public let errSecCRLServerDown: OSStatus = -67_616
/// The address of the revocation list is not valid.
public let errSecCRLBadURI: OSStatus = -67_617
/// The certificate has an unknown extension.
public let errSecUnknownCertExtension: OSStatus = -67_618
/// The revocation list has an unknown extension.
public let errSecUnknownCRLExtension: OSStatus = -67_619
/// The revocation list is not trusted.
public let errSecCRLNotTrusted: OSStatus = -67_620
/// The policy for revocation lists was not met.
public let errSecCRLPolicyFailed: OSStatus = -67_621
/// The issuing distribution point does not match.
public let errSecIDPFailure: OSStatus = -67_622
/// The email address was not found in the certificate.
public let errSecSMIMEEmailAddressesNotFound: OSStatus = -67_623
/// The extended key usage does not suit S/MIME.
public let errSecSMIMEBadExtendedKeyUsage: OSStatus = -67_624
/// The key usage does not suit S/MIME.
public let errSecSMIMEBadKeyUsage: OSStatus = -67_625
/// The key usage of an S/MIME certificate is not marked critical.
public let errSecSMIMEKeyUsageNotCritical: OSStatus = -67_626
/// The S/MIME certificate has no email address.
public let errSecSMIMENoEmailAddress: OSStatus = -67_627
/// The alternative name of an S/MIME certificate is not marked critical.
public let errSecSMIMESubjAltNameNotCritical: OSStatus = -67_628
/// The extended key usage does not suit TLS.
public let errSecSSLBadExtendedKeyUsage: OSStatus = -67_629
/// The OCSP answer is damaged or wrong.
public let errSecOCSPBadResponse: OSStatus = -67_630
/// The OCSP request is damaged or wrong.
public let errSecOCSPBadRequest: OSStatus = -67_631
/// The OCSP service is not available.
public let errSecOCSPUnavailable: OSStatus = -67_632
/// The OCSP service does not know the certificate.
public let errSecOCSPStatusUnrecognized: OSStatus = -67_633
/// The end of the data was reached.
public let errSecEndOfData: OSStatus = -67_634
/// Revocation could not be checked for every certificate.
public let errSecIncompleteCertRevocationCheck: OSStatus = -67_635
/// The network failed.
public let errSecNetworkFailure: OSStatus = -67_636
/// The OCSP answer leads to no trusted root.
public let errSecOCSPNotTrustedToAnchor: OSStatus = -67_637
/// The record was changed in the meantime.
public let errSecRecordModified: OSStatus = -67_638
/// The signature of the OCSP answer is wrong.
public let errSecOCSPSignatureError: OSStatus = -67_639
/// The OCSP answer has no signer.
public let errSecOCSPNoSigner: OSStatus = -67_640
/// The OCSP responder found the request malformed.
public let errSecOCSPResponderMalformedReq: OSStatus = -67_641
/// The OCSP responder failed.
public let errSecOCSPResponderInternalError: OSStatus = -67_642
/// The OCSP responder is busy; try again later.
public let errSecOCSPResponderTryLater: OSStatus = -67_643
/// The OCSP responder answers signed requests only.
public let errSecOCSPResponderSignatureRequired: OSStatus = -67_644
/// The OCSP responder does not authorize this request.
public let errSecOCSPResponderUnauthorized: OSStatus = -67_645
/// The OCSP answer belongs to another request.
public let errSecOCSPResponseNonceMismatch: OSStatus = -67_646
/// The chain of a code signature has the wrong length.
public let errSecCodeSigningBadCertChainLength: OSStatus = -67_647
/// A certificate of a code signature has no basic constraints.
public let errSecCodeSigningNoBasicConstraints: OSStatus = -67_648
/// The path length in the chain of a code signature is wrong.
public let errSecCodeSigningBadPathLengthConstraint: OSStatus = -67_649
/// A certificate of a code signature has no extended key usage.
public let errSecCodeSigningNoExtendedKeyUsage: OSStatus = -67_650
/// The code is signed for development only.
public let errSecCodeSigningDevelopment: OSStatus = -67_651
/// The chain of a signed resource has the wrong length.
public let errSecResourceSignBadCertChainLength: OSStatus = -67_652
/// The extended key usage does not suit signing resources.
public let errSecResourceSignBadExtKeyUsage: OSStatus = -67_653
/// The settings say not to trust this certificate.
public let errSecTrustSettingDeny: OSStatus = -67_654
/// The name of the subject is not valid.
public let errSecInvalidSubjectName: OSStatus = -67_655
/// A statement of a qualified certificate is unknown.
public let errSecUnknownQualifiedCertStatement: OSStatus = -67_656
/// MobileMe will answer the request later.
public let errSecMobileMeRequestQueued: OSStatus = -67_657
/// MobileMe redirected the request.
public let errSecMobileMeRequestRedirected: OSStatus = -67_658
/// The MobileMe server answered with an error.
public let errSecMobileMeServerError: OSStatus = -67_659
/// The MobileMe server is not available.
public let errSecMobileMeServerNotAvailable: OSStatus = -67_660
/// The object already exists on the MobileMe server.
public let errSecMobileMeServerAlreadyExists: OSStatus = -67_661
/// A service of the MobileMe server failed.
public let errSecMobileMeServerServiceErr: OSStatus = -67_662
/// The same request to MobileMe is pending.
public let errSecMobileMeRequestAlreadyPending: OSStatus = -67_663
/// No request to MobileMe is pending.
public let errSecMobileMeNoRequestPending: OSStatus = -67_664
/// MobileMe could not verify the certificate request.
public let errSecMobileMeCSRVerifyFailure: OSStatus = -67_665
/// MobileMe found the data inconsistent.
public let errSecMobileMeFailedConsistencyCheck: OSStatus = -67_666

extension StatusMessage {
  /// The messages of these statuses.
  static let certificate: [OSStatus: String] = [
    errSecServiceNotAvailable: "The service is not available.",
    errSecInsufficientClientID: "The client identifier is not sufficient.",
    errSecDeviceReset: "The device was reset.",
    errSecDeviceFailed: "The device failed.",
    errSecAppleAddAppACLSubject: "The application could not be added to the access list.",
    errSecApplePublicKeyIncomplete: "The public key lacks a part.",
    errSecAppleSignatureMismatch: "The signature is not the expected one.",
    errSecAppleInvalidKeyStartDate: "The start date of the key is not valid.",
    errSecAppleInvalidKeyEndDate: "The end date of the key is not valid.",
    errSecConversionError: "A value could not be converted.",
    errSecAppleSSLv2Rollback: "The connection was rolled back to SSL 2.",
    errSecQuotaExceeded: "The quota is exceeded.",
    errSecFileTooBig: "The file is too large.",
    errSecInvalidDatabaseBlob: "The database has a damaged blob.",
    errSecInvalidKeyBlob: "The blob of a key is damaged.",
    errSecIncompatibleDatabaseBlob: "The database has a blob of an incompatible version.",
    errSecIncompatibleKeyBlob: "The blob of a key has an incompatible version.",
    errSecHostNameMismatch: "The certificate is for another host.",
    errSecUnknownCriticalExtensionFlag: "An extension is marked critical in an unknown way.",
    errSecNoBasicConstraints: "The certificate has no basic constraints.",
    errSecNoBasicConstraintsCA: "The basic constraints do not state whether this is an authority.",
    errSecInvalidAuthorityKeyID: "The key identifier of the authority is not valid.",
    errSecInvalidSubjectKeyID: "The key identifier of the subject is not valid.",
    errSecInvalidKeyUsageForPolicy: "The policy does not accept the key's usage.",
    errSecInvalidExtendedKeyUsage: "The extended key usage is not valid.",
    errSecInvalidIDLinkage: "The identifiers of certificate and issuer do not match.",
    errSecPathLengthConstraintExceeded: "The chain is longer than a certificate in it permits.",
    errSecInvalidRoot: "The root of the chain is not valid.",
    errSecCRLExpired: "The revocation list has expired.",
    errSecCRLNotValidYet: "The revocation list is not valid yet.",
    errSecCRLNotFound: "The revocation list was not found.",
    errSecCRLServerDown: "The server of the revocation list does not answer.",
    errSecCRLBadURI: "The address of the revocation list is not valid.",
    errSecUnknownCertExtension: "The certificate has an unknown extension.",
    errSecUnknownCRLExtension: "The revocation list has an unknown extension.",
    errSecCRLNotTrusted: "The revocation list is not trusted.",
    errSecCRLPolicyFailed: "The policy for revocation lists was not met.",
    errSecIDPFailure: "The issuing distribution point does not match.",
    errSecSMIMEEmailAddressesNotFound: "The email address was not found in the certificate.",
    errSecSMIMEBadExtendedKeyUsage: "The extended key usage does not suit S/MIME.",
    errSecSMIMEBadKeyUsage: "The key usage does not suit S/MIME.",
    errSecSMIMEKeyUsageNotCritical:
      "The key usage of an S/MIME certificate is not marked critical.",
    errSecSMIMENoEmailAddress: "The S/MIME certificate has no email address.",
    errSecSMIMESubjAltNameNotCritical:
      "The alternative name of an S/MIME certificate is not marked critical.",
    errSecSSLBadExtendedKeyUsage: "The extended key usage does not suit TLS.",
    errSecOCSPBadResponse: "The OCSP answer is damaged or wrong.",
    errSecOCSPBadRequest: "The OCSP request is damaged or wrong.",
    errSecOCSPUnavailable: "The OCSP service is not available.",
    errSecOCSPStatusUnrecognized: "The OCSP service does not know the certificate.",
    errSecEndOfData: "The end of the data was reached.",
    errSecIncompleteCertRevocationCheck: "Revocation could not be checked for every certificate.",
    errSecNetworkFailure: "The network failed.",
    errSecOCSPNotTrustedToAnchor: "The OCSP answer leads to no trusted root.",
    errSecRecordModified: "The record was changed in the meantime.",
    errSecOCSPSignatureError: "The signature of the OCSP answer is wrong.",
    errSecOCSPNoSigner: "The OCSP answer has no signer.",
    errSecOCSPResponderMalformedReq: "The OCSP responder found the request malformed.",
    errSecOCSPResponderInternalError: "The OCSP responder failed.",
    errSecOCSPResponderTryLater: "The OCSP responder is busy; try again later.",
    errSecOCSPResponderSignatureRequired: "The OCSP responder answers signed requests only.",
    errSecOCSPResponderUnauthorized: "The OCSP responder does not authorize this request.",
    errSecOCSPResponseNonceMismatch: "The OCSP answer belongs to another request.",
    errSecCodeSigningBadCertChainLength: "The chain of a code signature has the wrong length.",
    errSecCodeSigningNoBasicConstraints:
      "A certificate of a code signature has no basic constraints.",
    errSecCodeSigningBadPathLengthConstraint:
      "The path length in the chain of a code signature is wrong.",
    errSecCodeSigningNoExtendedKeyUsage:
      "A certificate of a code signature has no extended key usage.",
    errSecCodeSigningDevelopment: "The code is signed for development only.",
    errSecResourceSignBadCertChainLength: "The chain of a signed resource has the wrong length.",
    errSecResourceSignBadExtKeyUsage: "The extended key usage does not suit signing resources.",
    errSecTrustSettingDeny: "The settings say not to trust this certificate.",
    errSecInvalidSubjectName: "The name of the subject is not valid.",
    errSecUnknownQualifiedCertStatement: "A statement of a qualified certificate is unknown.",
    errSecMobileMeRequestQueued: "MobileMe will answer the request later.",
    errSecMobileMeRequestRedirected: "MobileMe redirected the request.",
    errSecMobileMeServerError: "The MobileMe server answered with an error.",
    errSecMobileMeServerNotAvailable: "The MobileMe server is not available.",
    errSecMobileMeServerAlreadyExists: "The object already exists on the MobileMe server.",
    errSecMobileMeServerServiceErr: "A service of the MobileMe server failed.",
    errSecMobileMeRequestAlreadyPending: "The same request to MobileMe is pending.",
    errSecMobileMeNoRequestPending: "No request to MobileMe is pending.",
    errSecMobileMeCSRVerifyFailure: "MobileMe could not verify the certificate request.",
    errSecMobileMeFailedConsistencyCheck: "MobileMe found the data inconsistent.",
  ]
}
