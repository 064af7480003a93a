import LocalAuthCore
import LocalAuthCrypto
import LocalAuthKeychain
import LocalAuthSecret
import LocalAuthService
import LocalAuthSync

/// The keys of an epoch of a zone.
final class EpochKeys: ZoneKeys {
  let syncKeys: SyncKeys

  init(_ keys: SyncKeys) { syncKeys = keys }

  var epoch: UInt32 { syncKeys.epoch }

  func name(kind: [UInt8], key: [UInt8]) -> RecordName { syncKeys.name(kind: kind, key: key) }

  func content(_ fields: [UInt8], _ secret: borrowing Secret) -> SyncDigest {
    syncKeys.content(fields, secret)
  }

  func seal(
    _ head: RecordHead,
    _ secret: borrowing Secret,
    at place: RecordPlace
  ) -> [UInt8]? { syncKeys.seal(head, secret, at: place) }

  func open(_ body: [UInt8], at place: RecordPlace) -> OpenedBody {
    switch syncKeys.open(body, at: place) {
    case .record(let head, let secret): .record(head, secret)
    case .locked: .locked
    case .newer: .newer
    case .damaged: .damaged
    }
  }

  func next(after epoch: UInt32) -> (any ZoneKeys)? {
    syncKeys.next(after: epoch).map { EpochKeys($0) }
  }

  func wrap(_ older: any ZoneKeys, circle: SyncDigest, _ zone: ZoneName) -> [UInt8]? {
    (older as? EpochKeys).flatMap { syncKeys.wrap($0.syncKeys, circle: circle, zone) }
  }

  func unwrap(
    _ wrapped: [UInt8],
    epoch: UInt32,
    circle: SyncDigest,
    _ zone: ZoneName
  ) -> (any ZoneKeys)? {
    syncKeys.unwrap(wrapped, epoch: epoch, circle: circle, zone).map { EpochKeys($0) }
  }
}

/// The keys of a peer: the seed of its signatures, and what its shares are sealed to.
final class OwnPeer: PeerSecrets {
  let keys: PeerKeys
  let signer: any MessageSigning
  private let agreement: AgreementKey
  private let peer: PeerIdentifier

  /// The peer with these secrets of 32 bytes each; nil for others.
  init?(
    _ kind: PeerKind,
    seed: consuming Secret,
    agreement: consuming Secret,
    name: String
  ) {
    guard let signer = Ed25519Signer(seed: seed), let agreement = AgreementKey(agreement),
      let signing = try? PrivateKey(.ed25519, serialized: seed).publicKey.bytes,
      let keys = PeerKeys(kind, signing: signing, agreement: agreement.publicHalf, name: name)
    else { return nil }
    self.keys = keys
    self.signer = signer
    self.agreement = agreement
    peer = keys.identifier(MessageHash())
  }

  func share(
    _ zoneKeys: any ZoneKeys,
    to receiver: PeerIdentifier,
    _ keys: PeerKeys,
    _ zone: ZoneName,
    in circle: CircleLog
  ) -> KeyShare? {
    (zoneKeys as? EpochKeys)?.syncKeys
      .share(to: receiver, keys, from: peer, zone, in: circle, signedBy: signer)
  }

  func open(_ share: KeyShare) -> (any ZoneKeys)? {
    SyncKeys.open(share, with: agreement).map { EpochKeys($0) }
  }
}

/// The code of an invitation, with the role and the password that follow from it.
final class ShownCode: JoinCode {
  let role: HubRole
  private let code: InvitationCode
  private let hubPassword: HubPassword

  /// The code; nil if memory is short.
  init?(_ code: InvitationCode) {
    guard let role = code.hubRole(), let password = code.hubPassword() else { return nil }
    self.code = code
    self.role = role
    hubPassword = password
  }

  func printed() -> SecretBox { SecretBox(code.printed) }
  func password() -> SecretBox { hubPassword.box() }
  func verifier() -> String { hubPassword.verifier() }
  func tag(over message: [UInt8]) -> [UInt8] { code.tag(over: message) }
  func verify(_ tag: [UInt8], over message: [UInt8]) -> Bool { code.verify(tag, over: message) }
}

/// The recovery key on paper, which is a peer of the circle and a sponsor that needs nobody.
final class PaperKey: RecoveryCode {
  /// What the circle calls it.
  private static let name = "recovery key"
  let secrets: any PeerSecrets
  let role: HubRole
  private let key: RecoveryKey
  private let hubPassword: HubPassword

  /// The key; nil if memory is short.
  init?(_ key: consuming RecoveryKey) {
    guard let seed = key.signingSeed(), let agreement = key.agreementSeed(),
      let secrets = OwnPeer(.recovery, seed: seed, agreement: agreement, name: Self.name),
      let password = key.hubPassword()
    else { return nil }
    self.key = key
    self.secrets = secrets
    role = HubRole(ofRecovery: secrets.keys.identifier(MessageHash()))
    hubPassword = password
  }

  func printed() -> SecretBox { SecretBox(key.printed) }
  func password() -> SecretBox { hubPassword.box() }
  func verifier() -> String { hubPassword.verifier() }
  func tag(over message: [UInt8]) -> [UInt8] { key.tag(over: message) ?? [] }
  func verify(_ tag: [UInt8], over message: [UInt8]) -> Bool { key.verify(tag, over: message) }
}

extension HubPassword {
  /// A copy of the password.
  func box() -> SecretBox {
    // SAFETY: the bytes are copied while they are lent.
    SecretBox(unsafe text.withUnsafeBytes { unsafe Secret(copying: $0) })
  }
}
