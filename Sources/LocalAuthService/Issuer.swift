import LocalAuthCore
import LocalAuthKeychain
import LocalAuthSecret
public import LocalAuthToken

/// Who signs assertions: a key in a keychain that no client can name.
///
/// The private half stays in wiped memory. A rotation destroys it, and keeps the public half for as
/// long as something that it signed may count.
final class Issuer {
  /// Whose presence it vouches for; each has keys and a name of its own, so that a verifier who trusts
  /// one refuses the others whatever they say.
  enum Kind: String {
    case user
    case system
    case simulated

    /// The device whose keychain has its keys.
    var deviceName: String {
      switch self {
      case .user, .system: DeviceIdentity.reservedPrefix + "issuer"
      case .simulated: DeviceIdentity.reservedPrefix + "simulated-issuer"
      }
    }
  }

  typealias Completion = (Result<Issuer, EngineError>) -> Void

  /// A key that signs, or that signed what may still count.
  struct Key {
    let item: ItemIdentifier
    let web: JSONWebKey
    /// The header of what it signs.
    let header: String
    /// When it was replaced; nil for the one that signs.
    let retired: WallInstant?
  }

  let kind: Kind
  /// What its assertions have as `iss`.
  let name: String
  let device: LiveDevice
  /// The key that signs; nil until it is ready.
  private(set) var current: Key? {
    didSet { signer = nil }
  }
  /// The private half of ``current``, once it has signed: opening it takes longer than signing.
  var signer: (any MessageSigning)?
  private var retired: [Key] = []
  /// Who waits for it to be ready; nil while nobody makes it so.
  var waiting: [Completion]?
  /// Whether its key is being replaced.
  var isRotating = false

  init(_ kind: Kind, name: String, device: LiveDevice) {
    self.kind = kind
    self.name = name
    self.device = device
  }

  /// Has exactly these keys.
  func adopt(_ keys: [Key]) {
    current = keys.first { $0.retired == nil }
    retired = keys.filter { $0.retired != nil }
  }

  /// The keys that are published: the one that signs first, then those whose last assertion may count.
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

  /// The replaced keys that nothing needs any more.
  func outdated(at now: WallInstant) -> [Key] {
    let kept = Set(overlapping(at: now).map(\.item))
    return retired.filter { !kept.contains($0.item) }
  }
}

/// How long things last, in seconds.
enum AssertionRules {
  /// How long an assertion counts.
  ///
  /// RFC 7519 leaves it to the issuer: it is handed over in one request,
  /// as an authorization code is, to which RFC 6749 (section 4.1.2) gives ten minutes at most.
  static let lifetime: Int64 = 60
  /// How long a replaced key stays published: its last assertion's life, and the most that a
  /// verifier's clock may differ (300 s).
  static let overlap: Int64 = lifetime + 300
  /// How many replaced keys are published at a time.
  static let overlappingMax = 8
}

/// The keys of an issuer, as they are published.
public struct PublishedKeys: Sendable {
  /// What its assertions have as `iss`.
  public var issuer: String
  /// The key that signs, and those whose assertions may still count.
  public var keys: JSONWebKeySet
}
