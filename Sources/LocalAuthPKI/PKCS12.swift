public import LocalAuthSecret

/// What a file of PKCS #12 (`.p12`, `.pfx`) holds: keys, and the certificates that belong to them.
///
/// It must be protected by a passphrase, as such files are. Keys that lie in it unencrypted, revocation
/// lists and secrets of other kinds are left out.
public struct PKCS12: Sendable {
  /// A private key with its certificate.
  public struct Identity: Sendable {
    /// The key.
    public let privateKey: ExternalPrivateKey
    /// The certificate.
    public let certificate: Certificate
    /// The certificates of the file that issued it, each the issuer of the one before, the nearest first.
    public let issuers: [Certificate]
    /// The name that the file has for it, for people to read.
    public let label: String?
  }

  /// The most bytes that a file may have.
  public static let maximumSize = 1 << 20
  /// The most rounds of key derivation that a file may cost, all of its parts taken together.
  ///
  /// Programs write files of some thousand to some hundred thousand rounds in each of three parts; this
  /// many are seconds of work.
  public static let maximumRounds: Int64 = 5_000_000
  /// The most keys, certificates and others that a file may hold.
  ///
  /// Each certificate may have issued each other one, and whether it did takes time.
  public static let maximumCount = 100

  /// The identities, in the order of their keys in the file.
  public let identities: [Identity]
  /// The certificates that are in no identity and issued none, in the order of the file.
  public let otherCertificates: [Certificate]

  /// Opens a file.
  ///
  /// - Throws: ``PKIError/wrongPassphrase``; ``PKIError/malformed``; ``PKIError/unsupported`` for a key
  ///   that is neither RSA nor of a curve that is known here, and for a file that costs too much or
  ///   holds too much;
  ///   ``PKIError/failed``.
  public init(_ file: [UInt8], passphrase: borrowing Secret) throws(PKIError) {
    guard file.count <= Self.maximumSize else { throw .malformed }
    let contents = try PKCS12Contents(file, passphrase)
    let certificates = contents.certificates
    var rest = Set(certificates.map(\.certificate))
    var identities: [Identity] = []
    for entry in contents.keys {
      let hash = entry.key.publicKey.label
      let own = certificates.filter { $0.certificate.publicKeyHash == hash }
      let named = own.first { $0.keyIdentifier != nil && $0.keyIdentifier == entry.keyIdentifier }
      guard let found = named ?? own.first else { continue }
      let issuers = Self.issuers(of: found.certificate, among: certificates.map(\.certificate))
      rest.subtract(issuers + [found.certificate])
      identities.append(
        Identity(
          privateKey: entry.key,
          certificate: found.certificate,
          issuers: issuers,
          label: entry.label ?? found.label
        )
      )
    }
    self.identities = identities
    otherCertificates = certificates.map(\.certificate).filter { rest.remove($0) != nil }
  }

  /// The way up from a certificate, which ends where nobody in the file issued the last one, or with
  /// one that issued itself.
  private static func issuers(
    of certificate: Certificate,
    among certificates: [Certificate]
  ) -> [Certificate] {
    var chain = [certificate]
    while let last = chain.last,
      let issuer = certificates.first(where: { !chain.contains($0) && last.isIssued(by: $0) })
    {
      chain.append(issuer)
    }
    return Array(chain.dropFirst())
  }
}
