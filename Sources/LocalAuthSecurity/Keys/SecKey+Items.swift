import LocalAuth
import LocalAuthClient
import LocalAuthKeychain
import LocalAuthPKI
import LocalAuthSecret

extension SecKey: KeychainObject {
  var itemClass: ItemClass { .key }

  func newItem() throws(ItemStatus) -> (attributes: QueryDictionary, data: SecretBox?) {
    let data: SecretBox
    switch material {
    case .publicKey(let key): data = SecretBox(Secret(Data(key.representation)))
    case .privateKey(let key): data = SecretBox(key.copyRepresentation())
    // It is an item already.
    case .keychainKey: throw ItemStatus(.duplicateItem)
    }
    var attributes = selection
    let bits = Int64(publicKey.bits)
    attributes[ItemAttribute.type.rawValue] = .number(publicKey.type.number)
    attributes[ItemAttribute.keySizeInBits.rawValue] = .number(bits)
    attributes[ItemAttribute.effectiveKeySize.rawValue] = .number(bits)
    attributes[ItemAttribute.isPermanent.rawValue] = .number(1)
    for (attribute, isSo) in powers { attributes[attribute.rawValue] = .number(isSo ? 1 : 0) }
    return (attributes, data)
  }

  var selection: QueryDictionary {
    if case .keychainKey(let key) = material { return key.selection }
    return [
      QueryKey.itemClass.rawValue: .text(ItemClass.key.rawValue),
      ItemAttribute.keyClass.rawValue: .number(isPrivate ? 1 : 0),
      ItemAttribute.applicationLabel.rawValue: .data(publicKey.label),
    ]
  }

  /// The key of an item of class `keys`.
  ///
  /// - Throws: `errSecUnimplemented` for another kind of key, `errSecDecode` for data that is not a
  ///   key of its kind or of a supported size.
  convenience init(
    _ item: RemoteItem,
    in keychain: Keychain,
    _ query: QueryDictionary
  ) throws(ItemStatus) {
    guard let attributes = item.item else { throw ItemStatus(.internalComponent) }
    do throws(PKIError) {
      if KeychainKey.isOne(attributes) {
        self.init(.keychainKey(try KeychainKey(attributes, in: keychain, query)))
      } else {
        self.init(try Self.material(attributes, item.data))
      }
    } catch {
      throw ItemStatus(error == .unsuitable ? .unimplemented : .decode)
    }
  }

  private static func material(_ item: Item, _ data: SecretBox?) throws(PKIError) -> Material {
    guard let type = ExternalKeyType(attribute: item.attributes[.type]?.foundation) else {
      throw .unsuitable
    }
    guard let secret = data?.copied()?.take() else { throw .malformed }
    switch wholeNumber(item.attributes[.keyClass]?.foundation) {
    case 0?: return .publicKey(try ExternalPublicKey(type, representation: [UInt8](Data(secret))))
    case 1?: return .privateKey(try ExternalPrivateKey(type, representation: secret))
    default: throw .unsuitable
    }
  }
}
