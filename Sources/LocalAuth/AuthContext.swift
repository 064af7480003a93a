public import LocalAuthSecret

/// Evaluates policies on a device.
///
/// ```swift
/// let context = AuthContext()
/// let evaluation = try await context.evaluate(.deviceOwner, reason: "deploy to production")
/// ```
///
/// Each property and method may be used from any thread. An evaluation takes the settings that the
/// context has when it begins.
///
/// > Important: After a success, a second evaluation of the same policy on the same context
/// > succeeds without asking anybody, and says so in ``Evaluation/isRepeated``: a context stands for
/// > one thing that somebody wants to do. Make a new context for the next one, or ``invalidate()``.
public final class AuthContext: Sendable {
  /// The longest ``reuseDuration`` that has an effect: 300 seconds.
  public static let reuseDurationMax = Duration.seconds(300)

  /// The device on which policies are evaluated.
  public let device: Device
  let core = ContextCore()

  /// A context for `device`; nobody is asked and nothing is opened yet.
  public init(device: Device = .default) { self.device = device }

  /// A context that goes takes its evaluations with it, as ``invalidate()`` does.
  deinit { core.invalidate() }

  /// Ends every evaluation and keychain call with ``AuthError/appCancel`` and makes every later one
  /// fail with ``AuthError/invalidContext``.
  ///
  /// What the context remembers is forgotten, its credentials are wiped. Calling it again changes
  /// nothing.
  public func invalidate() { core.invalidate() }

  // MARK: Settings

  /// Whether nobody must be asked; what needs a person then fails with
  /// ``AuthError/notInteractive``.
  public var interactionNotAllowed: Bool {
    get { core.settings.interactionNotAllowed }
    set { core.change { $0.interactionNotAllowed = newValue } }
  }

  /// The reason of an evaluation that gives none of its own; at most 1024 bytes of UTF-8.
  public var localizedReason: String {
    get { core.settings.reason }
    set { core.change { $0.reason = newValue } }
  }

  /// What the button that says no is called; nil and the empty string mean the default.
  public var localizedCancelTitle: String? {
    get { core.settings.cancelTitle }
    set { core.change { $0.cancelTitle = newValue } }
  }

  /// What the button is called that asks for the passcode instead; nil means the default, and the
  /// empty string hides the button.
  public var localizedFallbackTitle: String? {
    get { core.settings.fallbackTitle }
    set { core.change { $0.fallbackTitle = newValue } }
  }

  /// How old an unlock of the device by finger may be to stand in for a touch.
  ///
  /// Zero, the default, means never; more than ``reuseDurationMax`` means that much, and a negative
  /// value zero. Only an unlock of the device counts: no match of another evaluation, and no
  /// passcode. Fractions of a second are dropped.
  public var reuseDuration: Duration {
    get { core.settings.reuseDuration }
    set {
      core.change { $0.reuseDuration = min(max(.zero, newValue), Self.reuseDurationMax) }
    }
  }

  /// How long a person has to answer, waiting for others included; 30 seconds unless changed, and
  /// at most an hour.
  public var timeout: Duration {
    get { core.settings.timeout }
    set { core.change { $0.timeout = newValue } }
  }

  /// Who asks the person; ``Prompter/terminal`` unless changed.
  public var prompter: Prompter {
    get { core.settings.prompter }
    set { core.change { $0.prompter = newValue } }
  }

  // MARK: Credentials

  /// Keeps a credential for what asks for it, so that nobody is asked; nil removes it.
  ///
  /// It stays in this context only, in memory that is wiped, until ``invalidate()``. A password that does
  /// not open the item it is tried on is forgotten, so that nobody tries it for ever.
  ///
  /// - Returns: whether it is kept; false in a context that was invalidated.
  @discardableResult
  public func setCredential(_ secret: consuming Secret?, type: CredentialType) -> Bool {
    guard let secret else { return core.set(nil, for: type) }
    return core.set(Credential(secret), for: type)
  }

  /// Whether a credential of this type is kept.
  public func isCredentialSet(_ type: CredentialType) -> Bool { core.credential(type) != nil }
}
