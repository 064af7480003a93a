// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

// Timestamps and later additions.

/// The timestamp is missing.
public let errSecTimestampMissing: OSStatus = -67_882
/// The timestamp is not valid.
public let errSecTimestampInvalid: OSStatus = -67_883
/// The timestamp is not trusted.
public let errSecTimestampNotTrusted: OSStatus = -67_884
/// The timestamp service is not available.
public let errSecTimestampServiceNotAvailable: OSStatus = -67_885
/// The timestamp service does not know the algorithm.
public let errSecTimestampBadAlg: OSStatus = -67_886
/// The timestamp service does not permit the request.
public let errSecTimestampBadRequest: OSStatus = -67_887
/// The timestamp service cannot read the data.
public let errSecTimestampBadDataFormat: OSStatus = -67_888
/// The timestamp service has no time available.
public let errSecTimestampTimeNotAvailable: OSStatus = -67_889
/// The timestamp service does not support the requested policy.
public let errSecTimestampUnacceptedPolicy: OSStatus = -67_890
/// The timestamp service does not support the requested extension.
public let errSecTimestampUnacceptedExtension: OSStatus = -67_891
/// The timestamp service does not have the additional information.
public let errSecTimestampAddInfoNotAvailable: OSStatus = -67_892
/// The timestamp service failed.
public let errSecTimestampSystemFailure: OSStatus = -67_893
/// The time of signing is missing.
public let errSecSigningTimeMissing: OSStatus = -67_894
/// The timestamp service rejected the request.
public let errSecTimestampRejection: OSStatus = -67_895
/// The timestamp service has not decided yet.
public let errSecTimestampWaiting: OSStatus = -67_896
/// The timestamp service is about to be revoked.
public let errSecTimestampRevocationWarning: OSStatus = -67_897
/// The timestamp service was revoked.
public let errSecTimestampRevocationNotification: OSStatus = -67_898
/// A policy of the certificate is not permitted.
public let errSecCertificatePolicyNotAllowed: OSStatus = -67_899
/// A name in the certificate is not permitted.
public let errSecCertificateNameNotAllowed: OSStatus = -67_900
/// The validity period of the certificate is too long.
public let errSecCertificateValidityPeriodTooLong: OSStatus = -67_901
/// The certificate is an authority's, which is not allowed here.
public let errSecCertificateIsCA: OSStatus = -67_902
/// The certificate has an extension twice.
public let errSecCertificateDuplicateExtension: OSStatus = -67_903
/// The qualified certificate lacks a required statement.
public let errSecMissingQualifiedCertStatement: OSStatus = -67_904

extension StatusMessage {
  /// The messages of these statuses.
  static let timestamp: [OSStatus: String] = [
    errSecTimestampMissing: "The timestamp is missing.",
    errSecTimestampInvalid: "The timestamp is not valid.",
    errSecTimestampNotTrusted: "The timestamp is not trusted.",
    errSecTimestampServiceNotAvailable: "The timestamp service is not available.",
    errSecTimestampBadAlg: "The timestamp service does not know the algorithm.",
    errSecTimestampBadRequest: "The timestamp service does not permit the request.",
    errSecTimestampBadDataFormat: "The timestamp service cannot read the data.",
    errSecTimestampTimeNotAvailable: "The timestamp service has no time available.",
    errSecTimestampUnacceptedPolicy: "The timestamp service does not support the requested policy.",
    errSecTimestampUnacceptedExtension:
      "The timestamp service does not support the requested extension.",
    errSecTimestampAddInfoNotAvailable:
      "The timestamp service does not have the additional information.",
    errSecTimestampSystemFailure: "The timestamp service failed.",
    errSecSigningTimeMissing: "The time of signing is missing.",
    errSecTimestampRejection: "The timestamp service rejected the request.",
    errSecTimestampWaiting: "The timestamp service has not decided yet.",
    errSecTimestampRevocationWarning: "The timestamp service is about to be revoked.",
    errSecTimestampRevocationNotification: "The timestamp service was revoked.",
    errSecCertificatePolicyNotAllowed: "A policy of the certificate is not permitted.",
    errSecCertificateNameNotAllowed: "A name in the certificate is not permitted.",
    errSecCertificateValidityPeriodTooLong: "The validity period of the certificate is too long.",
    errSecCertificateIsCA: "The certificate is an authority's, which is not allowed here.",
    errSecCertificateDuplicateExtension: "The certificate has an extension twice.",
    errSecMissingQualifiedCertStatement: "The qualified certificate lacks a required statement.",
  ]
}
