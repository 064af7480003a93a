/// What a key of class `keys` is used for.
public enum KeyUse: Hashable, Sendable {
  /// Signing a message, or a digest, as the algorithm requires.
  case sign([UInt8], KeyAlgorithm)
  /// Agreeing on a secret with the owner of a public key; `size` and `sharedInfo` matter only if
  /// the algorithm derives a key from it.
  case exchange(publicKey: [UInt8], KeyAlgorithm, size: Int, sharedInfo: [UInt8])

  /// The operation whose rule applies.
  public var operation: AccessOperation {
    switch self {
    case .sign: .sign
    case .exchange: .computeKey
    }
  }
}

/// The properties of a new key, for the dictionary that describes its item.
public struct NewKey: Hashable, Sendable {
  /// Its curve.
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

  /// The curve that a key request with these attributes asks for; P-256 if it names none.
  ///
  /// Throws for any other type or size, and if the request contradicts what the keychain states
  /// about the key.
  public static func curve(of request: QueryDictionary) throws(KeychainError) -> KeyCurve {
    let type = request[ItemAttribute.type.rawValue]
    guard let curve = KeyCurve.allCases.first(where: { type == nil || $0.answers(to: type) })
    else { throw .unsupported(ItemAttribute.type.rawValue) }
    switch request[ItemAttribute.keySizeInBits.rawValue] {
    case nil, .number(256): break
    default: throw .unsupported(ItemAttribute.keySizeInBits.rawValue)
    }
    guard request[ItemAttribute.tokenObjectID.rawValue] == nil else {
      throw .parameter(.notAllowedHere(ItemAttribute.tokenObjectID.rawValue))
    }
    for (attribute, number) in said(of: curve) {
      guard let asked = request[attribute.rawValue] else { continue }
      guard attribute.kind.coerce(asked) == .number(number) else {
        throw .parameter(.notAllowedHere(attribute.rawValue))
      }
    }
    return curve
  }

  /// Adds the properties of the key to `request`, so that it describes an item of class `keys`.
  ///
  /// A label in the request is kept, as for any other key.
  public func described(by request: QueryDictionary) -> QueryDictionary {
    var dictionary = request
    dictionary["class"] = .text(ItemClass.key.rawValue)
    let labelKey = ItemAttribute.applicationLabel.rawValue
    if dictionary[labelKey] == nil { dictionary[labelKey] = .data(label) }
    for (attribute, number) in Self.said(of: curve) {
      dictionary[attribute.rawValue] = .number(number)
    }
    return dictionary
  }

  /// The attributes that the keychain states about a key of this kind that it creates.
  private static func said(of curve: KeyCurve) -> [(ItemAttribute, Int64)] {
    [
      (.keyClass, KeyClass.private.rawValue), (.type, curve.keyType.rawValue),
      (.keySizeInBits, 256), (.effectiveKeySize, 256), (.isPermanent, 1), (.isPrivate, 1),
      (.isSensitive, 1), (.wasAlwaysSensitive, 1), (.isExtractable, 0), (.wasNeverExtractable, 1),
      (.canSign, 1), (.canDerive, curve == .p256 ? 1 : 0),
    ]
  }
}

extension KeyCurve {
  /// Whether `type` means this curve; Apple writes its number as text too.
  fileprivate func answers(to type: QueryValue?) -> Bool {
    type == .number(keyType.rawValue) || type == .text("\(keyType.rawValue)")
  }
}
