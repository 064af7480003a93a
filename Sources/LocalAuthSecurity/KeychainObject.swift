import LocalAuthKeychain
import LocalAuthSecret

/// A key, a certificate or what else a dictionary can mean by `kSecValueRef`.
protocol KeychainObject: NSObject {
  /// The class of its items.
  var itemClass: ItemClass { get }

  /// What it says of itself as a new item, and its data.
  ///
  /// - Throws: what `SecItemAdd` answers where it cannot be added.
  func newItem() throws(ItemStatus) -> (attributes: QueryDictionary, data: SecretBox?)

  /// What finds its items.
  var selection: QueryDictionary { get }
}
