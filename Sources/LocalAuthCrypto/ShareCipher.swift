import CLocalAuthSodium
public import LocalAuthKeychain
public import LocalAuthSecret
public import LocalAuthSync

/// A device's X25519 key, to which the keys of zones are sealed.
///
/// Any thread may use it.
public final class AgreementKey: Sendable {
  /// The public half.
  public let publicHalf: [UInt8]
  private let key: Secret

  /// Makes the key of these 32 bytes; nil for any other count.
  public init?(_ key: consuming Secret) {
    guard key.count == PeerKeys.keySize else { return nil }
    Sodium.ready
    var half = [UInt8](repeating: 0, count: PeerKeys.keySize)
    // SAFETY: both have 32 bytes.
    let isMade = unsafe half.withUnsafeMutableBytes { half in
      unsafe key.withUnsafeBytes {
        unsafe la_sodium_x25519_public(half.baseAddress, $0.baseAddress)
      }
    }
    guard isMade else { return nil }
    publicHalf = half
    self.key = key
  }

  /// Generates a key.
  public static func generate() -> AgreementKey {
    guard let key = AgreementKey(DeviceKey.randomBytes()) else {
      preconditionFailure("32 random bytes are a key of X25519")
    }
    return key
  }

  /// What this key and a public one agree on, for `context`; nil for a public key of low order.
  fileprivate func sealer(_ peer: [UInt8], _ context: [UInt8]) -> LongNonceSealer? {
    guard peer.count == PeerKeys.keySize else { return nil }
    var shared = Secret(capacity: PeerKeys.keySize)
    // SAFETY: all three have 32 bytes.
    let isAgreed = unsafe shared.withUnsafeMutableBytes { output, count in
      count = output.count
      return unsafe key.withUnsafeBytes { key in
        unsafe peer.withUnsafeBytes { peer in
          unsafe la_sodium_x25519(output.baseAddress, key.baseAddress, peer.baseAddress)
        }
      }
    }
    var material = KeyMaterial(parts: 1)
    guard isAgreed, material.add(shared) else { return nil }
    return LongNonceSealer(KeyDerivation.derive(from: material, info: context))
  }
}

extension SyncKeys {
  /// Seals the keys of this epoch to a peer.
  ///
  /// - Parameters:
  ///   - receiver: The peer.
  ///   - keys: Its keys.
  ///   - sender: This device.
  ///   - zone: The zone.
  ///   - circle: The circle, whose head the share names.
  ///   - signer: This device's key.
  /// - Returns: the share; nil for a public key of low order, or if signing fails.
  public func share(
    to receiver: PeerIdentifier,
    _ keys: PeerKeys,
    from sender: PeerIdentifier,
    _ zone: ZoneName,
    in circle: CircleLog,
    signedBy signer: any MessageSigning
  ) -> KeyShare? {
    let ephemeral = AgreementKey.generate()
    func share(_ sealed: [UInt8]) -> KeyShare {
      KeyShare(
        circle: circle.circle,
        zone: zone,
        epoch: epoch,
        receiver: receiver,
        sender: sender,
        circleHead: circle.head,
        ephemeral: ephemeral.publicHalf,
        sealed: sealed
      )
    }
    let context = share([]).context + keys.agreement
    guard let sealer = ephemeral.sealer(keys.agreement, context), let root = rootKeys else {
      return nil
    }
    var made = share(sealer.seal(root, with: context))
    guard let signature = signer.sign(made.signed) else { return nil }
    made.signature = signature
    return made
  }

  /// Opens a share that was verified.
  ///
  /// - Parameters:
  ///   - share: The share.
  ///   - key: The receiver's key.
  /// - Returns: the keys; nil if it is for another key, or anything of it was changed.
  public static func open(
    _ share: KeyShare,
    with key: AgreementKey
  ) -> SyncKeys? {
    let context = share.context + key.publicHalf
    guard let sealer = key.sealer(share.ephemeral, context),
      let root = sealer.open(share.sealed, with: context)
    else { return nil }
    return SyncKeys(epoch: share.epoch, root: root)
  }
}
