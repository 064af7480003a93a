import Synchronization

/// Hands one secret across a closure or thread boundary; ``take()`` gives it once.
public final class SecretBox: Sendable {
  private let secret: Mutex<Secret?>

  /// Puts the secret into the box.
  public init(_ secret: consuming Secret) {
    self.secret = Mutex(consume secret)
  }

  /// The secret for the first caller, nil for all others.
  ///
  /// A secret nobody takes is wiped with the box.
  public func take() -> Secret? {
    secret.withLock { held in held.take() }
  }
}
