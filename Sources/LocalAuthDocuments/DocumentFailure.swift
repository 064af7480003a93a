public import LocalAuth
import LocalAuthClient
public import LocalAuthCore
import LocalAuthWire

/// Why a document was not read or written; nothing has changed then.
public enum DocumentFailure: Error, Hashable, Sendable {
  /// There is no such document, or no such version of it.
  case notFound(String)
  /// Another program or device wrote the document meanwhile, or not all of it has come: try again.
  case busy(String)
  /// The name is none: a path like `notes/today.txt`, of at most 1,024 bytes.
  case name(String)
  /// The document would have more than 4 GiB, or the service keeps too much for this user.
  case limit(String)
  /// The program has no access group of that name, or none at all.
  case noSuchContainer(String)
  /// The device was not unlocked since it was started.
  case locked(String)
  /// The service did not answer, or refused.
  case service(AuthError)

  /// The row of the outcome table.
  public var outcome: OutcomeCode {
    switch self {
    case .notFound: .itemNotFound
    case .busy: .busy
    case .name: .usage
    case .limit: .keychainError
    case .noSuchContainer: .accessGroupNotAllowed
    case .locked: .itemLocked
    case .service(let error): error.outcome
    }
  }
}

extension DocumentFailure: CustomStringConvertible {
  /// What happened, in one line.
  public var description: String {
    switch self {
    case .notFound(let message), .busy(let message), .name(let message), .limit(let message),
      .noSuchContainer(let message), .locked(let message):
      message
    case .service(let error): error.message
    }
  }
}

extension DocumentFailure {
  init(_ error: ClientError) {
    let failure = DocumentFailure.service(AuthError(error))
    guard case .remote(let name, let parameters) = error else {
      self = failure
      return
    }
    let code = parameters.outcome.flatMap { OutcomeCode(rawValue: $0) }
    let message = parameters.message ?? code?.sentence ?? failure.description
    self =
      switch (name.split(separator: ".").last, code) {
      case (_, .itemNotFound?): .notFound(message)
      case (_, .busy?): .busy(message)
      case (_, .accessGroupNotAllowed?): .noSuchContainer(message)
      case (_, .itemLocked?): .locked(message)
      case ("InvalidArgument"?, _): .name(message)
      case ("LimitReached"?, _): .limit(message)
      default: failure
      }
  }
}
