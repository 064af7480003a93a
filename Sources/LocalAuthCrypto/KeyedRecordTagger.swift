public import LocalAuthCore
import LocalAuthSecret

/// Authenticates stored records with a key derived from the device key.
public final class KeyedRecordTagger: RecordTagger {
  private let key: Secret

  /// Makes the tagger of the installation with `deviceKey`.
  public init(_ deviceKey: DeviceKey) { key = deviceKey.derive(.records) }

  /// The authentication tag of `message`: 32 bytes of keyed BLAKE2b.
  public func tag(over message: [UInt8]) -> [UInt8] { KeyedHash.tag(over: message, key: key) }

  /// Whether `tag` authenticates `message`, compared in constant time.
  public func verify(_ tag: [UInt8], over message: [UInt8]) -> Bool {
    KeyedHash.areEqual(tag, self.tag(over: message))
  }
}
