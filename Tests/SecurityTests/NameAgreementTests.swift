import LocalAuthKeychain
import Security
import Testing

/// The keychain reads what these names say, so the two must not part.
@Suite struct NameAgreementTests {
  @Test func attributesAreThoseOfTheKeychain() {
    let named: [ItemAttribute: String] = [
      .accessible: kSecAttrAccessible, .accessControl: kSecAttrAccessControl,
      .accessGroup: kSecAttrAccessGroup, .creationDate: kSecAttrCreationDate,
      .modificationDate: kSecAttrModificationDate, .label: kSecAttrLabel,
      .synchronizable: kSecAttrSynchronizable, .viewHint: kSecAttrSyncViewHint,
      .tokenID: kSecAttrTokenID, .account: kSecAttrAccount,
      .description: kSecAttrDescription, .comment: kSecAttrComment,
      .isInvisible: kSecAttrIsInvisible, .isNegative: kSecAttrIsNegative,
      .service: kSecAttrService, .generic: kSecAttrGeneric,
      .securityDomain: kSecAttrSecurityDomain, .server: kSecAttrServer,
      .protocol: kSecAttrProtocol, .authenticationType: kSecAttrAuthenticationType,
      .port: kSecAttrPort, .path: kSecAttrPath, .creator: kSecAttrCreator, .type: kSecAttrType,
      .certificateType: kSecAttrCertificateType,
      .certificateEncoding: kSecAttrCertificateEncoding, .subject: kSecAttrSubject,
      .issuer: kSecAttrIssuer, .serialNumber: kSecAttrSerialNumber,
      .subjectKeyID: kSecAttrSubjectKeyID, .publicKeyHash: kSecAttrPublicKeyHash,
      .keyClass: kSecAttrKeyClass, .applicationLabel: kSecAttrApplicationLabel,
      .applicationTag: kSecAttrApplicationTag, .isPermanent: kSecAttrIsPermanent,
      .keySizeInBits: kSecAttrKeySizeInBits, .effectiveKeySize: kSecAttrEffectiveKeySize,
      .isSensitive: kSecAttrIsSensitive, .isExtractable: kSecAttrIsExtractable,
      .canEncrypt: kSecAttrCanEncrypt, .canDecrypt: kSecAttrCanDecrypt,
      .canDerive: kSecAttrCanDerive, .canSign: kSecAttrCanSign, .canVerify: kSecAttrCanVerify,
      .canWrap: kSecAttrCanWrap, .canUnwrap: kSecAttrCanUnwrap,
    ]
    // These have no name that Apple publishes.
    let unnamed: Set<ItemAttribute> = [
      .alias, .tombstone, .digest, .user, .tokenObjectID, .sharingGroup, .systemBound, .appClip,
      .extraNotes, .extraHistory, .extra0, .extra1, .extra2, .extra3, .isPrivate, .isModifiable,
      .startDay, .endDay, .wasAlwaysSensitive, .wasNeverExtractable, .canSignRecover,
      .canVerifyRecover,
    ]
    for (attribute, name) in named { #expect(attribute.rawValue == name) }
    #expect(Set(ItemAttribute.allCases) == Set(named.keys).union(unnamed))
    #expect(kSecAttrKeyType == ItemAttribute.type.rawValue)
  }

  @Test func keysOfQueriesAreThoseOfTheKeychain() {
    let named: [QueryKey: String] = [
      .itemClass: kSecClass, .matchPolicy: kSecMatchPolicy, .matchItemList: kSecMatchItemList,
      .matchSearchList: kSecMatchSearchList, .matchIssuers: kSecMatchIssuers,
      .matchEmailAddress: kSecMatchEmailAddressIfPresent,
      .matchSubjectContains: kSecMatchSubjectContains,
      .matchHost: kSecMatchHostOrSubdomainOfHost,
      .matchCaseInsensitive: kSecMatchCaseInsensitive, .matchTrustedOnly: kSecMatchTrustedOnly,
      .matchValidOnDate: kSecMatchValidOnDate, .matchLimit: kSecMatchLimit,
      .returnData: kSecReturnData, .returnAttributes: kSecReturnAttributes,
      .returnReference: kSecReturnRef, .returnPersistentReference: kSecReturnPersistentRef,
      .valueData: kSecValueData, .valueReference: kSecValueRef,
      .valuePersistentReference: kSecValuePersistentRef, .useItemList: kSecUseItemList,
      .useOperationPrompt: kSecUseOperationPrompt,
      .useNoAuthenticationUI: kSecUseNoAuthenticationUI,
      .useAuthenticationUI: kSecUseAuthenticationUI,
      .useAuthenticationContext: kSecUseAuthenticationContext,
      .useUserIndependentKeychain: kSecUseUserIndependentKeychain,
    ]
    let unnamed: Set<QueryKey> = [
      .useTombstones, .useCredential, .useCallerName, .useSystemKeychain, .useTokenRawItems,
    ]
    for (key, name) in named { #expect(key.rawValue == name) }
    #expect(Set(QueryKey.allCases) == Set(named.keys).union(unnamed))
    #expect(kSecUseDataProtectionKeychain == "nleg")
    #expect(kSecAttrSynchronizableAny == QueryKey.synchronizableAny)
    #expect([kSecMatchLimitOne, kSecMatchLimitAll] == ["m_LimitOne", "m_LimitAll"])
    #expect(
      [
        kSecUseAuthenticationUIAllow, kSecUseAuthenticationUIFail, kSecUseAuthenticationUISkip,
      ] == InterfaceMode.allCases.map(\.rawValue)
    )
  }

  @Test func classesAreThoseOfTheKeychain() {
    let classes: [String] = [
      kSecClassGenericPassword, kSecClassInternetPassword, kSecClassCertificate, kSecClassKey,
      kSecClassIdentity,
    ]
    #expect(classes == ItemClass.allCases.map(\.rawValue))
    let accessibilities: [String] = [
      kSecAttrAccessibleWhenUnlocked, kSecAttrAccessibleAfterFirstUnlock,
      kSecAttrAccessibleAlways, kSecAttrAccessibleWhenUnlockedThisDeviceOnly,
      kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
      kSecAttrAccessibleAlwaysThisDeviceOnly, kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly,
    ]
    #expect(accessibilities == ProtectionClass.allCases.map(\.rawValue))
    #expect(kSecAttrAccessGroupToken == AccessGroups.token)
    #expect(kSecAttrTokenIDSecureEnclave == TokenID.secureEnclave.rawValue)
    let keyClasses: [String] = [
      kSecAttrKeyClassPublic, kSecAttrKeyClassPrivate, kSecAttrKeyClassSymmetric,
    ]
    #expect(keyClasses == KeyClass.allCases.map { "\($0.rawValue)" })
    #expect(kSecAttrKeyTypeRSA == "\(KeyType.rsa.rawValue)")
    #expect(kSecAttrKeyTypeECSECPrimeRandom == "\(KeyType.ellipticCurve.rawValue)")
  }

  @Test func protocolsAreThoseOfTheKeychain() {
    let protocols = [
      kSecAttrProtocolFTP, kSecAttrProtocolFTPAccount, kSecAttrProtocolHTTP,
      kSecAttrProtocolIRC, kSecAttrProtocolNNTP, kSecAttrProtocolPOP3, kSecAttrProtocolSMTP,
      kSecAttrProtocolSOCKS, kSecAttrProtocolIMAP, kSecAttrProtocolLDAP,
      kSecAttrProtocolAppleTalk, kSecAttrProtocolAFP, kSecAttrProtocolTelnet,
      kSecAttrProtocolSSH, kSecAttrProtocolFTPS, kSecAttrProtocolHTTPS,
      kSecAttrProtocolHTTPProxy, kSecAttrProtocolHTTPSProxy, kSecAttrProtocolFTPProxy,
      kSecAttrProtocolSMB, kSecAttrProtocolRTSP, kSecAttrProtocolRTSPProxy,
      kSecAttrProtocolDAAP, kSecAttrProtocolEPPC, kSecAttrProtocolIPP, kSecAttrProtocolNNTPS,
      kSecAttrProtocolLDAPS, kSecAttrProtocolTelnetS, kSecAttrProtocolIMAPS,
      kSecAttrProtocolIRCS, kSecAttrProtocolPOP3S,
    ]
    #expect(protocols == InternetProtocol.allCases.map(\.rawValue))
    let authentications = [
      kSecAttrAuthenticationTypeNTLM, kSecAttrAuthenticationTypeMSN,
      kSecAttrAuthenticationTypeDPA, kSecAttrAuthenticationTypeRPA,
      kSecAttrAuthenticationTypeHTTPBasic, kSecAttrAuthenticationTypeHTTPDigest,
      kSecAttrAuthenticationTypeHTMLForm, kSecAttrAuthenticationTypeDefault,
    ]
    #expect(authentications == InternetAuthentication.allCases.map(\.rawValue))
    for code in protocols + authentications { #expect(code.utf8.count == 4) }
  }

  @Test func algorithmsAreThoseOfTheKeychain() {
    let named: [KeyAlgorithm: SecKeyAlgorithm] = [
      .ecdsaSignatureMessageX962SHA256: .ecdsaSignatureMessageX962SHA256,
      .ecdsaSignatureMessageX962SHA384: .ecdsaSignatureMessageX962SHA384,
      .ecdsaSignatureMessageX962SHA512: .ecdsaSignatureMessageX962SHA512,
      .ecdsaSignatureDigestX962SHA256: .ecdsaSignatureDigestX962SHA256,
      .ecdsaSignatureDigestX962SHA384: .ecdsaSignatureDigestX962SHA384,
      .ecdsaSignatureDigestX962SHA512: .ecdsaSignatureDigestX962SHA512,
      .ecdhKeyExchangeStandard: .ecdhKeyExchangeStandard,
      .ecdhKeyExchangeStandardX963SHA256: .ecdhKeyExchangeStandardX963SHA256,
    ]
    for (algorithm, name) in named { #expect(algorithm.rawValue == name.rawValue) }
    // Apple publishes no name for EdDSA.
    #expect(
      Set(KeyAlgorithm.allCases).subtracting(named.keys) == [.edDSASignatureMessageCurve25519SHA512]
    )
  }
}
