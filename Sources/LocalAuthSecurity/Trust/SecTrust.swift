// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

import LocalAuthPKI
import Synchronization

/// The evaluation whether a certificate is trusted, and its result.
///
/// A certificate is trusted if a chain leads to an anchor: one of the system's in `/etc/ssl/certs`,
/// or one that the program names. Nothing is fetched, neither missing certificates nor revocation
/// lists.
public final class SecTrust: NSObject, Sendable {
  struct State {
    var policies: [SecPolicy]
    /// The program's anchors; nil if it named none.
    var anchors: [SecCertificate]?
    var countsOnlyAnchors = false
    /// The date to evaluate for; nil for the time of the evaluation.
    var date: Date?
    /// The result; nil if there was no evaluation since the last change.
    var answer: (failure: TrustFailure?, chain: [SecCertificate])?
  }

  /// The certificate to evaluate, followed by others that may lead to an anchor.
  let certificates: [SecCertificate]
  private let state: Mutex<State>

  init(_ certificates: [SecCertificate], _ policies: [SecPolicy]) {
    self.certificates = certificates
    state = Mutex(State(policies: policies))
  }

  /// Changes the state and discards the result.
  func change(_ body: (inout State) -> Void) {
    state.withLock { state in
      body(&state)
      state.answer = nil
    }
  }

  func read<Value>(_ body: (State) -> Value) -> Value { state.withLock { body($0) } }

  /// Why the certificate is not trusted, nil if it is, and the chain to the anchor.
  func evaluate() -> (failure: TrustFailure?, chain: [SecCertificate]) {
    state.withLock { state in
      if let answer = state.answer { return answer }
      let answer = Self.answer(certificates, state)
      state.answer = answer
      return answer
    }
  }

  /// Evaluates the policies in order; all must be met, and the first that is not is the failure.
  private static func answer(
    _ certificates: [SecCertificate],
    _ state: State
  ) -> (failure: TrustFailure?, chain: [SecCertificate]) {
    var chain: [SecCertificate] = []
    let time = (state.date ?? Date()).timeIntervalSince1970.rounded(.down)
    guard let seconds = Int64(exactly: time), let leaf = certificates.first else {
      return (.unreadable, certificates)
    }
    for policy in state.policies {
      var question = TrustQuestion(
        leaf.certificate,
        others: certificates.dropFirst().map(\.certificate),
        at: seconds,
        for: policy.use
      )
      question.anchors = (state.anchors ?? []).map(\.certificate)
      question.trustsSystem = !state.countsOnlyAnchors
      let answer = question.answer()
      chain = answer.chain.map { SecCertificate($0) }
      if let failure = answer.failure { return (failure, chain) }
    }
    // Without a policy nothing was evaluated, so nothing is trusted.
    return (state.policies.isEmpty ? .unreadable : nil, chain)
  }
}

/// The result of an evaluation.
public enum SecTrustResultType: UInt32, Sendable {
  /// There was no evaluation.
  case invalid = 0
  /// The user accepted the certificate; never returned, because no user is asked here.
  case proceed = 1
  /// The user rejected the certificate; never returned, because no user is asked here.
  case deny = 3
  /// The certificate is trusted, without a decision of the user.
  case unspecified = 4
  /// The certificate is not trusted, but may be at another time, for another name or use, or with
  /// another anchor.
  case recoverableTrustFailure = 5
  /// The certificate is not trusted, whatever the policy.
  case fatalTrustFailure = 6
  /// The evaluation failed.
  case otherError = 7
}

extension TrustFailure {
  /// The status and the result type that Apple's API reports.
  var told: (status: OSStatus, result: SecTrustResultType) {
    switch self {
    case .untrusted: (errSecNotTrusted, .recoverableTrustFailure)
    case .expired: (errSecCertificateExpired, .recoverableTrustFailure)
    case .notYetValid: (errSecCertificateNotValidYet, .recoverableTrustFailure)
    case .otherHost: (errSecHostNameMismatch, .recoverableTrustFailure)
    case .wrongSignature: (errSecInvalidSignature, .fatalTrustFailure)
    case .noAuthority: (errSecNoBasicConstraintsCA, .fatalTrustFailure)
    case .tooLong: (errSecPathLengthConstraintExceeded, .fatalTrustFailure)
    case .nameNotAllowed: (errSecInvalidName, .fatalTrustFailure)
    case .otherUse: (errSecInvalidExtendedKeyUsage, .recoverableTrustFailure)
    case .weakKey: (errSecUnsupportedKeySize, .fatalTrustFailure)
    case .weakSignature: (errSecInvalidDigestAlgorithm, .fatalTrustFailure)
    case .unknownExtension: (errSecUnknownCriticalExtensionFlag, .fatalTrustFailure)
    case .unreadable: (errSecInternalComponent, .otherError)
    }
  }
}
