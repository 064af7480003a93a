public import LocalAuthCore

/// Why a keychain call failed; it keeps apart what Apple's status alone does not.
///
/// It names keys and groups, never values.
public enum KeychainError: Error, Hashable, Sendable {
  /// The dictionaries are not right.
  case parameter(ParameterFault)
  /// The class has no attribute of this name.
  case noSuchAttribute(String)
  /// There is no class of this name, or it is another than the persistent reference's.
  case noSuchClass
  /// That is not supported for this class or at all.
  case unsupported(String)
  case itemNotFound
  case duplicateItem
  /// The state of the device does not let the item be opened.
  case locked
  /// The access group is not the caller's, or it has none at all (nil).
  case accessGroup(String?)
  /// The caller may not do that whatever its groups.
  case restricted
  /// The item wants an authentication, which ended so.
  case authentication(OutcomeCode)
  /// Bytes that should be an access control or an item are not.
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

  /// The row of the outcome table; an authentication keeps its own.
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

  /// The status that `authctl` exits with.
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
