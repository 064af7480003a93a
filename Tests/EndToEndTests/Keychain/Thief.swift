import Glibc
import LocalAuthCore
import LocalAuthCrypto
import LocalAuthKeychain
import LocalAuthSecret
import LocalAuthTestSupport
import LocalAuthUnix

@testable import LocalAuthStore

/// Somebody with stolen files and our own libraries, who needs no daemon and asks nobody.
///
/// What keeps the daemon from giving something without proof keeps a thief from nothing: it makes its own
/// proofs, as any program can that links the library.
struct Thief {
  /// The device key, or a guess at it.
  let key: DeviceKey
  let store: Store

  /// A thief of the database alone, who has to guess at the device key.
  init(database directory: String) throws {
    try self.init(directory + "/state.sqlite", DeviceKey.generate())
  }

  /// A thief of everything in the directory.
  init(directory: String) throws {
    let bytes = try Files.read(directory + "/device.key")
    guard let key = DeviceKey(Secret.of(bytes)) else { throw Machine.Missing(what: "a key") }
    try self.init(directory + "/state.sqlite", key)
  }

  private init(_ database: String, _ key: DeviceKey) throws {
    self.key = key
    store = try Store(
      path: database,
      tagger: KeyedRecordTagger(key),
      mirror: NoMirror(),
      copy: NoMirror(),
      raising: { _, _ in }
    )
  }

  private struct NoMirror: SequenceMirroring {
    func read() -> [UInt8]? { nil }
    func write(_ record: [UInt8]) {}
    func sync() {}
  }

  static func device(_ name: String) -> DeviceIdentity {
    DeviceIdentity(owner: geteuid(), name: name)
  }

  func keybag(of device: String) throws -> SealedKeybag {
    let stored = store.state.keybags.first { $0.device == Self.device(device) }
    guard let stored, let keybag = SealedKeybag(bytes: stored.sealed) else {
      throw Machine.Missing(what: "a keybag")
    }
    return keybag
  }

  /// Every item of a device as it lies there.
  func items(of device: String, _ terms: [TermHash] = []) throws -> [SealedItem] {
    var items: [SealedItem] = []
    for itemClass in ItemClass.stored {
      let lookup = ItemLookup(device: Self.device(device), itemClass: itemClass, terms: terms)
      _ = try store.eachItem(lookup, after: nil, limit: 1000) { stored in
        items.append(stored.copied())
        return true
      }
    }
    return items
  }

  /// The class keys that need no passcode.
  func keys(of device: String) throws(KeybagError) -> ClassKeys {
    guard let keybag = try? keybag(of: device) else { throw .malformed }
    return try KeybagCipher(key).open(keybag, for: Self.device(device))
  }

  /// The class keys that `passcode` opens.
  func keys(of device: String, passcode: String) throws(KeybagError) -> ClassKeys {
    guard let keybag = try? keybag(of: device) else { throw .malformed }
    return try KeybagCipher(key).open(
      keybag,
      passcode: Secret.of(Array(passcode.utf8)),
      for: Self.device(device)
    )
  }

  // MARK: Items

  /// What became readable of an item.
  struct Loot: Equatable {
    var account: String?
    var label: String?
    var secret: String?

    static let nothing = Loot()
    var isNothing: Bool { self == .nothing }
  }

  /// Tries every key of `keys` on everything of `item`, its own class and all others.
  func open(
    _ item: SealedItem,
    of device: String,
    with keys: borrowing ClassKeys,
    password: String? = nil
  ) -> Loot {
    var loot = Loot.nothing
    for protection in ProtectionClass.allCases {
      guard let cipher = ItemCipher(keys, of: protection) else { continue }
      // SAFETY: this span, and those below, are those of arrays that live through the call.
      let context = unsafe ItemContext(
        item.header,
        hasData: item.secret != nil,
        accessControl: item.accessControl.span.bytes,
        on: DeviceLabel(Self.device(device))
      )
      if let bytes = unsafe cipher.openAttributes(item.attributes.span.bytes, in: context),
        let opened = try? Item(bytes: bytes)
      {
        loot.account = opened.value(of: .account)?.text
        loot.label = opened.value(of: .label)?.text
      }
      let itemKey =
        context.isGuarded
        ? guardedKey(item, cipher, context, device, password)
        : unsafe cipher.unwrap(item.wrappedKey.span.bytes, in: context)
      guard let itemKey, let sealed = item.secret,
        let data = unsafe ItemCipher.open(sealed.span.bytes, under: itemKey, in: context)
      else { continue }
      loot.secret = data.text
    }
    return loot
  }

  /// The key of an item with access control, by a proof that nobody gave.
  private func guardedKey(
    _ item: SealedItem,
    _ cipher: borrowing ItemCipher,
    _ context: ItemContext,
    _ device: String,
    _ password: String?
  ) -> Secret? {
    guard let accessControl = try? AccessControl(bytes: item.accessControl) else { return nil }
    let set = (try? keybag(of: device)).flatMap {
      try? KeybagCipher(key).enrolledSet(of: $0, for: Self.device(device))
    }
    // In its own process the thief says that a finger matched.
    guard
      let forged = proof(
        of: item.header.identifier,
        accessControl,
        generation: set?.generation ?? 1
      )
    else { return nil }
    // Without a password something is tried in its place.
    let passwordKey = password.flatMap {
      ApplicationPasswordKeys(key).key(of: Secret.of(Array($0.utf8)), for: item.header.identifier)
    }
    // SAFETY: the span is that of an array that lives through the call.
    return unsafe cipher.openGuarded(
      item.wrappedKey.span.bytes,
      forged,
      enrolledSet: set,
      password: passwordKey,
      in: context
    )
  }
}

extension Secret {
  static func of(_ bytes: [UInt8]) -> Secret {
    var secret = Secret(capacity: bytes.count)
    for byte in bytes { _ = secret.append(byte) }
    return secret
  }

  var text: String {
    // SAFETY: the bytes are copied while they are lent.
    unsafe withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
  }
}

extension AttributeValue {
  fileprivate var text: String? {
    if case .text(let text) = self { return text }
    return nil
  }
}
