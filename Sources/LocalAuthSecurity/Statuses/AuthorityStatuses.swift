// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

// Authorities, requests and databases.

/// The group of revocation lists is not valid.
public let errSecInvalidCRLGroup: OSStatus = -67_816
/// The certificate cannot be used for this operation.
public let errSecCertificateCannotOperate: OSStatus = -67_817
/// The certificate has expired.
public let errSecCertificateExpired: OSStatus = -67_818
/// The certificate is not valid yet.
public let errSecCertificateNotValidYet: OSStatus = -67_819
/// The certificate was revoked.
public let errSecCertificateRevoked: OSStatus = -67_820
/// The certificate is suspended.
public let errSecCertificateSuspended: OSStatus = -67_821
/// The credentials are not sufficient.
public let errSecInsufficientCredentials: OSStatus = -67_822
/// The action is not valid.
public let errSecInvalidAction: OSStatus = -67_823
/// The authority is not valid.
public let errSecInvalidAuthority: OSStatus = -67_824
/// The verification action failed.
public let errSecVerifyActionFailed: OSStatus = -67_825
/// The certificate authority is not valid.
public let errSecInvalidCertAuthority: OSStatus = -67_826
/// The revocation list authority is not valid.
public let errSecInvalidCRLAuthority: OSStatus = -67_827
/// The encoding of the revocation list is not valid.
public let errSecInvalidCRLEncoding: OSStatus = -67_828
/// The type of the revocation list is not valid.
public let errSecInvalidCRLType: OSStatus = -67_829
/// The revocation list is not valid.
public let errSecInvalidCRL: OSStatus = -67_830
/// The type of the form is not valid.
public let errSecInvalidFormType: OSStatus = -67_831
/// The identifier is not valid.
public let errSecInvalidID: OSStatus = -67_832
/// The identifier of an object is not valid.
public let errSecInvalidIdentifier: OSStatus = -67_833
/// The index is not valid.
public let errSecInvalidIndex: OSStatus = -67_834
/// The policy identifiers are not valid.
public let errSecInvalidPolicyIdentifiers: OSStatus = -67_835
/// The time string is not valid.
public let errSecInvalidTimeString: OSStatus = -67_836
/// The reason is not valid.
public let errSecInvalidReason: OSStatus = -67_837
/// The inputs of the request are not valid.
public let errSecInvalidRequestInputs: OSStatus = -67_838
/// The list of responses is not valid.
public let errSecInvalidResponseVector: OSStatus = -67_839
/// The stop condition is not valid.
public let errSecInvalidStopOnPolicy: OSStatus = -67_840
/// The tuple is not valid.
public let errSecInvalidTuple: OSStatus = -67_841
/// Multiple values are not supported.
public let errSecMultipleValuesUnsupported: OSStatus = -67_842
/// The certificate is not trusted.
public let errSecNotTrusted: OSStatus = -67_843
/// There is no default authority.
public let errSecNoDefaultAuthority: OSStatus = -67_844
/// The form was rejected.
public let errSecRejectedForm: OSStatus = -67_845
/// The request was lost.
public let errSecRequestLost: OSStatus = -67_846
/// The request was rejected.
public let errSecRequestRejected: OSStatus = -67_847
/// The type of the address is not supported.
public let errSecUnsupportedAddressType: OSStatus = -67_848
/// The service is not supported.
public let errSecUnsupportedService: OSStatus = -67_849
/// The group of tuples is not valid.
public let errSecInvalidTupleGroup: OSStatus = -67_850
/// The base access lists are not valid.
public let errSecInvalidBaseACLs: OSStatus = -67_851
/// The credentials of the tuple are not valid.
public let errSecInvalidTupleCredentials: OSStatus = -67_852
/// The encoding is not valid.
public let errSecInvalidEncoding: OSStatus = -67_853
/// The validity period is not valid.
public let errSecInvalidValidityPeriod: OSStatus = -67_854
/// The requestor is not valid.
public let errSecInvalidRequestor: OSStatus = -67_855
/// The request descriptor is not valid.
public let errSecRequestDescriptor: OSStatus = -67_856
/// The bundle information is not valid.
public let errSecInvalidBundleInfo: OSStatus = -67_857
/// The index into the revocation list is not valid.
public let errSecInvalidCRLIndex: OSStatus = -67_858
/// The fields have no values.
public let errSecNoFieldValues: OSStatus = -67_859
/// The format of a field is not supported.
public let errSecUnsupportedFieldFormat: OSStatus = -67_860
/// The index information is not supported.
public let errSecUnsupportedIndexInfo: OSStatus = -67_861
/// The location of the data is not supported.
public let errSecUnsupportedLocality: OSStatus = -67_862
/// The number of attributes is not supported.
public let errSecUnsupportedNumAttributes: OSStatus = -67_863
/// The number of indexes is not supported.
public let errSecUnsupportedNumIndexes: OSStatus = -67_864
/// The number of record types is not supported.
public let errSecUnsupportedNumRecordTypes: OSStatus = -67_865
/// A field is named more than once.
public let errSecFieldSpecifiedMultiple: OSStatus = -67_866
/// The formats of two fields are incompatible.
public let errSecIncompatibleFieldFormat: OSStatus = -67_867
/// The parsing module is not valid.
public let errSecInvalidParsingModule: OSStatus = -67_868
/// The database is locked.
public let errSecDatabaseLocked: OSStatus = -67_869
/// The store is open.
public let errSecDatastoreIsOpen: OSStatus = -67_870
/// A value is missing.
public let errSecMissingValue: OSStatus = -67_871
/// The query limits are not supported.
public let errSecUnsupportedQueryLimits: OSStatus = -67_872
/// The number of selection conditions is not supported.
public let errSecUnsupportedNumSelectionPreds: OSStatus = -67_873
/// The operator is not supported.
public let errSecUnsupportedOperator: OSStatus = -67_874
/// The location of the database is not valid.
public let errSecInvalidDBLocation: OSStatus = -67_875
/// The access request is not valid.
public let errSecInvalidAccessRequest: OSStatus = -67_876
/// The index information is not valid.
public let errSecInvalidIndexInfo: OSStatus = -67_877
/// The new owner is not valid.
public let errSecInvalidNewOwner: OSStatus = -67_878
/// The modification mode is not valid.
public let errSecInvalidModifyMode: OSStatus = -67_879
/// The certificate lacks a required extension.
public let errSecMissingRequiredExtension: OSStatus = -67_880
/// The extended key usage is not marked critical.
public let errSecExtendedKeyUsageNotCritical: OSStatus = -67_881

