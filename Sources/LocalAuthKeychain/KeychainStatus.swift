public import LocalAuthCore

/// The statuses that Apple's keychain calls return, with Apple's numbers.
///
/// Apple's many kinds of bad parameter are all -50; `ParameterFault` distinguishes them.
public enum KeychainStatus: Int32, CaseIterable, Hashable, Sendable {
  case success = 0
  case unimplemented = -4
  case diskFull = -34
  case io = -36
  case alreadyOpenForWriting = -49
  case param = -50
  case writePermission = -61
  case allocate = -108
  case userCanceled = -128
  case badRequest = -909
  case internalComponent = -2070
  case notAvailable = -25_291
  case readOnly = -25_292
  case authFailed = -25_293
  case noSuchKeychain = -25_294
  case invalidKeychain = -25_295
  case duplicateItem = -25_299
  case itemNotFound = -25_300
  case bufferTooSmall = -25_301
  case dataTooLarge = -25_302
  case noSuchAttribute = -25_303
  case invalidItemReference = -25_304
  case invalidSearchReference = -25_305
  case noSuchClass = -25_306
  case noDefaultKeychain = -25_307
  case interactionNotAllowed = -25_308
  case readOnlyAttribute = -25_309
  case interactionRequired = -25_315
  case dataNotAvailable = -25_316
  case decode = -26_275
  case internalFailure = -26_276
  case missingEntitlement = -34_018
  case upgradePending = -34_019
  case restrictedAPI = -34_020

  /// The name of Apple's constant.
  public var symbol: String { row.symbol }
  /// What happened, in one sentence.
  public var message: String { row.message }

  /// The status of an authentication that ended with `outcome`.
  ///
  /// Of these, Apple distinguishes only the user's cancel, a bad parameter and the lack of a person
  /// to ask.
  public init(_ outcome: OutcomeCode) {
    switch outcome {
    case .success: self = .success
    case .userCancel: self = .userCanceled
    case .usage: self = .param
    case .notInteractive: self = .interactionNotAllowed
    case .unreachable: self = .notAvailable
    case .internalError, .keychainError: self = .internalFailure
    case .itemNotFound: self = .itemNotFound
    case .duplicateItem: self = .duplicateItem
    case .itemLocked: self = .interactionNotAllowed
    case .accessGroupNotAllowed: self = .missingEntitlement
    case .authenticationFailed, .userFallback, .timeout, .systemCancel, .appCancel, .busy,
      .invalidContext, .biometryLockout, .passcodeThrottled, .authenticatorLockout,
      .biometryNotEnrolled, .biometryNotAvailable, .biometryDisconnected,
      .authenticatorNotAvailable, .sensorError, .passcodeNotSet,
      .scriptEventsLeftOver, .simulatedNotAllowed, .notPermitted, .badConfiguration:
      self = .authFailed
    }
  }

  /// The status of a failure to read or write durable state.
  public init(_ failure: StorageError) {
    switch failure {
    case .unwritable: self = .readOnly
    case .failed: self = .io
    case .duplicate: self = .duplicateItem
    case .missing: self = .itemNotFound
    case .full, .overQuota: self = .diskFull
    case .corrupt, .fromTheFuture, .owned: self = .notAvailable
    }
  }

  private var row: (symbol: String, message: String) {
    switch self {
    case .success: ("errSecSuccess", "No error.")
    case .unimplemented: ("errSecUnimplemented", "That is not supported.")
    case .diskFull: ("errSecDiskFull", "The disk is full.")
    case .io: ("errSecIO", "Reading or writing failed.")
    case .alreadyOpenForWriting: ("errSecOpWr", "The file is already open for writing.")
    case .param: ("errSecParam", "A parameter is not valid.")
    case .writePermission: ("errSecWrPerm", "There is no permission to write.")
    case .allocate: ("errSecAllocate", "There is not enough memory.")
    case .userCanceled: ("errSecUserCanceled", "The user cancelled.")
    case .badRequest: ("errSecBadReq", "The request is not valid.")
    case .internalComponent: ("errSecInternalComponent", "A component failed.")
    case .notAvailable: ("errSecNotAvailable", "No keychain is available.")
    case .readOnly: ("errSecReadOnly", "The keychain cannot be written.")
    case .authFailed: ("errSecAuthFailed", "Authentication failed.")
    case .noSuchKeychain: ("errSecNoSuchKeychain", "There is no such keychain.")
    case .invalidKeychain: ("errSecInvalidKeychain", "That is not a keychain.")
    case .duplicateItem: ("errSecDuplicateItem", "The item exists already.")
    case .itemNotFound: ("errSecItemNotFound", "The item was not found.")
    case .bufferTooSmall: ("errSecBufferTooSmall", "The buffer is too small.")
    case .dataTooLarge: ("errSecDataTooLarge", "The data is too large.")
    case .noSuchAttribute: ("errSecNoSuchAttr", "The class has no such attribute.")
    case .invalidItemReference: ("errSecInvalidItemRef", "The reference to an item is not valid.")
    case .invalidSearchReference:
      ("errSecInvalidSearchRef", "The reference to a search is not valid.")
    case .noSuchClass: ("errSecNoSuchClass", "There is no such item class.")
    case .noDefaultKeychain: ("errSecNoDefaultKeychain", "There is no default keychain.")
    case .interactionNotAllowed:
      ("errSecInteractionNotAllowed", "The item is locked, or nobody may be asked.")
    case .readOnlyAttribute: ("errSecReadOnlyAttr", "The attribute cannot be changed.")
    case .interactionRequired: ("errSecInteractionRequired", "Somebody must be asked.")
    case .dataNotAvailable: ("errSecDataNotAvailable", "The data is not available.")
    case .decode: ("errSecDecode", "The data cannot be decoded.")
    case .internalFailure: ("errSecInternal", "Something inside failed; nothing was allowed.")
    case .missingEntitlement:
      ("errSecMissingEntitlement", "The program may not use that access group.")
    case .upgradePending: ("errSecUpgradePending", "The keychain is being upgraded.")
    case .restrictedAPI: ("errSecRestrictedAPI", "The program may not make that call.")
    }
  }
}
