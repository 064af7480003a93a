public import LocalAuthCore

/// Why a keychain call failed, in more detail than Apple's status.
///
/// It names keys and groups, never values.
public enum KeychainError: Error, Hashable, Sendable {
  /// A dictionary is invalid.
  case parameter(ParameterFault)
  /// The class has no attribute of this name.
  case noSuchAttribute(String)
  /// There is no class of this name, or it differs from the persistent reference's.
  case noSuchClass
  /// This is not supported for this class or at all.
  case unsupported(String)
  case itemNotFound
  case duplicateItem
  /// The state of the device keeps the item locked.
  case locked
  /// The caller may not use the access group, or has none at all (nil).
  case accessGroup(String?)
  /// The caller may not do this, whatever its groups.
  case restricted
  /// The item requires an authentication, which ended with this outcome.
  case authentication(OutcomeCode)
  /// The bytes do not encode an access control or an item.
  case undecodable
  /// Durable state cannot be read or written.
  case storage(StorageError)

  /// Apple's status.
  public var status: KeychainStatus {
    switch self {
    case .parameter: .param
    case .noSuchAttribute: .noSuchAttribute
    case .noSuchClass: .noSuchClass
    case .unsupported: .unimplemented
    case .itemNotFound: .itemNotFound
    case .duplicateItem: .duplicateItem
    case .locked: .interactionNotAllowed
    case .accessGroup: .missingEntitlement
    case .restricted: .restrictedAPI
    case .authentication(let outcome): KeychainStatus(outcome)
    case .undecodable: .decode
    case .storage(let failure): KeychainStatus(failure)
    }
  }

  /// The code in the outcome table; an authentication keeps its own.
  public var outcome: OutcomeCode {
    switch self {
    case .itemNotFound: .itemNotFound
    case .duplicateItem: .duplicateItem
    case .locked: .itemLocked
    case .accessGroup: .accessGroupNotAllowed
    case .authentication(let outcome): outcome
    case .parameter, .noSuchAttribute, .noSuchClass, .unsupported, .restricted, .undecodable,
      .storage:
      .keychainError
    }
  }

  /// The exit status of `authctl`.
  public var exit: Int32 { outcome.exit }

  /// The word for `--json` and the audit.
  public var word: String { outcome.rawValue }

  /// What is wrong and what to do, in one line.
  public var sentence: String {
    switch self {
    case .parameter(let fault): fault.sentence
    case .noSuchAttribute(let key): "The class has no attribute '\(ParameterFault.shown(key))'."
    case .unsupported(let what): "\(ParameterFault.shown(what)) is not supported here."
    case .locked: "The device's state keeps the item locked."
    case .accessGroup(let group?):
      "The access group '\(ParameterFault.shown(group))' is not open to this program."
    case .accessGroup(nil): "This program has no access group to use."
    case .authentication(let outcome): outcome.sentence
    case .storage(let failure): "The keychain cannot be used: \(failure.advice)."
    case .noSuchClass, .itemNotFound, .duplicateItem, .restricted, .undecodable: status.message
    }
  }
}
