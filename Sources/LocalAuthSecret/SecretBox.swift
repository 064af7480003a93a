import Synchronization

/// Hands one secret across a closure or thread boundary; ``take()`` returns it once.
public final class SecretBox: Sendable {
  private let secret: Mutex<Secret?>
  /// How many bytes the secret has, also after it was taken.
  public let count: Int

  /// Puts the secret into the box.
  public init(_ secret: consuming Secret) {
    count = secret.count
    self.secret = Mutex(consume secret)
  }

  /// The secret for the first caller, nil for all others.
  ///
  /// A secret that nobody takes is wiped with the box.
  public func take() -> Secret? {
    secret.withLock { held in held.take() }
  }

  /// Another box with a copy of the secret; nil once it was taken.
  public func copied() -> SecretBox? {
    secret.withLock { held in
      guard let secret = held.take() else { return nil }
      // SAFETY: the bytes are copied while they are lent.
      let copy = unsafe secret.withUnsafeBytes { unsafe Secret(copying: $0) }
      held = consume secret
      return SecretBox(copy)
    }
  }
}
