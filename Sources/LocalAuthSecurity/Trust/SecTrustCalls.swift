// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

/// The type ID of trust objects.
public func SecTrustGetTypeID() -> CFTypeID { TypeNumber.of(SecTrust.self) }

/// Creates a trust object for a certificate, without evaluating it yet.
///
/// - Parameters:
///   - certificates: the certificate, or a list of it and others that may lead to an anchor; an
///     evaluation fails with more than 100 others.
///   - policies: a policy, or a list of policies that must all be met; nil for X.509 alone.
///   - trust: receives the trust object.
/// - Returns: `errSecSuccess`, or `errSecParam` for an empty list and for arguments of another
///   type.
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
/// - Returns: `errSecSuccess`, or `errSecParam` for an empty list and for arguments of another
///   type.
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

/// Sets the only anchors to trust; nil restores the system's.
///
/// With an empty list no certificate is trusted. `SecTrustSetAnchorCertificatesOnly` with false
/// trusts the system's anchors too. An evaluation fails with more than 100 anchors.
///
/// - Returns: `errSecSuccess`, or `errSecParam` for a list of anything other than certificates.
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

/// Sets whether only the program's anchors are trusted, or the system's too.
@discardableResult
public func SecTrustSetAnchorCertificatesOnly(
  _ trust: SecTrust,
  _ anchorCertificatesOnly: Bool
) -> OSStatus {
  trust.change { $0.countsOnlyAnchors = anchorCertificatesOnly }
  return errSecSuccess
}

/// Sets the date to evaluate for, instead of the time of the evaluation.
@discardableResult
public func SecTrustSetVerifyDate(_ trust: SecTrust, _ verifyDate: CFDate) -> OSStatus {
  let date = verifyDate as Date
  trust.change { $0.date = date }
  return errSecSuccess
}

/// The time to evaluate for, in seconds since 2001-01-01 UTC.
public func SecTrustGetVerifyTime(_ trust: SecTrust) -> CFAbsoluteTime {
  (trust.read(\.date) ?? Date()).timeIntervalSinceReferenceDate
}

/// Whether the certificate is trusted.
///
/// - Parameters:
///   - trust: the trust object.
///   - error: receives why it is not trusted: `errSecNotTrusted`, `errSecCertificateExpired`,
///     `errSecHostNameMismatch` or another status.
/// - Returns: whether it is trusted; false if the evaluation fails.
public func SecTrustEvaluateWithError(
  _ trust: SecTrust,
  _ error: UnsafeMutablePointer<CFError?>?
) -> Bool {
  guard let failure = trust.evaluate().failure else { return true }
  unsafe error?.pointee = NSError(failure.told.status)
  return false
}

/// Evaluates and returns the type of result; deprecated by Apple for `SecTrustEvaluateWithError`.
@discardableResult
public func SecTrustEvaluate(
  _ trust: SecTrust,
  _ result: UnsafeMutablePointer<SecTrustResultType>
) -> OSStatus {
  _ = trust.evaluate()
  return unsafe SecTrustGetTrustResult(trust, result)
}

/// The result of the last evaluation; `.invalid` if there was none since the last change.
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

/// The public key of the evaluated certificate, trusted or not; nil for an unsupported kind of key.
public func SecTrustCopyKey(_ trust: SecTrust) -> SecKey? {
  trust.certificates.first.flatMap { SecCertificateCopyKey($0) }
}

/// The certificates from the evaluated one to the anchor, or as far as they lead.
public func SecTrustCopyCertificateChain(_ trust: SecTrust) -> CFArray? {
  trust.evaluate().chain as CFArray
}

/// The number of certificates that `SecTrustCopyCertificateChain` returns.
public func SecTrustGetCertificateCount(_ trust: SecTrust) -> CFIndex {
  trust.evaluate().chain.count
}

/// A certificate of the chain; nil if the index is out of range.
///
/// Deprecated by Apple for `SecTrustCopyCertificateChain`.
public func SecTrustGetCertificateAtIndex(_ trust: SecTrust, _ ix: CFIndex) -> SecCertificate? {
  let chain = trust.evaluate().chain
  return chain.indices.contains(ix) ? chain[ix] : nil
}
