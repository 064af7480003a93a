// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

import LocalAuthPKI
import Synchronization

/// The question whether a certificate is trusted, and the answer once it was asked for.
///
/// Trusted is what leads to an anchor: to one of the system's in `/etc/ssl/certs`, or of those that the program
/// names. Nothing is fetched, neither certificates that are missing nor lists of what was revoked.
public final class SecTrust: NSObject, Sendable {
  struct State {
    var policies: [SecPolicy]
    /// Nil where the system's count.
    var anchors: [SecCertificate]?
    var countsOnlyAnchors = false
    /// Nil for the time of the evaluation.
    var date: Date?
    /// Nil until it was evaluated as it is now.
    var answer: (failure: TrustFailure?, chain: [SecCertificate])?
  }

  /// The certificate that it is about comes first.
  let certificates: [SecCertificate]
  private let state: Mutex<State>

  init(_ certificates: [SecCertificate], _ policies: [SecPolicy]) {
    self.certificates = certificates
    state = Mutex(State(policies: policies))
  }

  /// Changes the question; what was answered before counts no more.
  func change(_ body: (inout State) -> Void) {
    state.withLock { state in
      body(&state)
      state.answer = nil
    }
  }

  func read<Value>(_ body: (State) -> Value) -> Value { state.withLock { body($0) } }

  /// What is wrong, nil for a certificate that is trusted, and the way to the anchor.
  func evaluate() -> (failure: TrustFailure?, chain: [SecCertificate]) {
    state.withLock { state in
      if let answer = state.answer { return answer }
      let answer = Self.answer(certificates, state)
      state.answer = answer
      return answer
    }
  }

  /// Every policy must be met, and the first that is not says what is wrong.
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
    // Without a policy nothing was asked, and nothing is trusted.
    return (state.policies.isEmpty ? .unreadable : nil, chain)
  }
}

/// What came of an evaluation.
public enum SecTrustResultType: UInt32, Sendable {
  /// None was made.
  case invalid = 0
  /// The user said yes, whom nobody asks here.
  case proceed = 1
  /// The user said no, whom nobody asks here.
  case deny = 3
  /// It is trusted, and nobody said anything else.
  case unspecified = 4
  /// It is not trusted, and would be at another time, under another name or with another anchor.
  case recoverableTrustFailure = 5
  /// It is not trusted, whatever is asked.
  case fatalTrustFailure = 6
  /// Nobody can say.
  case otherError = 7
}

extension TrustFailure {
  /// The status and the kind of result that tell callers of Apple's of it.
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
