// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation
import LocalAuthEmbedded
import LocalAuthKeyValue
import Synchronization

/// The key of why a store was changed, in the notification's `userInfo`: an `Int`.
public let NSUbiquitousKeyValueStoreChangeReasonKey = "NSUbiquitousKeyValueStoreChangeReasonKey"
/// The key of the keys whose values were changed: a `[String]`.
public let NSUbiquitousKeyValueStoreChangedKeysKey = "NSUbiquitousKeyValueStoreChangedKeysKey"
/// Another program or device changed something.
public let NSUbiquitousKeyValueStoreServerChange = 0
/// The store was read for the first time, later than values were set.
public let NSUbiquitousKeyValueStoreInitialSyncChange = 1
/// A value was not kept, because the store would have more than its quota.
public let NSUbiquitousKeyValueStoreQuotaViolationChange = 2
/// The person uses another account.
public let NSUbiquitousKeyValueStoreAccountChange = 3

/// The part of Foundation on Apple's platforms that keeps small values: see `KeyValueStore` of `LocalAuthKeyValue`,
/// which tells why a value was not kept.
///
/// The store is that of the device that counts where ``default`` is used first. Notifications come on a thread of
/// their own, or on that of the call which found the change; an observer with a queue gets them there.
public final class NSUbiquitousKeyValueStore: Sendable {
  /// Posted when others have changed values, and when a value was not kept.
  public static let didChangeExternallyNotification = Notification.Name(
    "NSUbiquitousKeyValueStoreDidChangeExternallyNotification"
  )

  /// The store of the program's first access group.
  public static var `default`: NSUbiquitousKeyValueStore { KeyValueStoresOfDevices.current() }

  private let store: KeyValueStore

  /// One of its own for the device that counts here, as another program has one; for tests.
  package static func forCurrentDevice(_ name: String? = nil) -> NSUbiquitousKeyValueStore {
    NSUbiquitousKeyValueStore(KeyValueStore(name, on: KeyValueStoresOfDevices.device().device))
  }

  fileprivate init(_ store: KeyValueStore) {
    self.store = store
    store.onChange { [weak self] change in
      guard let self else { return }
      NotificationCenter.default.post(
        name: Self.didChangeExternallyNotification,
        object: self,
        userInfo: [
          NSUbiquitousKeyValueStoreChangeReasonKey: change.reason.rawValue,
          NSUbiquitousKeyValueStoreChangedKeysKey: change.keys,
        ]
      )
    }
  }

  /// Writes what was set and compares memory with the store; false if the store cannot be reached or is not open to this
  /// program.
  @discardableResult
  public func synchronize() -> Bool { store.synchronize() }

  /// All values.
  public var dictionaryRepresentation: [String: Any] { store.values.mapValues(\.object) }

  // MARK: Reading

  /// The value of a key: a text, number, date, data, array or dictionary.
  public func object(forKey aKey: String) -> Any? { store.value(forKey: aKey)?.object }

  /// The text of a key; nil for any other value.
  public func string(forKey aKey: String) -> String? { object(forKey: aKey) as? String }

  /// The array of a key; nil for any other value.
  public func array(forKey aKey: String) -> [Any]? { object(forKey: aKey) as? [Any] }

  /// The dictionary of a key; nil for any other value.
  public func dictionary(forKey aKey: String) -> [String: Any]? {
    object(forKey: aKey) as? [String: Any]
  }

  /// The data of a key; nil for any other value.
  public func data(forKey aKey: String) -> Data? { object(forKey: aKey) as? Data }

  /// The integer of a key; 0 if it has no number.
  public func longLong(forKey aKey: String) -> Int64 { number(aKey)?.int64Value ?? 0 }

  /// The real of a key; 0 if it has no number.
  public func double(forKey aKey: String) -> Double { number(aKey)?.doubleValue ?? 0 }

  /// The boolean of a key; false if it has no number.
  public func bool(forKey aKey: String) -> Bool { number(aKey)?.boolValue ?? false }

  private func number(_ key: String) -> NSNumber? { store.value(forKey: key)?.number }

  // MARK: Writing

  /// Sets the value of a key, or removes it if that is nil.
  ///
  /// What is no property list, and a key of more than 64 bytes, ends the program.
  public func set(_ anObject: Any?, forKey aKey: String) {
    guard let anObject else { return removeObject(forKey: aKey) }
    guard let value = PropertyList(anObject) else {
      preconditionFailure("a \(type(of: anObject)) is no property list, for the key '\(aKey)'")
    }
    put(value, aKey)
  }

  /// Removes the value of a key.
  public func removeObject(forKey aKey: String) { store.removeValue(forKey: aKey) }

  /// Sets a text.
  public func set(_ aString: String?, forKey aKey: String) {
    put(aString.map { .string($0) }, aKey)
  }

  /// Sets data.
  public func set(_ aData: Data?, forKey aKey: String) {
    put(aData.map { .data([UInt8]($0)) }, aKey)
  }

  /// Sets an array.
  public func set(_ anArray: [Any]?, forKey aKey: String) { set(anArray as Any?, forKey: aKey) }

  /// Sets a dictionary.
  public func set(_ aDictionary: [String: Any]?, forKey aKey: String) {
    set(aDictionary as Any?, forKey: aKey)
  }

  /// Sets an integer.
  public func set(_ value: Int64, forKey aKey: String) { put(.integer(value), aKey) }

  /// Sets a real.
  public func set(_ value: Double, forKey aKey: String) { put(.real(value), aKey) }

  /// Sets a boolean.
  public func set(_ value: Bool, forKey aKey: String) { put(.boolean(value), aKey) }

  private func put(_ value: PropertyList?, _ key: String) {
    do throws(KeyValueFailure) { try store.set(value, forKey: key) } catch {
      switch error {
      // The notification has told.
      case .overQuota: return
      case .value(let fault): preconditionFailure("\(fault) The key is '\(key)'.")
      case .noSuchStore, .locked, .service: return
      }
    }
  }
}

/// The stores of the devices that count; Foundation's class names none.
private enum KeyValueStoresOfDevices {
  private struct Entry {
    weak var device: CurrentDevice?
    let store: NSUbiquitousKeyValueStore
  }

  private static let entries = Mutex<[Entry]>([])

  static func device() -> CurrentDevice {
    do throws(DeviceError) { return try CurrentDevice.get() } catch {
      return CurrentDevice(
        Device(unusable: .badConfiguration("\(error)")),
        prompter: .terminal
      )
    }
  }

  /// That of the device of the task, of the process or of the environment; each device has one.
  static func current() -> NSUbiquitousKeyValueStore {
    let device = device()
    return entries.withLock { entries in
      entries.removeAll { $0.device == nil }
      if let known = entries.first(where: { $0.device === device }) { return known.store }
      let made = NSUbiquitousKeyValueStore(KeyValueStore(on: device.device))
      entries.append(Entry(device: device, store: made))
      return made
    }
  }
}