extension StatusMessage {
  /// The messages of these statuses.
  static let authority: [OSStatus: String] = [
    errSecInvalidCRLGroup: "The group of revocation lists is not valid.",
    errSecCertificateCannotOperate: "The certificate cannot be used for this operation.",
    errSecCertificateExpired: "The certificate has expired.",
    errSecCertificateNotValidYet: "The certificate is not valid yet.",
    errSecCertificateRevoked: "The certificate was revoked.",
    errSecCertificateSuspended: "The certificate is suspended.",
    errSecInsufficientCredentials: "The credentials are not sufficient.",
    errSecInvalidAction: "The action is not valid.",
    errSecInvalidAuthority: "The authority is not valid.",
    errSecVerifyActionFailed: "The verification action failed.",
    errSecInvalidCertAuthority: "The certificate authority is not valid.",
    errSecInvalidCRLAuthority: "The revocation list authority is not valid.",
    errSecInvalidCRLEncoding: "The encoding of the revocation list is not valid.",
    errSecInvalidCRLType: "The type of the revocation list is not valid.",
    errSecInvalidCRL: "The revocation list is not valid.",
    errSecInvalidFormType: "The type of the form is not valid.",
    errSecInvalidID: "The identifier is not valid.",
    errSecInvalidIdentifier: "The identifier of an object is not valid.",
    errSecInvalidIndex: "The index is not valid.",
    errSecInvalidPolicyIdentifiers: "The policy identifiers are not valid.",
    errSecInvalidTimeString: "The time string is not valid.",
    errSecInvalidReason: "The reason is not valid.",
    errSecInvalidRequestInputs: "The inputs of the request are not valid.",
    errSecInvalidResponseVector: "The list of responses is not valid.",
    errSecInvalidStopOnPolicy: "The stop condition is not valid.",
    errSecInvalidTuple: "The tuple is not valid.",
    errSecMultipleValuesUnsupported: "Multiple values are not supported.",
    errSecNotTrusted: "The certificate is not trusted.",
    errSecNoDefaultAuthority: "There is no default authority.",
    errSecRejectedForm: "The form was rejected.",
    errSecRequestLost: "The request was lost.",
    errSecRequestRejected: "The request was rejected.",
    errSecUnsupportedAddressType: "The type of the address is not supported.",
    errSecUnsupportedService: "The service is not supported.",
    errSecInvalidTupleGroup: "The group of tuples is not valid.",
    errSecInvalidBaseACLs: "The base access lists are not valid.",
    errSecInvalidTupleCredentials: "The credentials of the tuple are not valid.",
    errSecInvalidEncoding: "The encoding is not valid.",
    errSecInvalidValidityPeriod: "The validity period is not valid.",
    errSecInvalidRequestor: "The requestor is not valid.",
    errSecRequestDescriptor: "The request descriptor is not valid.",
    errSecInvalidBundleInfo: "The bundle information is not valid.",
    errSecInvalidCRLIndex: "The index into the revocation list is not valid.",
    errSecNoFieldValues: "The fields have no values.",
    errSecUnsupportedFieldFormat: "The format of a field is not supported.",
    errSecUnsupportedIndexInfo: "The index information is not supported.",
    errSecUnsupportedLocality: "The location of the data is not supported.",
    errSecUnsupportedNumAttributes: "The number of attributes is not supported.",
    errSecUnsupportedNumIndexes: "The number of indexes is not supported.",
    errSecUnsupportedNumRecordTypes: "The number of record types is not supported.",
    errSecFieldSpecifiedMultiple: "A field is named more than once.",
    errSecIncompatibleFieldFormat: "The formats of two fields are incompatible.",
    errSecInvalidParsingModule: "The parsing module is not valid.",
    errSecDatabaseLocked: "The database is locked.",
    errSecDatastoreIsOpen: "The store is open.",
    errSecMissingValue: "A value is missing.",
    errSecUnsupportedQueryLimits: "The query limits are not supported.",
    errSecUnsupportedNumSelectionPreds: "The number of selection conditions is not supported.",
    errSecUnsupportedOperator: "The operator is not supported.",
    errSecInvalidDBLocation: "The location of the database is not valid.",
    errSecInvalidAccessRequest: "The access request is not valid.",
    errSecInvalidIndexInfo: "The index information is not valid.",
    errSecInvalidNewOwner: "The new owner is not valid.",
    errSecInvalidModifyMode: "The modification mode is not valid.",
    errSecMissingRequiredExtension: "The certificate lacks a required extension.",
    errSecExtendedKeyUsageNotCritical: "The extended key usage is not marked critical.",
  ]
}
