public import LocalAuthSecret

/// Evaluates policies on a device.
///
/// ```swift
/// let context = AuthContext()
/// let evaluation = try await context.evaluate(.deviceOwner, reason: "deploy to production")
/// ```
///
/// All members may be used from any thread. An evaluation uses the settings that the context has
/// when the evaluation begins.
///
/// > Important: After a success, a second evaluation of the same policy on the same context
/// > succeeds without asking anyone, and ``Evaluation/isRepeated`` is true. A context stands for
/// > one purpose: for the next one, make a new context or call ``invalidate()``.
public final class AuthContext: Sendable {
  /// The longest ``reuseDuration`` that has an effect: 300 seconds.
  public static let reuseDurationMax = Duration.seconds(300)

  /// The device on which policies are evaluated.
  public let device: Device
  let core = ContextCore()

  /// Creates a context for `device` without opening anything or asking anyone.
  public init(device: Device = .default) { self.device = device }

  /// Ends the context's evaluations, as ``invalidate()`` does.
  deinit { core.invalidate() }

  /// Ends all evaluations and keychain calls with ``AuthError/appCancel``; later ones fail with
  /// ``AuthError/invalidContext``.
  ///
  /// The context forgets its successes and wipes its credentials. Further calls have no effect.
  public func invalidate() { core.invalidate() }

  // MARK: Settings

  /// Whether prompts are forbidden; an evaluation that needs a person then fails with
  /// ``AuthError/notInteractive``.
  public var interactionNotAllowed: Bool {
    get { core.settings.interactionNotAllowed }
    set { core.change { $0.interactionNotAllowed = newValue } }
  }

  /// The reason for evaluations that pass none; at most 1024 bytes of UTF-8.
  public var localizedReason: String {
    get { core.settings.reason }
    set { core.change { $0.reason = newValue } }
  }

  /// The title of the cancel button; nil and the empty string mean the default.
  public var localizedCancelTitle: String? {
    get { core.settings.cancelTitle }
    set { core.change { $0.cancelTitle = newValue } }
  }

  /// The title of the button that asks for the passcode instead; nil means the default, and the
  /// empty string hides the button.
  public var localizedFallbackTitle: String? {
    get { core.settings.fallbackTitle }
    set { core.change { $0.fallbackTitle = newValue } }
  }

  /// The maximum age of an unlock of the device by finger that may replace a touch.
  ///
  /// Zero, the default, means never. Larger values are limited to ``reuseDurationMax``, and
  /// negative ones become zero. Only an unlock of the device counts: neither a match in another
  /// evaluation nor a passcode. Fractions of a second are dropped.
  public var reuseDuration: Duration {
    get { core.settings.reuseDuration }
    set {
      core.change { $0.reuseDuration = min(max(.zero, newValue), Self.reuseDurationMax) }
    }
  }

  /// The time a person has to answer, including the wait behind other requests; 30 seconds by
  /// default, at most one hour.
  public var timeout: Duration {
    get { core.settings.timeout }
    set { core.change { $0.timeout = newValue } }
  }

  /// The prompter that asks the person; ``Prompter/terminal`` by default.
  public var prompter: Prompter {
    get { core.settings.prompter }
    set { core.change { $0.prompter = newValue } }
  }

  // MARK: Credentials

  /// Stores a credential to use instead of asking a person; nil removes it.
  ///
  /// The credential stays in this context, in memory that is wiped, until ``invalidate()``. A
  /// password that does not open the item it is tried on is discarded, so that it is not tried for
  /// ever.
  ///
  /// - Returns: whether the credential was stored or removed; false if the context is invalid.
  @discardableResult
  public func setCredential(_ secret: consuming Secret?, type: CredentialType) -> Bool {
    guard let secret else { return core.set(nil, for: type) }
    return core.set(Credential(secret), for: type)
  }

  /// Whether a credential of this type is set.
  public func isCredentialSet(_ type: CredentialType) -> Bool { core.credential(type) != nil }
}
