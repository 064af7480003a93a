public import LocalAuthCore
public import LocalAuthKeychain

/// An item that is to be added, its data apart; its attributes are members of its own.
///
/// Two items of a class cannot have the same group, account and service (or, for an internet password,
/// account, server, port and so on), whatever else they have.
@dynamicMemberLookup
public struct NewKeychainItem: Hashable, Sendable {
  /// What it is.
  public let itemClass: ItemClass
  /// Its attributes.
  public var attributes = ItemAttributes()
  /// The access group it will belong to; nil for the caller's first.
  public var group: String?
  /// When it can be opened, and what must be proven first; nil for `whenUnlocked` and nothing (of a
  /// certificate, `always`).
  public var accessControl: AccessControl?
  /// Whether it is meant for the user's other devices too; only an item that asks for no proof and is
  /// not bound to this device can be.
  public var isSynchronizable = false

  /// An item of a class, without attributes.
  public init(_ itemClass: ItemClass) { self.itemClass = itemClass }

  /// A generic password.
  public static func genericPassword(
    service: String,
    account: String,
    accessControl: AccessControl? = nil
  ) -> NewKeychainItem {
    var item = NewKeychainItem(.genericPassword)
    item.service = service
    item.account = account
    item.accessControl = accessControl
    return item
  }

  /// An internet password.
  public static func internetPassword(
    server: String,
    account: String,
    accessControl: AccessControl? = nil
  ) -> NewKeychainItem {
    var item = NewKeychainItem(.internetPassword)
    item.server = server
    item.account = account
    item.accessControl = accessControl
    return item
  }

  /// An attribute by its name.
  public subscript<Value>(
    dynamicMember path: WritableKeyPath<ItemAttributes, Value>
  ) -> Value {
    get { attributes[keyPath: path] }
    set { attributes[keyPath: path] = newValue }
  }
}

/// What becomes of items that exist; what is nil stays as it is.
///
/// New attributes are members of its own: `changes.label = "old"`.
@dynamicMemberLookup
public struct KeychainChanges: Hashable, Sendable {
  /// New values of attributes.
  public var attributes = ItemAttributes()
  /// Another protection, which leaves what must be proven as it is.
  public var accessible: ProtectionClass?
  /// Another protection together with what must be proven; never besides ``accessible``.
  public var accessControl: AccessControl?
  /// The group to move to.
  public var group: String?
  /// Whether the items are meant for other devices from now on.
  public var isSynchronizable: Bool?
  /// Another time at which they were added; the time of the change itself cannot be set.
  public var created: WallInstant?

  /// No change at all.
  public init() {}

  /// An attribute by its name.
  public subscript<Value>(
    dynamicMember path: WritableKeyPath<ItemAttributes, Value>
  ) -> Value {
    get { attributes[keyPath: path] }
    set { attributes[keyPath: path] = newValue }
  }
}

extension NewKeychainItem {
  /// The item as Apple's dictionary has it, which asks for all that a ``KeychainItem`` shows.
  var dictionary: QueryDictionary {
    var dictionary = attributes.dictionary
    dictionary[QueryKey.itemClass.rawValue] = .text(itemClass.rawValue)
    if let group { dictionary[ItemAttribute.accessGroup.rawValue] = .text(group) }
    if let accessControl {
      // Only what asks for proof cannot be synchronized, and only as an access control.
      if accessControl.isTrivial {
        dictionary[ItemAttribute.accessible.rawValue] = .text(accessControl.protection.rawValue)
      } else {
        dictionary[ItemAttribute.accessControl.rawValue] = .accessControl(accessControl)
      }
    }
    if isSynchronizable { dictionary[ItemAttribute.synchronizable.rawValue] = .boolean(true) }
    dictionary.wantItem(withData: false)
    return dictionary
  }
}

extension KeychainChanges {
  /// The changes as Apple's dictionary has them.
  var dictionary: QueryDictionary {
    var dictionary = attributes.dictionary
    if let accessible {
      dictionary[ItemAttribute.accessible.rawValue] = .text(accessible.rawValue)
    }
    if let accessControl {
      dictionary[ItemAttribute.accessControl.rawValue] = .accessControl(accessControl)
    }
    if let group { dictionary[ItemAttribute.accessGroup.rawValue] = .text(group) }
    if let isSynchronizable {
      dictionary[ItemAttribute.synchronizable.rawValue] = .boolean(isSynchronizable)
    }
    if let created {
      dictionary[ItemAttribute.creationDate.rawValue] = .date(created.milliseconds)
    }
    return dictionary
  }
}
