import LocalAuthCore
import LocalAuthPolicies
import LocalAuthToken

/// Signing the success of an evaluation.
extension Engine {
  /// Throws unless a success of `policy` can be asserted to others; a user's own policy means
  /// nothing to a verifier.
  func checkAssertable(_ policy: Policy) throws(EngineError) {
    if let origin = catalog.origin(of: policy.name), case .user(_) = origin {
      throw .policyUnusable(
        policy: policy.name,
        message: "A user's own policy cannot be asserted to others."
      )
    }
    guard !policy.acr.isEmpty else {
      throw .policyUnusable(policy: policy.name, message: "The policy says no acr to assert.")
    }
  }
}

extension Session {
  /// The signed assertion of this evaluation's success, which is durable by now; nil if it cannot
  /// be signed.
  func assertion(for wanted: AssertionRequest) -> String? {
    guard outcome == .success, !evaluation.isUnlockReused, let provenAt = proofTime,
      let issuer = engine.readyIssuer(for: device), let key = issuer.current
    else { return nil }
    // Verifiers compare this with their own clocks, so use the machine's clock and not a simulated
    // device's.
    let now = engine.clock.now().wall.milliseconds / 1000
    let claims = AssertionClaims(
      issuer: issuer.name,
      subject: "uid:\(device.identity.owner)",
      audience: wanted.audience,
      issuedAt: now,
      expires: now + AssertionRules.lifetime,
      authTime: min(provenAt, now),
      acr: policy.acr,
      amr: authenticationMethods,
      nonce: wanted.nonce,
      identifier: id.text,
      actionDigest: actionDigest,
      isSimulated: answered?.isSimulated ?? device.record.isSimulated,
      authenticators: provingAuthenticators
    )
    let input = SignedToken.signingInput(claims, header: key.header)
    guard let signature = engine.signature(of: input, by: issuer) else { return nil }
    return SignedToken.text(signing: input, signature)
  }

  /// When the factors were proven, in seconds of the machine's wall clock; with a grant, when the
  /// grant's factors were.
  private var proofTime: Int64? {
    let isGranted = answered?.redeemed != nil
    let provenAt = isGranted ? redemption?.grant.provenAt : answered?.provenAt
    return provenAt.map { device.clock.machine($0).wall.milliseconds / 1000 }
  }

  /// What judged the proof; nothing where a grant answers, since what judged then may be gone.
  private var provingAuthenticators: [ProvingAuthenticator] {
    guard answered?.redeemed == nil else { return [] }
    return evaluation.proven.factors.factors.compactMap { factor in
      describing(factor).map { description in
        ProvingAuthenticator(
          name: description.name,
          kind: description.kind.name,
          strength: strength(of: description)?.rawValue
        )
      }
    }
  }

  /// The methods of the proof, as RFC 8176 names them.
  private var authenticationMethods: [String] {
    let words = evaluation.proven.factors.factors.compactMap { describing($0)?.reference }
    return words.count > 1 ? words + ["mfa"] : words
  }
}
