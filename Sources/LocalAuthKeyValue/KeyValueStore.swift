public import LocalAuth
import LocalAuthClient
public import LocalAuthPropertyList
import LocalAuthSync

/// A change of a store that this object did not make.
public struct KeyValueStoreChange: Hashable, Sendable {
  /// Why, in Apple's numbers.
  public enum Reason: Int, CaseIterable, Hashable, Sendable {
    /// Another program, or another device, changed something.
    case server = 0
    /// The store was read for the first time, later than values were set.
    case initial = 1
    /// A value was not kept, because the store would be over its quota.
    case quotaViolation = 2
    /// The person uses another account.
    case account = 3
  }

  /// Why.
  public let reason: Reason
  /// The keys whose values are others now, or were not kept, in their order.
  public let keys: [String]

  /// The change of these keys, as a test compares it.
  public init(reason: Reason, keys: [String]) {
    self.reason = reason
    self.keys = keys
  }
}

/// Small values that programs of one access group share: settings, the last page, a score.
///
/// `set` and `remove` act at once on what this object knows, and are written together a moment later. What
/// others write arrives by itself and is told in ``changes``. A store has at most 1,024 keys of 64 bytes and 1 MiB of
/// values, and is no place for secrets: programs of the group read it whenever the device was unlocked once.
///
/// Safe to use from any thread. Only ``synchronize()`` and the first use wait for the service.
public final class KeyValueStore: Sendable {
  private let line: KeyValueLine

  /// Begins to follow a store.
  ///
  /// A service that cannot be reached, or a device that was not unlocked yet, is tried again each second; until then the
  /// store is empty, what is set is kept, and ``failure`` says why.
  ///
  /// - Parameters:
  ///   - name: The store, which is one of the program's access groups; nil for the first.
  ///   - device: The device.
  public init(_ name: String? = nil, on device: Device = .default) {
    line = KeyValueLine(name, device)
  }

  deinit { line.end() }

  /// What others change from now on, and what was not kept.
  ///
  /// Whoever falls behind by more than 1,024 changes hears of the newest.
  public var changes: AsyncStream<KeyValueStoreChange> { line.changes() }

  /// Calls `body` with each change from now on: on the store's own thread, or on that of the call which found it.
  package func onChange(_ body: @escaping @Sendable (KeyValueStoreChange) -> Void) {
    line.onChange(body)
  }

  /// Why the store cannot be reached; nil while it can.
  public var failure: KeyValueFailure? { line.failure }

  // MARK: Values

  /// The value of a key; nil if there is none.
  public func value(forKey key: String) -> PropertyList? {
    line.value(KeyValueKey(key)).flatMap { try? PropertyList(binary: $0) }
  }

  /// All values.
  public var values: [String: PropertyList] {
    line.values.reduce(into: [:]) { values, entry in
      values[entry.key.text] = try? PropertyList(binary: entry.value.content)
    }
  }

  /// Sets a value, or removes it, in memory at once and in the store a moment later.
  ///
  /// - Parameters:
  ///   - value: The value; nil to remove what there is.
  ///   - key: The key, of at most 64 bytes of UTF-8; a longer one is a mistake that ends the program.
  /// - Throws: ``KeyValueFailure/overQuota`` or ``KeyValueFailure/value(_:)``; nothing has changed then.
  public func set(_ value: PropertyList?, forKey key: String) throws(KeyValueFailure) {
    let name = KeyValueKey(key)
    precondition(
      name.isShort,
      "a key of a key-value store has at most \(KeyValueLimits.keyBytesMax) bytes of UTF-8: '\(key)'"
    )
    let bytes: [UInt8]?
    do throws(PropertyListError) {
      bytes = try value.map { value throws(PropertyListError) in try value.binary() }
    } catch { throw .value(error) }
    try line.set(name, to: bytes)
  }

  /// Removes the value of a key, if there is one.
  public func removeValue(forKey key: String) {
    // A key that is too long has no value.
    try? line.set(KeyValueKey(key), to: nil)
  }

  /// Writes what was set, and compares what this object knows with the store.
  ///
  /// - Returns: whether both are the same now; false if the store cannot be reached or is closed to this program.
  @discardableResult
  public func synchronize() -> Bool { line.synchronize() }
}
