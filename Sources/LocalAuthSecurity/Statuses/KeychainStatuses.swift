// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

// Calls and keychains.

/// No error.
public let errSecSuccess: OSStatus = 0
/// The name of `errSecSuccess` in C.
public let noErr: OSStatus = 0
/// That is not supported.
public let errSecUnimplemented: OSStatus = -4
/// The disk is full.
public let errSecDiskFull: OSStatus = -34
/// The older name of `errSecDiskFull`.
public let errSecDskFull = errSecDiskFull
/// Reading or writing failed.
public let errSecIO: OSStatus = -36
/// The file is already open for writing.
public let errSecOpWr: OSStatus = -49
/// A parameter is not valid.
public let errSecParam: OSStatus = -50
/// There is no permission to write.
public let errSecWrPerm: OSStatus = -61
/// There is not enough memory.
public let errSecAllocate: OSStatus = -108
/// The user cancelled.
public let errSecUserCanceled: OSStatus = -128
/// The request is not valid.
public let errSecBadReq: OSStatus = -909
/// A component failed.
public let errSecInternalComponent: OSStatus = -2070
/// A lower layer failed with an unknown error.
public let errSecCoreFoundationUnknown: OSStatus = -4960
/// The program may not use that access group.
public let errSecMissingEntitlement: OSStatus = -34_018
/// The program may not make that call.
public let errSecRestrictedAPI: OSStatus = -34_020
/// No keychain is available.
public let errSecNotAvailable: OSStatus = -25_291
/// The keychain cannot be written.
public let errSecReadOnly: OSStatus = -25_292
/// Authentication failed.
public let errSecAuthFailed: OSStatus = -25_293
/// There is no such keychain.
public let errSecNoSuchKeychain: OSStatus = -25_294
/// That is not a keychain.
public let errSecInvalidKeychain: OSStatus = -25_295
/// A keychain of that name exists already.
public let errSecDuplicateKeychain: OSStatus = -25_296
/// The callback is already installed.
public let errSecDuplicateCallback: OSStatus = -25_297
/// The callback is not valid.
public let errSecInvalidCallback: OSStatus = -25_298
/// The item exists already.
public let errSecDuplicateItem: OSStatus = -25_299
/// The item was not found.
public let errSecItemNotFound: OSStatus = -25_300
/// The buffer is too small.
public let errSecBufferTooSmall: OSStatus = -25_301
/// The data is too large.
public let errSecDataTooLarge: OSStatus = -25_302
/// The class has no such attribute.
public let errSecNoSuchAttr: OSStatus = -25_303
/// The reference to an item is not valid.
public let errSecInvalidItemRef: OSStatus = -25_304
/// The reference to a search is not valid.
public let errSecInvalidSearchRef: OSStatus = -25_305
/// There is no such item class.
public let errSecNoSuchClass: OSStatus = -25_306
/// There is no default keychain.
public let errSecNoDefaultKeychain: OSStatus = -25_307
/// The item is locked, or nobody may be asked.
public let errSecInteractionNotAllowed: OSStatus = -25_308
/// The attribute cannot be changed.
public let errSecReadOnlyAttr: OSStatus = -25_309
/// The keychain has another version.
public let errSecWrongSecVersion: OSStatus = -25_310
/// The size of the key is not allowed.
public let errSecKeySizeNotAllowed: OSStatus = -25_311
/// The storage module is missing.
public let errSecNoStorageModule: OSStatus = -25_312
/// The certificate module is missing.
public let errSecNoCertificateModule: OSStatus = -25_313
/// The policy module is missing.
public let errSecNoPolicyModule: OSStatus = -25_314
/// Somebody must be asked.
public let errSecInteractionRequired: OSStatus = -25_315
/// The data is not available.
public let errSecDataNotAvailable: OSStatus = -25_316
/// The item's data cannot be changed.
public let errSecDataNotModifiable: OSStatus = -25_317
/// No chain leads from the certificate to a root.
public let errSecCreateChainFailed: OSStatus = -25_318
/// There is no such preference domain.
public let errSecInvalidPrefsDomain: OSStatus = -25_319
/// The device is awake without a screen, so it cannot prompt.
public let errSecInDarkWake: OSStatus = -25_320
/// The access list is not a simple one.
public let errSecACLNotSimple: OSStatus = -25_240
/// The policy was not found.
public let errSecPolicyNotFound: OSStatus = -25_241
/// A trust setting is not valid.
public let errSecInvalidTrustSetting: OSStatus = -25_242
/// The item has no access list.
public let errSecNoAccessForItem: OSStatus = -25_243
/// The owner of the item cannot be changed this way.
public let errSecInvalidOwnerEdit: OSStatus = -25_244
/// Trust has not been evaluated yet.
public let errSecTrustNotAvailable: OSStatus = -25_245
/// The format cannot be imported or exported.
public let errSecUnsupportedFormat: OSStatus = -25_256
/// The format of the imported data was not recognized.
public let errSecUnknownFormat: OSStatus = -25_257
/// The key can be exported only wrapped.
public let errSecKeyIsSensitive: OSStatus = -25_258
/// There is more than one private key, but one is expected.
public let errSecMultiplePrivKeys: OSStatus = -25_259
/// A passphrase is required for the import or export.
public let errSecPassphraseRequired: OSStatus = -25_260
/// The reference to a password is not valid.
public let errSecInvalidPasswordRef: OSStatus = -25_261
/// The trust settings are damaged.
public let errSecInvalidTrustSettings: OSStatus = -25_262
/// There are no trust settings.
public let errSecNoTrustSettings: OSStatus = -25_263
/// The PKCS #12 file cannot be opened: the passphrase is wrong, or the file is damaged.
public let errSecPkcs12VerifyFailure: OSStatus = -25_264
/// The certificate was not signed by its supposed issuer.
public let errSecNotSigner: OSStatus = -26_267
/// The data cannot be decoded.
public let errSecDecode: OSStatus = -26_275

