import LocalAuthCore
import LocalAuthKeychain
import LocalAuthSecret
import LocalAuthSync

/// One document of a container: an item of the service's own, beside one for each of its chunks.
struct DocumentPlace {
  let device: LiveDevice
  let container: String
  let name: DocumentName

  private static let prefix = "document:"
  private static let chunkPrefix = "chunk:"
  private static let label = "document"

  /// The service of the items that keep a container's documents, whose account is the name.
  static func service(_ container: String) -> String { prefix + container }

  /// What the items that keep documents have, of every container.
  static var term: SearchTerm { SearchTerm(.label, .text(label)) }

  /// The document that an item keeps; nil if it keeps none.
  static func key(of item: Item) -> DocumentKey? {
    guard item.group == AccessGroups.internalGroup,
      case .text(let service)? = item.attributes[.service], service.hasPrefix(prefix),
      case .text(let text)? = item.attributes[.account], let name = DocumentName(text)
    else { return nil }
    return DocumentKey(String(service.dropFirst(prefix.count)), name)
  }

  /// The chunk that an item keeps, and its document; nil if it keeps none.
  static func chunk(of item: Item) -> (document: DocumentKey, chunk: SyncDigest)? {
    guard item.group == AccessGroups.internalGroup,
      case .text(let service)? = item.attributes[.service], service.hasPrefix(chunkPrefix),
      case .text(let account)? = item.attributes[.account],
      let chunk = [UInt8](hexadecimal: account).flatMap({ SyncDigest($0) })
    else { return nil }
    // A name has no zero byte, and so ends at the last one.
    let parts = service.dropFirst(chunkPrefix.count)
    guard let end = parts.lastIndex(of: "\0"),
      let name = DocumentName(String(parts[parts.index(after: end)...]))
    else { return nil }
    return (DocumentKey(String(parts[..<end]), name), chunk)
  }

  /// What a chunk's item is found by.
  func keyHash(of chunk: SyncDigest) -> ItemHash {
    let none = ItemIdentifier(high: 0, low: 0)
    return device.vault.hash(
      of: PrimaryKey(of: self.chunk(chunk, none, at: WallInstant(milliseconds: 0)))
    )
  }

  init(_ key: DocumentKey, on device: LiveDevice) {
    self.init(device: device, container: key.container, name: key.name)
  }

  init(device: LiveDevice, container: String, name: DocumentName) {
    self.device = device
    self.container = container
    self.name = name
  }

  /// What the document is to the synchronization.
  var key: DocumentKey { DocumentKey(container, name) }

  /// The service of the items that keep a document's chunks, whose account is the digest.
  private var chunkService: String { Self.chunkPrefix + container + "\0" + name.text }

  /// The item that keeps the document.
  func item(_ identifier: ItemIdentifier, created: WallInstant, modified: WallInstant) -> Item {
    GroupPlace.item(
      identifier,
      [
        .service: .text(Self.service(container)), .account: .text(name.text),
        .label: .text(Self.label),
      ],
      created: created,
      modified: modified
    )
  }

  /// The item that keeps a chunk.
  func chunk(_ digest: SyncDigest, _ identifier: ItemIdentifier, at now: WallInstant) -> Item {
    GroupPlace.item(
      identifier,
      [.service: .text(chunkService), .account: .text(String(hexadecimal: digest.bytes))],
      created: now,
      modified: now
    )
  }

  /// The items of all chunks of the document.
  var chunks: ItemLookup { Self.lookup(chunkService, on: device) }

  /// The items that have a service.
  static func lookup(_ service: String, on device: LiveDevice) -> ItemLookup {
    device.passwords(with: SearchTerm(.service, .text(service)))
  }

  /// The sealed form of one of its items; nil without the class key.
  func sealed(_ item: Item, _ data: [UInt8]) -> SealedItem? {
    guard let classKey = device.keybag.record.classKey(of: GroupPlace.protection) else {
      return nil
    }
    return device.vault.seal(item, data: Secret(copying: data), classKey: classKey, password: nil)
  }
}

/// A document as it was read.
struct ReadDocument {
  /// What is kept of it, perhaps nothing.
  var document: StoredDocument
  /// The item that has it.
  var item: Item?
  /// What is in its place and cannot be opened any more.
  var remains: ItemIdentifier?
  /// Whether it was changed on the disk, so that what was there is not known.
  var isDamaged = false
}

