import LocalAuthBackup
import LocalAuthCore
import LocalAuthCrypto
import LocalAuthKeychain
import LocalAuthSecret

/// One installation that makes and reads whole backups, in bytes that a test can change.
struct BackupRig {
  static let password = "correct horse battery"

  let cipher: BackupCipher
  let device: DeviceIdentity

  init(_ key: DeviceKey = .generate(), device: String = "desk") {
    self.init(BackupCipher(key, cost: .minimum, floor: .minimum), device: device)
  }

  init(_ cipher: BackupCipher, device: String = "desk") {
    self.cipher = cipher
    self.device = DeviceIdentity(owner: 1000, name: device)
  }

  /// An item as a keychain has it.
  static func item(
    _ account: String,
    _ protection: ProtectionClass = .whenUnlocked,
    flags: AccessControlFlags = [],
    group: String = "local",
    number: UInt64 = 1,
    modified: Int64 = 2000,
    isSynchronizable: Bool = false,
    attributes: [ItemAttribute: AttributeValue] = [:]
  ) -> Item {
    var attributes = attributes
    attributes[.account] = .text(account)
    attributes[.service] = .text("shop")
    return Item(
      identifier: ItemIdentifier(high: 7, low: number),
      itemClass: .genericPassword,
      group: group,
      accessControl: (try? AccessControl(protection, flags: flags)) ?? AccessControl(protection),
      isSynchronizable: isSynchronizable,
      created: WallInstant(milliseconds: 1000),
      modified: WallInstant(milliseconds: modified),
      attributes: attributes,
      hasData: true
    )
  }

  /// A backup of `items`, each with the secret `text`, or its account's name.
  func make(_ items: [Item], isDeviceOnly: Bool = false, secret: [UInt8]? = nil) throws -> [UInt8] {
    let writer = try begin(isDeviceOnly: isDeviceOnly)
    var body: [UInt8] = []
    var counts = BackupCounts()
    for item in items {
      let data: Secret? = Secret(copying: secret ?? Self.account(of: item))
      let protection = item.accessControl.protection
      if writer.add(item, data: data, under: protection) {
        counts.add(.included(under: protection), protection)
      }
      while let chunk = writer.takeChunk() { body += chunk }
    }
    let (rest, header) = writer.finish(counts)
    return header.bytes + body + rest.flatMap { $0 }
  }

  func begin(isDeviceOnly: Bool = false) throws -> BackupWriter {
    let created = WallInstant(milliseconds: 5000)
    guard !isDeviceOnly else {
      return try cipher.begin(password: nil, of: device, at: created)
    }
    return try cipher.begin(password: Secret(copying: Self.password.utf8), of: device, at: created)
  }

  static func account(of item: Item) -> [UInt8] {
    item.value(of: .account)?.canonicalBytes ?? []
  }

  /// What a whole backup has: a word for each record, and the data of those that open.
  struct Content: Equatable {
    var reads: [ReadRecord] = []
    var data: [[UInt8]] = []
    var unknown = 0
    var header: BackupHeader?
  }

  func open(_ bytes: [UInt8], password: String? = password) throws -> BackupReader {
    let header = Array(bytes.prefix(BackupFormat.headerSize))
    guard let password else { return try cipher.open(header, password: nil, on: device) }
    return try cipher.open(header, password: Secret(copying: password.utf8), on: device)
  }

  func read(_ bytes: [UInt8], password: String? = password) throws -> Content {
    let reader = try open(bytes, password: password)
    var content = Content(header: reader.header)
    guard bytes.count >= BackupFormat.leastSize else { throw BackupError.damaged }
    let end = bytes.count - BackupFormat.trailerSize
    for start in stride(from: BackupFormat.headerSize, to: end, by: BackupFormat.chunkSize) {
      let chunk = Array(bytes[start..<min(start + BackupFormat.chunkSize, end)])
      for entry in try reader.read(chunk) {
        guard case .item(let record) = entry else {
          content.unknown += 1
          continue
        }
        let (read, data) = reader.open(record)
        content.reads.append(read)
        if let secret = data?.take() { content.data.append(Self.bytes(of: secret)) }
      }
    }
    try reader.finish(Array(bytes[end...]))
    return content
  }

  /// Why a backup is refused; nil if it is read.
  func refusal(of bytes: [UInt8], password: String? = password) -> BackupError? {
    do {
      _ = try read(bytes, password: password)
      return nil
    } catch { return error as? BackupError }
  }

  private static func bytes(of secret: borrowing Secret) -> [UInt8] {
    // SAFETY: the bytes are copied within the call.
    unsafe secret.withUnsafeBytes { unsafe Array($0) }
  }
}
