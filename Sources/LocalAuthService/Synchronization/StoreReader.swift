import LocalAuthCore
import LocalAuthKeychain
import LocalAuthPropertyList
import LocalAuthSecret
import LocalAuthSync

extension Synchronizer {
  /// The names of the device's stores; nil if they cannot be read.
  var stores: Set<String>? {
    let lookup = ItemLookup(
      device: device.identity,
      itemClass: .genericPassword,
      terms: [device.vault.hash(of: SearchTerm(.service, .text(KeyValuePlace.service)))]
        .compactMap { $0 }
    )
    var names: Set<String> = []
    var cursor: ItemHash?
    repeat {
      let page = try? engine.items.eachItem(lookup, after: cursor, limit: 256) {
        [device] stored in
        if let item = device.vault.item(stored), item.group == AccessGroups.internalGroup,
          case .text(KeyValuePlace.service)? = item.attributes[.service],
          case .text(let store)? = item.attributes[.account]
        {
          names.insert(store)
        }
        return true
      }
      guard let page else { return nil }
      cursor = page.next
    } while cursor != nil
    return names
  }
}

/// Reads stores while a batch is sealed, each once.
final class StoreReader {
  private let engine: Engine
  private let device: LiveDevice
  private var read: [String: StoredKeyValues?] = [:]

  init(_ engine: Engine, _ device: LiveDevice) {
    self.engine = engine
    self.device = device
  }

  /// A store as it is; nil for one that cannot be read.
  func values(of store: String) -> StoredKeyValues? {
    if let known = read[store] { return known }
    let values = (try? engine.read(KeyValuePlace(device: device, store: store)))?.values
    read.updateValue(values, forKey: store)
    return values
  }
}

extension StoredKeyValues {
  /// Whether these are the bytes of a value: one property list, in the one spelling.
  static func isValue(_ secret: borrowing Secret) -> Bool {
    guard secret.count <= KeyValueLimits.bytesMax else { return false }
    let bytes = bytes(of: secret)
    return (try? PropertyList(binary: bytes).binary()) == bytes
  }

  /// The bytes of a value, which is no secret to programs of its access group.
  static func bytes(of secret: borrowing Secret) -> [UInt8] {
    // SAFETY: the bytes are copied while they are lent.
    unsafe secret.withUnsafeBytes { unsafe Array($0) }
  }
}

extension BodyOpener.Content {
  /// The value that it says; nil if it was taken before.
  var value: KeyValueZone.Value? {
    guard let secret = secret.copied()?.take() else { return nil }
    let bytes = StoredKeyValues.bytes(of: secret)
    return KeyValueZone.Value(bytes, size: bytes.count)
  }
}
