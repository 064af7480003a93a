public import LocalAuth
import LocalAuthClient
public import LocalAuthCore
public import LocalAuthPropertyList
import LocalAuthWire

/// Why a value was not kept, or a store cannot be reached.
public enum KeyValueFailure: Error, Hashable, Sendable {
  /// The store would have more keys or bytes than it may; nothing has changed.
  case overQuota
  /// The value cannot be written as a property list.
  case value(PropertyListError)
  /// The program has no access group of that name, or none at all.
  case noSuchStore(String)
  /// The device was not unlocked since it was started.
  case locked(String)
  /// The service did not answer, or refused.
  case service(AuthError)

  /// The row of the outcome table.
  public var outcome: OutcomeCode {
    switch self {
    case .overQuota: .keychainError
    case .value: .usage
    case .noSuchStore: .accessGroupNotAllowed
    case .locked: .itemLocked
    case .service(let error): error.outcome
    }
  }
}

extension KeyValueFailure: CustomStringConvertible {
  /// What happened, in one line.
  public var description: String {
    switch self {
    case .overQuota:
      "A key-value store has room for 1,024 keys and 1 MiB of values: remove some, or keep less in them."
    case .value(let error): "\(error)"
    case .noSuchStore(let message), .locked(let message): message
    case .service(let error): error.message
    }
  }
}

extension KeyValueFailure {
  init(_ error: ClientError) {
    guard case .remote(_, let parameters) = error,
      let code = parameters.outcome.flatMap({ OutcomeCode(rawValue: $0) })
    else {
      self = .service(AuthError(error))
      return
    }
    switch code {
    case .accessGroupNotAllowed: self = .noSuchStore(parameters.message ?? code.sentence)
    case .itemLocked: self = .locked(parameters.message ?? code.sentence)
    default: self = .service(AuthError(error))
    }
  }
}
