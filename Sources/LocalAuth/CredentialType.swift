import LocalAuthSecret

/// What a credential of a context is for.
public enum CredentialType: Hashable, Sendable, CaseIterable {
  /// A password of the application's own, which opens keychain items that ask for one.
  case applicationPassword
}

/// Keeps a credential where a dictionary of values that cannot be copied would not.
final class Credential: Sendable {
  let secret: Secret

  init(_ secret: consuming Secret) { self.secret = secret }
}
