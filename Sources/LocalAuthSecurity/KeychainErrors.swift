package import LocalAuth
import LocalAuthCore
import LocalAuthKeychain

extension NSError {
  /// The domain of `LAError` codes.
  package static let authenticationDomain = "com.apple.LocalAuthentication"

  /// The error of a status; without `text` it has the status's own message.
  package convenience init(_ status: OSStatus, _ text: String? = nil) {
    self.init(
      domain: NSOSStatusErrorDomain,
      code: Int(status),
      userInfo: [
        NSLocalizedDescriptionKey: text ?? SecCopyErrorMessageString(status, nil) ?? ""
      ]
    )
  }

  /// The error of an evaluation, with its message and the code from the outcome table.
  ///
  /// Two codes have no public names: -1000 if the service gave no valid answer, -1001 for an
  /// invalid request.
  package convenience init(_ error: AuthError) {
    var code = error.laErrorCode.map { Int($0) } ?? -1000
    if case .usage = error { code = -1001 }
    self.init(
      domain: Self.authenticationDomain,
      code: code,
      userInfo: [NSLocalizedDescriptionKey: error.message]
    )
  }

  /// The error of a keychain call: the evaluation's or the service's, otherwise one of Apple's
  /// statuses.
  package convenience init(_ failure: KeychainFailure) {
    switch failure {
    case .authentication(let error), .service(let error): self.init(error)
    case .itemNotFound, .duplicateItem, .locked, .accessGroupNotAllowed, .refused, .undecodable:
      self.init(failure.status.rawValue, failure.message)
    }
  }

  /// The status with which Apple's older functions return the error.
  var status: OSStatus {
    guard domain == Self.authenticationDomain else { return OSStatus(truncatingIfNeeded: code) }
    let outcome = OutcomeCode.allCases.first { $0.laError.map { Int($0) } == code }
    return KeychainStatus(outcome ?? .internalError).rawValue
  }
}
