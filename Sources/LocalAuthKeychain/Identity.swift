/// A certificate and the private key that belongs to it.
public struct Identity: Hashable, Sendable {
  /// The certificate, which names the identity.
  public var certificate: Item
  /// The key.
  public var key: Item

  /// Every identity among the halves, in the order of the certificates.
  ///
  /// A certificate and a key belong together if the certificate's hash of its public key is the
  /// key's label; a certificate without such a hash belongs to no key.
  public static func join(certificates: [Item], keys: [Item]) -> [Self] {
    let privateKeys = keys.filter { isPrivate($0) }
    let byLabel = Dictionary(grouping: privateKeys) { bytes(of: .applicationLabel, $0) }
    return certificates.flatMap { certificate -> [Self] in
      let hash = bytes(of: .publicKeyHash, certificate)
      guard !hash.isEmpty else { return [] }
      return (byLabel[hash] ?? []).map { Self(certificate: certificate, key: $0) }
    }
  }

  /// The item that a result shows: the certificate, with the key's access control and the key's
  /// further attributes.
  ///
  /// The access control is the key's, because using the key opens the identity.
  public var item: Item {
    var item = certificate
    item.itemClass = .identity
    item.attributes.merge(key.attributes) { certificate, _ in certificate }
    item.accessControl = key.accessControl
    return item
  }

  private static func isPrivate(_ key: Item) -> Bool {
    key.value(of: .keyClass) == .number(KeyClass.private.rawValue)
      || key.value(of: .isPrivate) == .number(1)
  }

  private static func bytes(of attribute: ItemAttribute, _ item: Item) -> [UInt8] {
    item.value(of: attribute)?.canonicalBytes ?? []
  }
}
