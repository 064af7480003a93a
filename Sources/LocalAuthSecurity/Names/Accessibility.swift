// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

// When an item can be opened, and other values of attributes.

/// While the device is unlocked; the default.
public let kSecAttrAccessibleWhenUnlocked: CFString = "ak"
/// After the device was first unlocked since its start.
public let kSecAttrAccessibleAfterFirstUnlock: CFString = "ck"
/// Always; deprecated by Apple for `kSecAttrAccessibleAfterFirstUnlock`.
public let kSecAttrAccessibleAlways: CFString = "dk"
/// While unlocked, on a device with a passcode; the item is lost when the passcode is removed.
public let kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly: CFString = "akpu"
/// While the device is unlocked, and never on another device.
public let kSecAttrAccessibleWhenUnlockedThisDeviceOnly: CFString = "aku"
/// After the device was first unlocked since its start, and never on another device.
public let kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly: CFString = "cku"
/// Always, on this device only; deprecated by Apple like `kSecAttrAccessibleAlways`.
public let kSecAttrAccessibleAlwaysThisDeviceOnly: CFString = "dku"
/// Matches items whether or not they are synchronised.
public let kSecAttrSynchronizableAny: CFString = "syna"
/// The access group of items that tokens hold; it cannot be written.
public let kSecAttrAccessGroupToken: CFString = "com.apple.token"