extension Engine {
  /// A document as it is; throws if it was damaged, unless `evenDamaged`.
  func read(
    _ place: DocumentPlace,
    evenDamaged: Bool = false
  ) throws(EngineError) -> ReadDocument {
    let now = place.device.now(clock.now())
    let model = place.item(ItemIdentifier(high: 0, low: 0), created: now.wall, modified: now.wall)
    let read = try reading { (items) throws(StorageError) in
      try items.withItem(
        model.itemClass,
        place.device.vault.hash(of: PrimaryKey(of: model)),
        of: place.device.identity
      ) { Self.open($0, named: place.name, on: place.device, at: now.boot) }
    }
    guard let read else { return ReadDocument(document: StoredDocument(place.name)) }
    guard evenDamaged || !read.isDamaged else {
      throw .internalError(
        "The document '\(place.name.text)' was changed or damaged on the disk; nothing was changed: put a backup "
          + "back, or remove it."
      )
    }
    return read
  }

  /// What an item keeps of the document `name`.
  static func open(
    _ stored: borrowing StoredItem,
    named name: DocumentName,
    on device: LiveDevice,
    at now: BootInstant
  ) -> ReadDocument {
    let none = StoredDocument(name)
    // Without its class key the document is gone, as items are.
    if case .remains(let identifier) = device.occupant(stored, at: now) {
      return ReadDocument(document: none, remains: identifier)
    }
    guard let item = device.vault.item(stored) else {
      return ReadDocument(document: none, remains: stored.header.identifier, isDamaged: true)
    }
    guard let data = device.vault.data(of: stored),
      let document = StoredDocument(StoredKeyValues.bytes(of: data)), document.name == name
    else { return ReadDocument(document: none, item: item, isDamaged: true) }
    return ReadDocument(document: document, item: item)
  }

  /// The item that keeps a document after a change.
  func item(of read: ReadDocument, _ place: DocumentPlace) -> Item {
    let now = place.device.now(clock.now()).wall
    return place.item(
      read.item?.identifier ?? itemIdentifiers.next(at: now, using: &random),
      created: read.item?.created ?? now,
      modified: max(now, read.item?.modified ?? now)
    )
  }

  /// What writes a document over what was read.
  func replacing(
    _ before: ReadDocument,
    by after: StoredDocument,
    _ place: DocumentPlace
  ) throws(EngineError) -> [ItemChange] {
    var changes = before.remains.map { [ItemChange.remove(place.device.identity, $0)] } ?? []
    guard !after.isEmpty else {
      if let item = before.item {
        changes.append(.remove(place.device.identity, item.identifier))
      }
      return changes
    }
    guard let sealed = place.sealed(item(of: before, place), after.bytes) else {
      throw .refused(Outcome(.itemLocked))
    }
    return changes + [before.item == nil ? .add(sealed) : .replace(sealed)]
  }

  /// The bytes of a chunk that is here; nil if it was changed on the disk.
  func bytes(
    of chunk: SyncDigest,
    _ item: ItemIdentifier,
    on device: LiveDevice
  ) throws(EngineError) -> [UInt8]? {
    var bytes: [UInt8]?
    try reading { (items) throws(StorageError) in
      try items.lendItem(item, of: device.identity) { stored in
        guard let data = device.vault.data(of: stored) else { return }
        bytes = StoredKeyValues.bytes(of: data)
      }
    }
    return bytes.flatMap { hash.digest(of: $0) == chunk ? $0 : nil }
  }

  /// The item of the service's own that has a key; nil if there is none.
  func occupant(ofKey key: ItemHash, on device: LiveDevice) throws(EngineError) -> ItemIdentifier? {
    try reading { (items) throws(StorageError) in
      try items.withItem(.genericPassword, key, of: device.identity) { $0.header.identifier }
    }
  }

  /// What `body` reads.
  func reading<Value>(
    _ body: (any ItemReading) throws(StorageError) -> Value
  ) throws(EngineError) -> Value {
    do throws(StorageError) { return try body(items) } catch { throw EngineError(error) }
  }
}
