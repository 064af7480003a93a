import LocalAuthCore
import LocalAuthKeychain
import LocalAuthPropertyList
import LocalAuthSecret
import LocalAuthSync

extension Synchronizer {
  /// The names of the device's stores; nil if they cannot be read.
  var stores: Set<String>? {
    var names: Set<String> = []
    let isRead = eachOwnItem(KeyValuePlace.term) { item in
      if let store = KeyValuePlace.store(of: item) { names.insert(store) }
    }
    return isRead ? names : nil
  }

  /// The device's documents; nil if they cannot be read.
  var documentKeys: Set<DocumentKey>? {
    var keys: Set<DocumentKey> = []
    let isRead = eachOwnItem(DocumentPlace.term) { item in
      if let key = DocumentPlace.key(of: item) { keys.insert(key) }
    }
    return isRead ? keys : nil
  }

  /// Passes each of the service's own items that has a value to `body`; false if they cannot be read.
  private func eachOwnItem(_ term: SearchTerm, _ body: (Item) -> Void) -> Bool {
    let lookup = device.passwords(with: term)
    var cursor: ItemHash?
    repeat {
      let page = try? engine.items.eachItem(lookup, after: cursor, limit: 256) {
        [device] stored in
        if let item = device.vault.item(stored), item.group == AccessGroups.internalGroup {
          body(item)
        }
        return true
      }
      guard let page else { return false }
      cursor = page.next
    } while cursor != nil
    return true
  }
}

/// Reads stores and documents while a batch is sealed, each once.
final class StoreReader {
  private let engine: Engine
  private let device: LiveDevice
  private var read: [String: StoredKeyValues?] = [:]
  private var documents: [DocumentKey: StoredDocument?] = [:]

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

  /// A document as it is; nil for one that cannot be read.
  func document(_ key: DocumentKey) -> StoredDocument? {
    if let known = documents[key] { return known }
    let document = (try? engine.read(DocumentPlace(key, on: device)))?.document
    documents.updateValue(document, forKey: key)
    return document
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
