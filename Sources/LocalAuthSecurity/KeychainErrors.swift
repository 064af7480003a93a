package import LocalAuth

extension NSError {
  /// Where the codes of `LAError` are at home.
  package static let authenticationDomain = "com.apple.LocalAuthentication"

  /// The error of a status, with what is wrong; without words it has those of the status.
  package convenience init(_ status: OSStatus, _ text: String? = nil) {
    self.init(
      domain: NSOSStatusErrorDomain,
      code: Int(status),
      userInfo: [
        NSLocalizedDescriptionKey: text ?? SecCopyErrorMessageString(status, nil) ?? ""
      ]
    )
  }

  /// The error of an evaluation, with what it says; the outcome table knows the code.
  ///
  /// Two numbers have no public names: -1000 is a service that gave no answer that counts, -1001 a
  /// request that makes no sense.
  package convenience init(_ error: AuthError) {
    var code = error.laErrorCode.map { Int($0) } ?? -1000
    if case .usage = error { code = -1001 }
    self.init(
      domain: Self.authenticationDomain,
      code: code,
      userInfo: [NSLocalizedDescriptionKey: error.message]
    )
  }

  /// The error of a keychain call: that of the proof where it was about one, else Apple's status.
  package convenience init(_ failure: KeychainFailure) {
    switch failure {
    case .authentication(let error), .service(let error): self.init(error)
    case .itemNotFound, .duplicateItem, .locked, .accessGroupNotAllowed, .refused, .undecodable:
      self.init(failure.status.rawValue, failure.message)
    }
  }
}
