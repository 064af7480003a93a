/// What a key of class `keys` is used for.
public enum KeyUse: Hashable, Sendable {
  /// Signing a message, or the digest that it is.
  case sign([UInt8], KeyAlgorithm)
  /// Agreeing on a secret with the owner of a public key; `size` and `sharedInfo` count where the
  /// algorithm derives a key from it.
  case exchange(publicKey: [UInt8], KeyAlgorithm, size: Int, sharedInfo: [UInt8])

  /// The operation whose rule counts.
  public var operation: AccessOperation {
    switch self {
    case .sign: .sign
    case .exchange: .computeKey
    }
  }
}

/// What a new key is, for the dictionary that describes its item.
public struct NewKey: Hashable, Sendable {
  /// Its kind.
  public let curve: KeyCurve
  /// Its public half: X9.63's uncompressed point, or the 32 bytes of Ed25519.
  public let publicKey: [UInt8]
  /// The hash of its public half, by which certificates find it.
  public let label: [UInt8]

  /// The key with these parts.
  public init(_ curve: KeyCurve, publicKey: [UInt8], label: [UInt8]) {
    self.curve = curve
    self.publicKey = publicKey
    self.label = label
  }

  /// The kind that a request for a key with these attributes means; P-256 where it names none.
  ///
  /// Throws for any other kind or size, and for attributes that the keychain itself gives a key.
  public static func curve(of request: QueryDictionary) throws(KeychainError) -> KeyCurve {
    for key in own where request[key.rawValue] != nil {
      throw .parameter(.notAllowedHere(key.rawValue))
    }
    let type = request[ItemAttribute.type.rawValue]
    guard let curve = KeyCurve.allCases.first(where: { type == nil || $0.answers(to: type) })
    else { throw .unsupported(ItemAttribute.type.rawValue) }
    switch request[ItemAttribute.keySizeInBits.rawValue] {
    case nil, .number(256): return curve
    default: throw .unsupported(ItemAttribute.keySizeInBits.rawValue)
    }
  }

  /// `request` with what is known of the key now: whatever describes an item of class `keys`.
  public func described(by request: QueryDictionary) -> QueryDictionary {
    var dictionary = request
    dictionary["class"] = .text(ItemClass.key.rawValue)
    let values: [(ItemAttribute, QueryValue)] = [
      (.keyClass, .number(KeyClass.private.rawValue)),
      (.type, .number(curve.keyType.rawValue)),
      (.keySizeInBits, .number(256)), (.effectiveKeySize, .number(256)),
      (.applicationLabel, .data(label)), (.isPermanent, .number(1)), (.isPrivate, .number(1)),
      (.isSensitive, .number(1)), (.wasAlwaysSensitive, .number(1)),
      (.isExtractable, .number(0)), (.wasNeverExtractable, .number(1)),
      (.canSign, .number(1)), (.canDerive, .number(curve == .p256 ? 1 : 0)),
    ]
    for (attribute, value) in values { dictionary[attribute.rawValue] = value }
    return dictionary
  }

  /// Attributes that only the keychain gives to a key that it makes.
  private static let own: [ItemAttribute] = [
    .keyClass, .applicationLabel, .isPermanent, .isPrivate, .isSensitive, .wasAlwaysSensitive,
    .isExtractable, .wasNeverExtractable, .effectiveKeySize, .tokenObjectID, .canSign, .canDerive,
  ]
}

extension KeyCurve {
  /// Apple writes the number of a kind as text too.
  fileprivate func answers(to type: QueryValue?) -> Bool {
    type == .number(keyType.rawValue) || type == .text("\(keyType.rawValue)")
  }
}
