/// A certificate and the private key that belongs to it.
public struct Identity: Hashable, Sendable {
  /// The certificate, which names the identity.
  public var certificate: Item
  /// The key.
  public var key: Item

  /// Every identity among the halves, in the order of the certificates, each made when it is asked for.
  ///
  /// There may be as many as certificates times keys: many keys may have one label.
  /// A certificate and a key belong together if the certificate's hash of its public key is the
  /// key's label; a certificate without such a hash belongs to no key.
  public static func join(certificates: [Item], keys: [Item]) -> some Sequence<Self> {
    let privateKeys = keys.filter { isPrivate($0) }
    let byLabel = Dictionary(grouping: privateKeys) { bytes(of: .applicationLabel, $0) }
    return certificates.lazy.flatMap { certificate in
      let hash = bytes(of: .publicKeyHash, certificate)
      let own = hash.isEmpty ? [] : byLabel[hash] ?? []
      return own.lazy.map { Self(certificate: certificate, key: $0) }
    }
  }

  /// The certificates and the keys that are part of an identity, each once.
  public static func halves(certificates: [Item], keys: [Item]) -> [Item] {
    let privateKeys = keys.filter { isPrivate($0) }
    let labels = Set(privateKeys.map { bytes(of: .applicationLabel, $0) })
    let joined = certificates.filter { certificate in
      let hash = bytes(of: .publicKeyHash, certificate)
      return !hash.isEmpty && labels.contains(hash)
    }
    let hashes = Set(joined.map { bytes(of: .publicKeyHash, $0) })
    return joined + privateKeys.filter { hashes.contains(bytes(of: .applicationLabel, $0)) }
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
