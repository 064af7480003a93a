/// A certificate and the private key that belongs to it.
public struct Identity: Hashable, Sendable {
  /// The certificate, by which the identity is named.
  public var certificate: Item
  /// The key.
  public var key: Item

  /// Every identity among the halves, in the order of the certificates.
  ///
  /// They belong together where the certificate's hash of its public key is the key's label; a
  /// certificate without such a hash belongs to no key.
  public static func join(certificates: [Item], keys: [Item]) -> [Self] {
    let privateKeys = keys.filter { isPrivate($0) }
    let byLabel = Dictionary(grouping: privateKeys) { bytes(of: .applicationLabel, $0) }
    return certificates.flatMap { certificate -> [Self] in
      let hash = bytes(of: .publicKeyHash, certificate)
      guard !hash.isEmpty else { return [] }
      return (byLabel[hash] ?? []).map { Self(certificate: certificate, key: $0) }
    }
  }

  /// What a result shows of it: the certificate with the key's attributes below its own, and the
  /// key's access control, because an identity is opened by using its key.
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
