import CLocalAuthOpenSSL

/// Checks whether a certificate is trusted, as RFC 5280 defines it, with libcrypto.
///
/// Nothing is fetched: neither missing certificates nor revocation data.
public struct TrustQuestion: Sendable {
  /// The intended use of a certificate.
  public enum Use: Hashable, Sendable {
    case any
    /// A TLS server, and if `host` is given, one with that name or numeric address.
    case server(host: String?)
    case client
  }

  /// The limit on other certificates, and on anchors.
  public static let maximumCount = 100
  /// The directory of the system's anchors.
  public static let systemAnchors = "/etc/ssl/certs"

  /// The certificate to check.
  public var certificate: Certificate
  /// Certificates that may form the chain from it to an anchor.
  public var others: [Certificate]
  /// Additional trusted anchors.
  public var anchors: [Certificate] = []
  /// Whether the system's anchors are trusted.
  public var trustsSystem = true
  /// The time to check for, in seconds since 1970-01-01 UTC.
  public var time: Int64
  /// The intended use.
  public var use: Use

  /// A check of `certificate` that trusts the system's anchors only.
  public init(_ certificate: Certificate, others: [Certificate], at time: Int64, for use: Use) {
    self.certificate = certificate
    self.others = others
    self.time = time
    self.use = use
  }

  /// Checks the certificate; returns why it is not trusted, or nil, and its chain as far as it
  /// could be built.
  public func answer() -> (failure: TrustFailure?, chain: [Certificate]) {
    guard others.count <= Self.maximumCount, anchors.count <= Self.maximumCount else {
      return (.unreadable, [certificate])
    }
    var trust = unsafe la_trust()
    // SAFETY: the handle is used between open and close only.
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
      // Certificates omit the dot of the root.
      let name = host.hasSuffix(".") ? String(host.dropLast()) : host
      guard Self.isHost(name) else { return X509_V_ERR_HOSTNAME_MISMATCH }
      return unsafe la_trust_verify(&trust, time, LA_TRUST_SERVER, name)
    }
  }

  /// Whether the name means one host.
  ///
  /// An empty name means none, C would truncate one with a zero byte, and libcrypto matches a
  /// leading dot, or a star that the certificate has too, with many.
  private static func isHost(_ name: String) -> Bool {
    !name.isEmpty && !name.hasPrefix(".") && !name.utf8.contains(0)
      && !name.utf8.contains(UInt8(ascii: "*"))
  }

  private static func chain(of trust: inout la_trust) -> [Certificate] {
    var chain: [Certificate] = []
    for index in unsafe 0..<la_trust_count(&trust) {
      let size = unsafe la_trust_size(&trust, index)
      var bytes = [UInt8](repeating: 0, count: size)
      // SAFETY: the array has room for `size` bytes, as the library requires.
      let isWritten = unsafe bytes.withUnsafeMutableBytes {
        unsafe size > 0 && la_trust_write(&trust, index, $0.baseAddress)
      }
      guard isWritten, let certificate = try? Certificate(bytes) else { break }
      chain.append(certificate)
    }
    return chain
  }
}
