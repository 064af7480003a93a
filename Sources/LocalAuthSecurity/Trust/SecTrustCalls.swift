// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

/// The number of questions of trust.
public func SecTrustGetTypeID() -> CFTypeID { TypeNumber.of(SecTrust.self) }

/// Asks whether a certificate is trusted; nothing is evaluated yet.
///
/// - Parameters:
///   - certificates: the certificate, or a list of it and of others that may lead to an anchor, 100 at most.
///   - policies: a policy, or a list of those that all must be met; nil is X.509 alone.
///   - trust: takes the question.
/// - Returns: `errSecSuccess`, or `errSecParam` for no certificate, for no policy in a list, and for what is
///   neither.
public func SecTrustCreateWithCertificates(
  _ certificates: CFTypeRef,
  _ policies: CFTypeRef?,
  _ trust: UnsafeMutablePointer<SecTrust?>
) -> OSStatus {
  let all = (certificates as? SecCertificate).map { [$0] } ?? certificates as? [SecCertificate]
  let asked = policies.map { SecPolicy.all($0) } ?? [SecPolicyCreateBasicX509()]
  guard let all, !all.isEmpty, let asked else { return errSecParam }
  unsafe trust.pointee = SecTrust(all, asked)
  return errSecSuccess
}

/// Replaces the policies.
///
/// - Returns: `errSecSuccess`, or `errSecParam` for what is neither a policy nor a list that has some.
@discardableResult
public func SecTrustSetPolicies(_ trust: SecTrust, _ policies: CFTypeRef) -> OSStatus {
  guard let all = SecPolicy.all(policies) else { return errSecParam }
  trust.change { $0.policies = all }
  return errSecSuccess
}

/// The policies.
@discardableResult
public func SecTrustCopyPolicies(
  _ trust: SecTrust,
  _ policies: UnsafeMutablePointer<CFArray?>
) -> OSStatus {
  unsafe policies.pointee = trust.read(\.policies) as CFArray
  return errSecSuccess
}

/// Names the only certificates that are trusted as they are; nil gives the system's back.
///
/// An empty list trusts nobody. `SecTrustSetAnchorCertificatesOnly` has the system's count beside them.
///
/// - Returns: `errSecSuccess`, or `errSecParam` for a list of anything else.
@discardableResult
public func SecTrustSetAnchorCertificates(
  _ trust: SecTrust,
  _ anchorCertificates: CFArray?
) -> OSStatus {
  let anchors = anchorCertificates.map { $0 as? [SecCertificate] }
  if case .some(.none) = anchors { return errSecParam }
  trust.change { state in
    state.anchors = anchors ?? nil
    state.countsOnlyAnchors = anchors != nil
  }
  return errSecSuccess
}

/// Says whether the system's anchors count too.
@discardableResult
public func SecTrustSetAnchorCertificatesOnly(
  _ trust: SecTrust,
  _ anchorCertificatesOnly: Bool
) -> OSStatus {
  trust.change { $0.countsOnlyAnchors = anchorCertificatesOnly }
  return errSecSuccess
}

/// Says for which time it is asked, where that is not the time of the evaluation.
@discardableResult
public func SecTrustSetVerifyDate(_ trust: SecTrust, _ verifyDate: CFDate) -> OSStatus {
  let date = verifyDate as Date
  trust.change { $0.date = date }
  return errSecSuccess
}

/// For which time it is asked, in seconds since 2001-01-01 UTC.
public func SecTrustGetVerifyTime(_ trust: SecTrust) -> CFAbsoluteTime {
  (trust.read(\.date) ?? Date()).timeIntervalSinceReferenceDate
}

/// Whether the certificate is trusted.
///
/// - Parameters:
///   - trust: the question.
///   - error: takes what is wrong: `errSecNotTrusted`, `errSecCertificateExpired`,
///     `errSecHostNameMismatch` or another status.
/// - Returns: whether it is; false whenever nobody can say.
public func SecTrustEvaluateWithError(
  _ trust: SecTrust,
  _ error: UnsafeMutablePointer<CFError?>?
) -> Bool {
  guard let failure = trust.evaluate().failure else { return true }
  unsafe error?.pointee = NSError(failure.told.status)
  return false
}

/// The same as a kind of result; deprecated by Apple for `SecTrustEvaluateWithError`.
@discardableResult
public func SecTrustEvaluate(
  _ trust: SecTrust,
  _ result: UnsafeMutablePointer<SecTrustResultType>
) -> OSStatus {
  _ = trust.evaluate()
  return unsafe SecTrustGetTrustResult(trust, result)
}

/// What came of the last evaluation; `.invalid` where there was none since the question was changed.
@discardableResult
public func SecTrustGetTrustResult(
  _ trust: SecTrust,
  _ result: UnsafeMutablePointer<SecTrustResultType>
) -> OSStatus {
  let told = trust.read { state in
    state.answer.map { $0.failure?.told.result ?? .unspecified } ?? .invalid
  }
  unsafe result.pointee = told
  return errSecSuccess
}

/// The key of the certificate that it is about, trusted or not; nil for a kind that is not used here.
public func SecTrustCopyKey(_ trust: SecTrust) -> SecKey? {
  trust.certificates.first.flatMap { SecCertificateCopyKey($0) }
}

/// The certificates from the one that it is about to the anchor, or as far as they lead.
public func SecTrustCopyCertificateChain(_ trust: SecTrust) -> CFArray? {
  trust.evaluate().chain as CFArray
}

/// How many certificates `SecTrustCopyCertificateChain` has.
public func SecTrustGetCertificateCount(_ trust: SecTrust) -> CFIndex {
  trust.evaluate().chain.count
}

/// One of them; nil beyond the last.
///
/// Deprecated by Apple for `SecTrustCopyCertificateChain`.
public func SecTrustGetCertificateAtIndex(_ trust: SecTrust, _ ix: CFIndex) -> SecCertificate? {
  let chain = trust.evaluate().chain
  return chain.indices.contains(ix) ? chain[ix] : nil
}