extension StatusMessage {
  /// The messages of these statuses, except those that `KeychainStatus` has.
  static let keychain: [OSStatus: String] = [
    errSecDiskFull: "The disk is full.",
    errSecCoreFoundationUnknown: "A lower layer failed with an unknown error.",
    errSecDuplicateKeychain: "A keychain of that name exists already.",
    errSecDuplicateCallback: "The callback is already installed.",
    errSecInvalidCallback: "The callback is not valid.",
    errSecWrongSecVersion: "The keychain has another version.",
    errSecKeySizeNotAllowed: "The size of the key is not allowed.",
    errSecNoStorageModule: "The storage module is missing.",
    errSecNoCertificateModule: "The certificate module is missing.",
    errSecNoPolicyModule: "The policy module is missing.",
    errSecDataNotModifiable: "The item's data cannot be changed.",
    errSecCreateChainFailed: "No chain leads from the certificate to a root.",
    errSecInvalidPrefsDomain: "There is no such preference domain.",
    errSecInDarkWake: "The device is awake without a screen, so it cannot prompt.",
    errSecACLNotSimple: "The access list is not a simple one.",
    errSecPolicyNotFound: "The policy was not found.",
    errSecInvalidTrustSetting: "A trust setting is not valid.",
    errSecNoAccessForItem: "The item has no access list.",
    errSecInvalidOwnerEdit: "The owner of the item cannot be changed this way.",
    errSecTrustNotAvailable: "Trust has not been evaluated yet.",
    errSecUnsupportedFormat: "The format cannot be imported or exported.",
    errSecUnknownFormat: "The format of the imported data was not recognized.",
    errSecKeyIsSensitive: "The key can be exported only wrapped.",
    errSecMultiplePrivKeys: "There is more than one private key, but one is expected.",
    errSecPassphraseRequired: "A passphrase is required for the import or export.",
    errSecInvalidPasswordRef: "The reference to a password is not valid.",
    errSecInvalidTrustSettings: "The trust settings are damaged.",
    errSecNoTrustSettings: "There are no trust settings.",
    errSecPkcs12VerifyFailure:
      "The PKCS #12 file cannot be opened: the passphrase is wrong, or the file is damaged.",
    errSecNotSigner: "The certificate was not signed by its supposed issuer.",
  ]
}
