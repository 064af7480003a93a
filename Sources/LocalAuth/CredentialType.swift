import LocalAuthSecret

/// The purpose of a context's credential.
public enum CredentialType: Hashable, Sendable, CaseIterable {
  /// The application's own password, for keychain items that require one.
  case applicationPassword
}

/// Boxes a secret, because a dictionary cannot hold noncopyable values.
final class Credential: Sendable {
  let secret: Secret

  init(_ secret: consuming Secret) { self.secret = secret }
}
