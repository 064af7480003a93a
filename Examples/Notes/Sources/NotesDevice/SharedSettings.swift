import DataProtection
import Foundation

/// What the person chose on any device, for all of them; a choice of this device alone is in `Settings`.
enum SharedSettings {
  private static let key = "idleSeconds"

  /// How many seconds nobody types until the app logs out; nil if nobody chose.
  static var idleSeconds: Int? {
    get {
      let seconds = NSUbiquitousKeyValueStore.default.longLong(forKey: key)
      return seconds > 0 ? Int(seconds) : nil
    }
    set { NSUbiquitousKeyValueStore.default.set(newValue.map { Int64($0) }, forKey: key) }
  }

  /// Calls `tell` once for each change that this program did not make.
  static func observe(_ tell: @escaping @Sendable () -> Void) -> any NSObjectProtocol {
    NotificationCenter.default.addObserver(
      forName: NSUbiquitousKeyValueStore.didChangeExternallyNotification,
      object: NSUbiquitousKeyValueStore.default,
      queue: nil
    ) { notification in
      let reason = notification.userInfo?[NSUbiquitousKeyValueStoreChangeReasonKey] as? Int
      let keys = notification.userInfo?[NSUbiquitousKeyValueStoreChangedKeysKey] as? [String]
      guard reason != NSUbiquitousKeyValueStoreQuotaViolationChange, keys?.contains(key) == true
      else { return }
      tell()
    }
  }
}
