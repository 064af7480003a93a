import LocalAuthBackup
import LocalAuthKeychain
import LocalAuthSecret

/// Seals and opens the items of one backup, under its class keys.
///
/// For one thread at a time.
struct BackupItemCipher: ~Copyable {
  /// The two ciphers of a class, that a dictionary can hold.
  private final class Pair {
    let attributes: Sealer
    let data: Sealer

    init?(_ keys: borrowing ClassKeys, _ protection: ProtectionClass) {
      guard let attributesKey = keys.key(for: "backup attributes", of: protection),
        let attributes = Sealer(attributesKey),
        let dataKey = keys.key(for: "backup data", of: protection), let data = Sealer(dataKey)
      else { return nil }
      self.attributes = attributes
      self.data = data
    }
  }

  private var pairs: [ProtectionClass: Pair] = [:]
  private let identifier: [UInt8]

  /// Makes the ciphers of the classes that are among `keys`.
  init(_ keys: borrowing ClassKeys, of header: BackupHeader) {
    for protection in keys.classes.classes { pairs[protection] = Pair(keys, protection) }
    identifier = header.identifier
  }

  /// Seals an item under the key of `protection`; nil if that key is missing, or the item has data and none is
  /// given.
  func seal(
    _ item: Item,
    data: borrowing Secret?,
    under protection: ProtectionClass
  ) -> BackupRecord? {
    guard let pair = pairs[protection] else { return nil }
    var record = BackupRecord(of: item, sealedUnder: protection)
    let context = identifier + record.head
    record.attributes = pair.attributes.seal(bytes: item.bytes, with: context)
    guard item.hasData else { return record }
    switch data {
    case .none: return nil
    case .some(let data): record.data = pair.data.seal(data, with: context)
    }
    return record
  }

  /// Opens an item.
  func open(_ record: BackupRecord) -> (read: ReadRecord, data: SecretBox?) {
    let itemClass = ItemClass.stored.first { Array($0.rawValue.utf8) == record.itemClass }
    let protection = ProtectionClass(code: record.protectionCode)
    guard let itemClass, let protection, BackupHeader.classes.contains(protection) else {
      return (.unknownClass, nil)
    }
    guard let pair = pairs[protection] else { return (.otherDevice, nil) }
    let context = identifier + record.head
    // SAFETY: the bytes are the array's own and stay in place during the call.
    guard
      let bytes = unsafe pair.attributes.openBytes(record.attributes.span.bytes, with: context),
      let item = try? Item(bytes: bytes), item.itemClass == itemClass,
      item.identifier == record.identifier, item.modified == record.modified,
      item.hasData == record.hasData
    else { return (.damaged, nil) }
    guard record.hasData else { return (.item(item), nil) }
    guard let data = pair.data.open(record.data, with: context) else { return (.damaged, nil) }
    return (.item(item), SecretBox(data))
  }
}
