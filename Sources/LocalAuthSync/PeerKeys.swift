public import LocalAuthCore

/// Names a device in a circle: the first half of the digest over its public keys.
public struct PeerIdentifier: Hashable, Comparable, Sendable {
  /// The upper half.
  public let high: UInt64
  /// The lower half.
  public let low: UInt64

  /// The identifier with these halves.
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Its 32 hexadecimal digits.
  public var text: String { EvaluationID(high: high, low: low).text }

  /// Reads ``text``; nil for anything else.
  public init?(text: String) {
    guard let digits = EvaluationID(text: text) else { return nil }
    self.init(high: digits.high, low: digits.low)
  }

  /// Orders identifiers as numbers.
  public static func < (left: Self, right: Self) -> Bool {
    (left.high, left.low) < (right.high, right.low)
  }
}

extension HubRole {
  /// The role of a recovery key, which follows from its public halves: so whoever ends it knows which one it is.
  public init(ofRecovery peer: PeerIdentifier) {
    let bytes = [peer.high, peer.low].flatMap { half in
      (0..<8).map { UInt8(truncatingIfNeeded: half >> (56 - 8 * $0)) }
    }
    guard let role = HubRole(bytes: bytes) else {
      preconditionFailure("an identifier has as many bytes as a role")
    }
    self = role
  }
}

/// What a peer is.
public enum PeerKind: UInt8, CaseIterable, Hashable, Sendable {
  /// A device of the person's.
  case device = 0
  /// The recovery key on paper, which adds and removes devices and writes no items.
  case recovery = 1
}

/// The public keys of a peer, by which it is known for good.
///
/// A device that was restored has other keys, and joins as another peer: so no counter of its own is ever used
/// twice.
public struct PeerKeys: Hashable, Sendable {
  /// The bytes of either key.
  public static let keySize = 32
  /// The longest name of a device, in bytes.
  public static let nameMax = 64

  /// What it is.
  public let kind: PeerKind
  /// The key of its signatures, Ed25519.
  public let signing: [UInt8]
  /// The key that its shares are sealed to, X25519.
  public let agreement: [UInt8]
  /// The name that people know it by.
  public let name: String

  /// The keys of a peer; nil if a key has another size than 32 bytes, or the name is too long.
  public init?(_ kind: PeerKind, signing: [UInt8], agreement: [UInt8], name: String) {
    guard signing.count == Self.keySize, agreement.count == Self.keySize,
      name.utf8.count <= Self.nameMax
    else { return nil }
    self.kind = kind
    self.signing = signing
    self.agreement = agreement
    self.name = name
  }

  /// What the identifier and the fingerprint are made of; the name is part of neither.
  public var framed: [UInt8] {
    var framed = FramedBytes("LocalAuth sync peer 1")
    framed.add(kind.rawValue)
    framed.add(counted: signing)
    framed.add(counted: agreement)
    return framed.bytes
  }

  /// The digest over both keys.
  public func digest(_ hash: any MessageHashing) -> SyncDigest { hash.digest(of: framed) }

  /// The name of the peer in logs, vectors and shares.
  public func identifier(_ hash: any MessageHashing) -> PeerIdentifier {
    let bytes = digest(hash).bytes
    func half(_ range: Range<Int>) -> UInt64 { bytes[range].reduce(0) { $0 << 8 | UInt64($1) } }
    return PeerIdentifier(high: half(0..<8), low: half(8..<16))
  }

  /// The first six words of the fingerprint, which people compare.
  public func words(_ hash: any MessageHashing) -> [String] {
    FingerprintWords.words(digest(hash), count: 6)
  }

  func append(to framed: inout FramedBytes) {
    framed.add(kind.rawValue)
    framed.add(counted: signing)
    framed.add(counted: agreement)
    framed.add(counted: Array(name.utf8))
  }

  init?(_ reader: inout FramedReader) {
    guard let code: UInt8 = reader.number(), let kind = PeerKind(rawValue: code),
      let signing = reader.counted(most: Self.keySize),
      let agreement = reader.counted(most: Self.keySize),
      let name = reader.counted(most: Self.nameMax),
      let text = String(validating: name, as: UTF8.self)
    else { return nil }
    self.init(kind, signing: signing, agreement: agreement, name: text)
  }
}

extension MessageHashing {
  /// The digest of `message`.
  public func digest(of message: [UInt8]) -> SyncDigest {
    guard let digest = SyncDigest(sha256(of: message)) else {
      preconditionFailure("SHA-256 has 32 bytes")
    }
    return digest
  }
}

/// The port to signatures of peers.
public protocol SignatureVerifying: Sendable {
  /// Whether `signature` is that of `message` by the owner of the Ed25519 key `signing`.
  ///
  /// False for bytes that are no key, and for a key of a small subgroup.
  func isSignature(_ signature: [UInt8], of message: [UInt8], by signing: [UInt8]) -> Bool
}

/// The ports that verifying takes.
public struct SyncPorts: Sendable {
  /// Digests.
  public let hash: any MessageHashing
  /// Signatures.
  public let signatures: any SignatureVerifying

  /// The ports of these adapters.
  public init(hash: any MessageHashing, signatures: any SignatureVerifying) {
    self.hash = hash
    self.signatures = signatures
  }
}
