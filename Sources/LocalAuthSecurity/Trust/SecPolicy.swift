// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

import LocalAuthPKI

/// The requirements that a certificate must meet to be trusted.
public final class SecPolicy: NSObject, Sendable {
  let use: TrustQuestion.Use

  init(_ use: TrustQuestion.Use) { self.use = use }

  /// Whether `object` is a policy with the same requirements.
  public override func isEqual(_ object: Any?) -> Bool { (object as? SecPolicy)?.use == use }

  /// Equal policies have equal hashes.
  public override var hash: Int { use.hashValue }
}

/// The type ID of policies.
public func SecPolicyGetTypeID() -> CFTypeID { TypeNumber.of(SecPolicy.self) }

/// X.509 alone: signatures, dates, authorities and the names that they are limited to.
public func SecPolicyCreateBasicX509() -> SecPolicy { SecPolicy(.any) }

/// X.509 with the requirements of TLS.
///
/// - Parameters:
///   - server: whether the certificate is a server's rather than a client's.
///   - hostname: the server's name or numeric address; nil for any. An empty name matches no
///     certificate. For a client's certificate, no name is compared.
/// - Returns: the policy.
public func SecPolicyCreateSSL(_ server: Bool, _ hostname: CFString?) -> SecPolicy {
  SecPolicy(server ? .server(host: hostname) : .client)
}

extension SecPolicy {
  /// The policies of an argument: one, or a list that is not empty; nil for anything else.
  static func all(_ argument: CFTypeRef) -> [SecPolicy]? {
    if let policy = argument as? SecPolicy { return [policy] }
    guard let list = argument as? [SecPolicy], !list.isEmpty else { return nil }
    return list
  }
}
