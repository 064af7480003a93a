import LocalAuthCore
import LocalAuthKeychain
import LocalAuthSecret
public import LocalAuthToken

/// The signer of assertions: a key in a keychain that no client can name.
///
/// The private half stays in wiped memory. A rotation destroys it and keeps the public half while a
/// signature made with it may still be valid.
final class Issuer {
  /// The kind of presence an issuer vouches for.
  ///
  /// Each kind has its own keys and name, so that a verifier who trusts one refuses the others
  /// whatever they claim.
  enum Kind: String {
    case user
    case system
    case simulated

    /// The device whose keychain holds the keys.
    var deviceName: String {
      switch self {
      case .user, .system: DeviceIdentity.reservedPrefix + "issuer"
      case .simulated: DeviceIdentity.reservedPrefix + "simulated-issuer"
      }
    }
  }

  typealias Completion = (Result<Issuer, EngineError>) -> Void

  /// The current signing key, or a retired one whose assertions may still be valid.
  struct Key {
    let item: ItemIdentifier
    let web: JSONWebKey
    /// The header of the tokens it signs.
    let header: String
    /// When it was replaced; nil for the current signing key.
    let retired: WallInstant?
  }

  /// The `iss` claim of its assertions.
  let name: String
  let device: LiveDevice
  /// The signing key; nil until it is ready.
  private(set) var current: Key? {
    didSet { signer = nil }
  }
  /// The opened private half of ``current``, cached because opening it takes longer than signing.
  var signer: (any MessageSigning)?
  private var retired: [Key] = []
  /// Callers waiting for the keys; nil while nothing prepares them.
  var waiting: [Completion]?
  /// Whether its key is being replaced.
  var isRotating = false

  init(name: String, device: LiveDevice) {
    self.name = name
    self.device = device
  }

  /// Replaces the known keys.
  func adopt(_ keys: [Key]) {
    current = keys.first { $0.retired == nil }
    retired = keys.filter { $0.retired != nil }
  }

  /// The published keys: the signing key first, then those whose last assertion may still be valid.
  func published(at now: WallInstant) -> [JSONWebKey] {
    ((current.map { [$0] } ?? []) + overlapping(at: now)).map(\.web)
  }

  /// The replaced keys that are still published.
  func overlapping(at now: WallInstant) -> [Key] {
    retired.filter { key in
      guard let since = key.retired else { return false }
      return now.milliseconds - since.milliseconds < AssertionRules.overlap * 1000
    }
  }

  /// The replaced keys that are no longer published.
  func outdated(at now: WallInstant) -> [Key] {
    let kept = Set(overlapping(at: now).map(\.item))
    return retired.filter { !kept.contains($0.item) }
  }
}

/// Lifetimes of assertions and keys, in seconds.
enum AssertionRules {
  /// How long an assertion is valid.
  ///
  /// RFC 7519 leaves this to the issuer. An assertion is handed over in one request, as an
  /// authorization code is, to which RFC 6749 (section 4.1.2) gives ten minutes at most.
  static let lifetime: Int64 = 60
  /// How long a replaced key stays published: the life of its last assertion plus the largest clock
  /// skew a verifier may allow (300 s).
  static let overlap: Int64 = lifetime + 300
  /// The most replaced keys that are published at a time.
  static let overlappingMax = 8
}

/// An issuer's keys, as published.
public struct PublishedKeys: Sendable {
  /// The `iss` claim of its assertions.
  public var issuer: String
  /// The signing key, and those whose assertions may still be valid.
  public var keys: JSONWebKeySet
}
