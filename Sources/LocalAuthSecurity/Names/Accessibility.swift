// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

// When an item can be opened, and words that attributes can have.

/// While the device is unlocked; the default.
public let kSecAttrAccessibleWhenUnlocked: CFString = "ak"
/// Once the device was unlocked since it was started.
public let kSecAttrAccessibleAfterFirstUnlock: CFString = "ck"
/// Always; deprecated by Apple for `kSecAttrAccessibleAfterFirstUnlock`.
public let kSecAttrAccessibleAlways: CFString = "dk"
/// While unlocked, on a device with a passcode; gone when that is removed.
public let kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly: CFString = "akpu"
/// While the device is unlocked, and never on another device.
public let kSecAttrAccessibleWhenUnlockedThisDeviceOnly: CFString = "aku"
/// Once the device was unlocked since its start, and never on another device.
public let kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly: CFString = "cku"
/// Always, on this device only; deprecated by Apple, as the class without that limit is.
public let kSecAttrAccessibleAlwaysThisDeviceOnly: CFString = "dku"
/// Matches items whether or not they are synchronised.
public let kSecAttrSynchronizableAny: CFString = "syna"
/// The access group of what tokens hold; nobody can write to it.
public let kSecAttrAccessGroupToken: CFString = "com.apple.token"
