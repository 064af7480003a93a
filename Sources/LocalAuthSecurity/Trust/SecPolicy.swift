// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

import LocalAuthPKI

/// What a certificate must be to be trusted.
public final class SecPolicy: NSObject, Sendable {
  let use: TrustQuestion.Use

  init(_ use: TrustQuestion.Use) { self.use = use }

  /// Whether the other asks for the same.
  public override func isEqual(_ object: Any?) -> Bool { (object as? SecPolicy)?.use == use }

  /// Equal for equal ones.
  public override var hash: Int { use.hashValue }
}

/// The number of policies.
public func SecPolicyGetTypeID() -> CFTypeID { TypeNumber.of(SecPolicy.self) }

/// X.509 alone: signatures, dates, authorities and what they may speak for.
public func SecPolicyCreateBasicX509() -> SecPolicy { SecPolicy(.any) }

/// X.509 for TLS besides.
///
/// - Parameters:
///   - server: whether the certificate is a server's, and no client's.
///   - hostname: the server's name, or its address in digits; nil for any. An empty name is nobody's. Of a
///     client's certificate no name is compared.
/// - Returns: the policy.
public func SecPolicyCreateSSL(_ server: Bool, _ hostname: CFString?) -> SecPolicy {
  SecPolicy(server ? .server(host: hostname) : .client)
}

extension SecPolicy {
  /// The policies that an argument is: one, or a list that has some; nil for anything else.
  static func all(_ argument: CFTypeRef) -> [SecPolicy]? {
    if let policy = argument as? SecPolicy { return [policy] }
    guard let list = argument as? [SecPolicy], !list.isEmpty else { return nil }
    return list
  }
}
