public import LocalAuthCore
import LocalAuthSecret

/// Vouches for stored records with a key derived from the device key.
public final class KeyedRecordTagger: RecordTagger {
  private let key: Secret

  /// The tagger of the installation whose key is `deviceKey`.
  public init(_ deviceKey: DeviceKey) { key = deviceKey.derive(.records) }

  /// The 32 bytes that vouch for `message`: keyed BLAKE2b.
  public func tag(over message: [UInt8]) -> [UInt8] { KeyedHash.tag(over: message, key: key) }

  /// Whether `tag` vouches for `message`; in constant time.
  public func verify(_ tag: [UInt8], over message: [UInt8]) -> Bool {
    KeyedHash.areEqual(tag, self.tag(over: message))
  }
}
