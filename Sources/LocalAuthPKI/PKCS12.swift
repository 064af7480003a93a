public import LocalAuthSecret

/// The contents of a PKCS #12 file (`.p12`, `.pfx`): private keys and the certificates that belong
/// to them.
///
/// The file must be protected by a passphrase. Unencrypted keys, revocation lists and other kinds
/// of secrets are ignored.
public struct PKCS12: Sendable {
  /// A private key with its certificate.
  public struct Identity: Sendable {
    /// The key.
    public let privateKey: ExternalPrivateKey
    /// The certificate.
    public let certificate: Certificate
    /// The file's certificates that lead up from it, each the issuer of the one before.
    public let issuers: [Certificate]
    /// The name given in the file for people to read.
    public let label: String?
  }

  /// The size limit of a file in bytes.
  public static let maximumSize = 1 << 20
  /// The most rounds of key derivation that a file may need, over all its parts.
  ///
  /// Programs use a thousand to some hundred thousand rounds in each of three parts; this limit
  /// amounts to seconds of work.
  public static let maximumRounds: Int64 = 5_000_000
  /// The most keys, certificates and other entries that a file may hold.
  ///
  /// Every certificate may have been issued by any other, and each check takes time.
  public static let maximumCount = 100

  /// The identities, in the order of their keys in the file.
  public let identities: [Identity]
  /// The certificates that belong to no identity and issued none, in the order of the file.
  public let otherCertificates: [Certificate]

  /// Opens a file.
  ///
  /// - Throws: ``PKIError/wrongPassphrase``; ``PKIError/malformed``; ``PKIError/unsupported`` for a
  ///   key that is neither RSA nor of a supported curve, and for a file that exceeds
  ///   ``maximumRounds`` or ``maximumCount``; ``PKIError/failed``.
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

  /// The chain of issuers of a certificate, which ends when the file has no further issuer.
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
