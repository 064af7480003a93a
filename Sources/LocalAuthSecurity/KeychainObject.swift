import LocalAuthKeychain
import LocalAuthSecret

/// A key, certificate or identity, which a dictionary can name under `kSecValueRef`.
protocol KeychainObject: NSObject {
  /// The class of its items.
  var itemClass: ItemClass { get }

  /// The attributes and the data of a new item for the object.
  ///
  /// - Throws: the status that `SecItemAdd` returns if the object cannot be added.
  func newItem() throws(ItemStatus) -> (attributes: QueryDictionary, data: SecretBox?)

  /// The query that finds its items.
  var selection: QueryDictionary { get }
}
