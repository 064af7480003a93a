public import LocalAuth
import LocalAuthClient
public import LocalAuthCore
import LocalAuthWire

/// Why rows were not read or written; nothing has changed then.
public enum TableFailure: Error, Hashable, Sendable {
  /// A table, row or column has no name, one of several lines, or one that is too long.
  case name(String)
  /// A row would have more than 64 KiB or 1,000 columns, one call has more than it takes, or the service keeps too much
  /// for this user.
  case limit(String)
  /// The program has no access group of that name, or none at all.
  case noSuchGroup(String)
  /// The device was not unlocked since it was started.
  case locked(String)
  /// The service did not answer, or refused.
  case service(AuthError)

  /// The row of the outcome table.
  public var outcome: OutcomeCode {
    switch self {
    case .name: .usage
    case .limit: .keychainError
    case .noSuchGroup: .accessGroupNotAllowed
    case .locked: .itemLocked
    case .service(let error): error.outcome
    }
  }
}

extension TableFailure: CustomStringConvertible {
  /// What happened, in one line.
  public var description: String {
    switch self {
    case .name(let message), .limit(let message), .noSuchGroup(let message), .locked(let message):
      message
    case .service(let error): error.message
    }
  }
}

extension TableFailure {
  init(_ error: ClientError) {
    let failure = TableFailure.service(AuthError(error))
    guard case .remote(let name, let parameters) = error else {
      self = failure
      return
    }
    let code = parameters.outcome.flatMap { OutcomeCode(rawValue: $0) }
    let message = parameters.message ?? code?.sentence ?? failure.description
    self =
      switch (name.split(separator: ".").last, code) {
      case (_, .accessGroupNotAllowed?): .noSuchGroup(message)
      case (_, .itemLocked?): .locked(message)
      case (_, .keychainError?): .limit(message)
      case ("InvalidArgument"?, _): .name(message)
      case ("LimitReached"?, _): .limit(message)
      default: failure
      }
  }
}
