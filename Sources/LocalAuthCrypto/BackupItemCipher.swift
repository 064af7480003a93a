import LocalAuthBackup
import LocalAuthKeychain
import LocalAuthSecret

/// Seals and opens the items of one backup, under its class keys.
///
/// For one thread at a time.
struct BackupItemCipher: ~Copyable {
  /// The cipher of a class, that a dictionary can hold.
  private final class ClassCipher {
    var sealer: NumberedSealer

    init?(_ keys: borrowing ClassKeys, _ protection: ProtectionClass) {
      guard let key = keys.key(for: "backup items", of: protection),
        let sealer = NumberedSealer(key)
      else { return nil }
      self.sealer = sealer
    }
  }

  private var ciphers: [ProtectionClass: ClassCipher] = [:]
  private let identifier: [UInt8]

  /// Makes the ciphers of the classes that are among `keys`.
  init(_ keys: borrowing ClassKeys, of header: BackupHeader) {
    for protection in keys.classes.classes { ciphers[protection] = ClassCipher(keys, protection) }
    identifier = header.identifier
  }

  /// Seals an item under the key of `protection`, as the record of this number; nil if that key is missing, if the item
  /// has data and none is given, or if it is larger than a record may be.
  func seal(
    _ item: Item,
    data: borrowing Secret?,
    under protection: ProtectionClass,
    number: UInt64
  ) -> BackupRecord? {
    guard let cipher = ciphers[protection], let content = Self.content(item, data) else {
      return nil
    }
    var record = BackupRecord(of: item, sealedUnder: protection, number: number)
    record.sealed = cipher.sealer.seal(content, as: number, with: identifier + record.head)
    return record
  }

  /// What is sealed of an item.
  private static func content(_ item: Item, _ data: borrowing Secret?) -> Secret? {
    let attributes = item.bytes
    let start = BackupRecord.contentStart(attributesSize: attributes.count) + attributes
    func begun(room: Int) -> Secret? {
      let size = start.count + room
      guard size <= BackupFormat.recordMax - BackupRecord.overheadMax else { return nil }
      var content = Secret(capacity: size)
      // SAFETY: there is room for the start.
      unsafe content.withUnsafeMutableBytes { room, used in
        unsafe room.copyBytes(from: start)
        used = start.count
      }
      return content
    }
    guard item.hasData else { return begun(room: 0) }
    switch data {
    case .none: return nil
    case .some(let data):
      guard var content = begun(room: data.count) else { return nil }
      content.append(contentsOf: data)
      return content
    }
  }

  /// Opens an item.
  func open(_ record: BackupRecord) -> (read: ReadRecord, data: SecretBox?) {
    let itemClass = ItemClass(rawValue: String(decoding: record.itemClass, as: UTF8.self))
    let protection = ProtectionClass(code: record.protectionCode)
    guard let itemClass, ItemClass.stored.contains(itemClass), let protection,
      BackupHeader.classes.contains(protection)
    else { return (.unknownClass, nil) }
    guard let cipher = ciphers[protection] else { return (.otherDevice, nil) }
    guard
      let content = cipher.sealer.open(
        record.sealed,
        as: record.number,
        with: identifier + record.head
      ),
      let (item, data) = Self.parts(of: content), item.itemClass == itemClass,
      item.identifier == record.identifier
    else { return (.damaged, nil) }
    return (.item(item), data)
  }

  private static func parts(of content: borrowing Secret) -> (item: Item, data: SecretBox?)? {
    // SAFETY: the bytes are copied within the call.
    unsafe content.withUnsafeBytes { content in
      guard let attributes = unsafe BackupRecord.attributes(in: content),
        let item = unsafe try? Item(bytes: Array(content[attributes]))
      else { return nil }
      guard item.hasData else {
        return attributes.upperBound == content.count ? (item, nil) : nil
      }
      let data = unsafe UnsafeRawBufferPointer(rebasing: content[attributes.upperBound...])
      return unsafe (item, SecretBox(Secret(copying: data)))
    }
  }
}
