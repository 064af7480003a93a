public import LocalAuthCore
public import LocalAuthKeychain

/// An item to be added, without its data; its attributes are also members.
///
/// Two items of a class cannot share the same group, account and service (for an internet password:
/// account, server, port and so on), even if their other attributes differ.
@dynamicMemberLookup
public struct NewKeychainItem: Hashable, Sendable {
  /// The item's class.
  public let itemClass: ItemClass
  /// Its attributes.
  public var attributes = ItemAttributes()
  /// The access group of the new item; nil for the caller's first.
  public var group: String?
  /// When the item can be opened, and with what proof; nil for `whenUnlocked` (for a certificate,
  /// `always`) without proof.
  public var accessControl: AccessControl?
  /// Whether the item is also meant for the user's other devices, which is possible only if it
  /// requires no proof and is not bound to this device.
  public var isSynchronizable = false

  /// Creates an item of a class, without attributes.
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

/// Changes to existing items; nil leaves a value unchanged.
///
/// New attributes are also members: `changes.label = "old"`.
@dynamicMemberLookup
public struct KeychainChanges: Hashable, Sendable {
  /// New values of attributes.
  public var attributes = ItemAttributes()
  /// A new protection; the required proof stays the same.
  public var accessible: ProtectionClass?
  /// A new protection and required proof; cannot be combined with ``accessible``.
  public var accessControl: AccessControl?
  /// The group to move to.
  public var group: String?
  /// Whether the items are to be meant for other devices.
  public var isSynchronizable: Bool?
  /// A new creation time; the time of the change itself cannot be set.
  public var created: WallInstant?

  /// Creates an empty set of changes.
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
  /// The item as Apple's dictionary, which requests everything that a ``KeychainItem`` contains.
  var dictionary: QueryDictionary {
    var dictionary = attributes.dictionary
    dictionary[QueryKey.itemClass.rawValue] = .text(itemClass.rawValue)
    if let group { dictionary[ItemAttribute.accessGroup.rawValue] = .text(group) }
    if let accessControl {
      // An access control that requires no proof is sent as a protection, because an item sent with
      // an access control cannot be synchronized.
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
  /// The changes as Apple's dictionary.
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
