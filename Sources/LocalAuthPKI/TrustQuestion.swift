import CLocalAuthOpenSSL

/// Whether a certificate leads to one that is trusted: X.509 as RFC 5280 has it, by libcrypto.
///
/// Nothing is fetched, neither missing certificates nor what was revoked.
public struct TrustQuestion: Sendable {
  /// What the certificate is to be good for.
  public enum Use: Hashable, Sendable {
    case any
    /// A server of TLS, of this host where one is named: a name, or an address in digits.
    case server(host: String?)
    case client
  }

  /// The most certificates that are looked at beside the first, and anchors.
  public static let maximumCount = 100
  /// Where the system has its anchors.
  public static let systemAnchors = "/etc/ssl/certs"

  /// The certificate that it is about.
  public var certificate: Certificate
  /// Others, of which any may lead from it to an anchor.
  public var others: [Certificate]
  /// Certificates that are trusted as they are.
  public var anchors: [Certificate] = []
  /// Whether the system's anchors are trusted too.
  public var trustsSystem = true
  /// The time for which it is asked, in seconds since 1970-01-01 UTC.
  public var time: Int64
  /// What it is to be good for.
  public var use: Use

  /// The question about `certificate`, with nobody trusted but whom the system trusts.
  public init(_ certificate: Certificate, others: [Certificate], at time: Int64, for use: Use) {
    self.certificate = certificate
    self.others = others
    self.time = time
    self.use = use
  }

  /// What is wrong, nil for a certificate that is trusted; and the certificates from it to the anchor, or
  /// as far as they lead.
  public func answer() -> (failure: TrustFailure?, chain: [Certificate]) {
    guard others.count <= Self.maximumCount, anchors.count <= Self.maximumCount else {
      return (.unreadable, [certificate])
    }
    var trust = unsafe la_trust()
    // SAFETY: what was opened is closed, and used between the two only.
    let isOpen = unsafe la_trust_open(&trust)
    defer { unsafe la_trust_close(&trust) }
    guard isOpen, unsafe fill(&trust) else { return (.unreadable, [certificate]) }
    let code = unsafe verify(&trust)
    let chain = unsafe Self.chain(of: &trust)
    return (TrustFailure(code), chain.isEmpty ? [certificate] : chain)
  }

  private func fill(_ trust: inout la_trust) -> Bool {
    func add(_ certificate: Certificate, _ role: la_trust_role) -> Bool {
      // SAFETY: the bytes are lent for the call.
      unsafe certificate.der.withUnsafeBytes {
        unsafe la_trust_add(&trust, role, $0.baseAddress, $0.count)
      }
    }
    guard add(certificate, LA_TRUST_LEAF), others.allSatisfy({ add($0, LA_TRUST_OTHER) }),
      anchors.allSatisfy({ add($0, LA_TRUST_ANCHOR) })
    else { return false }
    return unsafe !trustsSystem || la_trust_add_directory(&trust, Self.systemAnchors)
  }

  private func verify(_ trust: inout la_trust) -> Int32 {
    switch use {
    case .any: return unsafe la_trust_verify(&trust, time, LA_TRUST_ANY, nil)
    case .client: return unsafe la_trust_verify(&trust, time, LA_TRUST_CLIENT, nil)
    case .server(nil): return unsafe la_trust_verify(&trust, time, LA_TRUST_SERVER, nil)
    case .server(let host?):
      // The dot of the root is no part of what certificates say.
      let name = host.hasSuffix(".") ? String(host.dropLast()) : host
      guard Self.isHost(name) else { return X509_V_ERR_HOSTNAME_MISMATCH }
      return unsafe la_trust_verify(&trust, time, LA_TRUST_SERVER, name)
    }
  }

  /// Whether one host can have the name: none has an empty one, C would cut short what has a zero byte,
  /// and to libcrypto a dot in front, or a star that the certificate has too, means many.
  private static func isHost(_ name: String) -> Bool {
    !name.isEmpty && !name.hasPrefix(".") && !name.utf8.contains(0)
      && !name.utf8.contains(UInt8(ascii: "*"))
  }

  private static func chain(of trust: inout la_trust) -> [Certificate] {
    var chain: [Certificate] = []
    for index in unsafe 0..<la_trust_count(&trust) {
      let size = unsafe la_trust_size(&trust, index)
      var bytes = [UInt8](repeating: 0, count: size)
      // SAFETY: the array has the room that was asked for.
      let isWritten = unsafe bytes.withUnsafeMutableBytes {
        unsafe size > 0 && la_trust_write(&trust, index, $0.baseAddress)
      }
      guard isWritten, let certificate = try? Certificate(bytes) else { break }
      chain.append(certificate)
    }
    return chain
  }
}
