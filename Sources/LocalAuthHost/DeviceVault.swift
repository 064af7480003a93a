import LocalAuthCore
import LocalAuthCrypto
import LocalAuthKeychain
import LocalAuthSecret
import LocalAuthService
import LocalAuthUnix
import Synchronization

/// The keys of one device, in wiped memory of this process.
///
/// Keys that are set aside stay in the same memory, and only this code's refusal to use them
/// protects them. An attacker who reads the memory finds them.
final class DeviceVault: KeyVault {
  let device: DeviceIdentity
  let label: DeviceLabel
  let tools: VaultTools
  /// The secret of the enrolled set; it goes into keybags that are being sealed on other threads.
  let enrolledSet = EnrolledSetSlot()
  let search: SearchHash
  /// The key for files that are made while the device is locked: it stays when the class keys go.
  private(set) var publicFileKey: [UInt8]?
  private var keys = ClassKeys()
  private var aside = ClassKeys()
  /// The cipher of each class, created on first use.
  private var ciphers: [OpenClass?]

  /// The cipher of the device's synchronization, created on first use; nil before the first unlock.
  private var openSyncCipher: SyncStateCipher?
  private(set) lazy var sync: any SyncVault = DeviceSyncVault(self)

  /// A cipher that an array can hold.
  final class OpenClass {
    let cipher: ItemCipher

    init?(_ keys: borrowing ClassKeys, of protection: ProtectionClass) {
      guard let cipher = ItemCipher(keys, of: protection) else { return nil }
      self.cipher = cipher
    }
  }

  init(of device: DeviceIdentity, _ deviceKey: DeviceKey, _ tools: VaultTools) {
    self.device = device
    self.tools = tools
    label = DeviceLabel(device)
    search = SearchHash(deviceKey, of: label)
    ciphers = ProtectionClass.allCases.map { _ in nil }
  }

  // MARK: The keybag

  var held: ProtectionClassSet { keys.classes }

  func load(_ keybag: [UInt8]) -> KeybagRecord? {
    guard let keybag = SealedKeybag(bytes: keybag) else { return nil }
    do throws(KeybagError) {
      let opened = try tools.keybags.open(keybag, for: device)
      let set = try tools.keybags.enrolledSet(of: keybag, for: device)
      publicFileKey = try tools.keybags.publicKey(of: keybag, for: device)
      install(opened.classes, from: opened)
      enrolledSet.replace(with: set)
      return keybag.record
    } catch {
      return nil
    }
  }

  func keys(creating created: ProtectionClassSet) -> any OpenedKeys {
    var all = keys.sharing(keys.classes)
    all.add(ClassKeys.generate(for: created))
    return KeyBundle(of: self, all)
  }

  func open(
    _ keybag: [UInt8],
    with passcodes: [SecretBox],
    for charge: DurableCharge,
    completion: @escaping @Sendable (KeybagOpening) -> Void
  ) {
    let bundle = KeyBundle(of: self, ClassKeys())
    let isAccepted = tools.threads.submit(for: device.owner) {
      completion(bundle.open(keybag, with: passcodes))
    }
    if !isAccepted { completion(.turnedAway) }
  }

  /// Installs the keys of `classes` from `opened`; wipes those in use and those set aside before.
  func install(_ classes: ProtectionClassSet, from opened: borrowing ClassKeys) {
    let taken = opened.sharing(classes)
    forgetCiphers(taken.classes)
    aside.remove(taken.classes)
    keys.add(taken)
    // It stays the same as long as the class key does.
    if publicFileKey == nil { publicFileKey = UnlessOpenCipher.publicKey(taken) }
  }

  func setAside(_ classes: ProtectionClassSet) {
    forgetCiphers(classes)
    aside.add(keys.sharing(classes))
    keys.remove(classes)
  }

  func bringBack(_ classes: ProtectionClassSet) {
    install(classes, from: aside.sharing(classes))
  }

  func wipeAside(_ classes: ProtectionClassSet) { aside.remove(classes) }

  func wipe(_ classes: ProtectionClassSet) {
    forgetCiphers(classes)
    keys.remove(classes)
    aside.remove(classes)
    guard classes == .all else { return }
    // Without its keys of every class the device will have others.
    publicFileKey = nil
    enrolledSet.replace(with: nil)
  }

  func renewEnrolledSet(_ generation: UInt64?, in keybag: [UInt8]) -> [UInt8]? {
    // Drop the old secret even if the keybag turns out to be damaged.
    let set = generation.map { EnrolledSet.generate(for: $0) }
    enrolledSet.replace(with: nil)
    guard let keybag = SealedKeybag(bytes: keybag),
      let renewed = try? tools.keybags.replacing(set, in: keybag, for: device)
    else { return nil }
    enrolledSet.replace(with: set)
    return renewed.bytes
  }

  // MARK: Items

  func hash(of key: PrimaryKey) -> ItemHash { search.hash(of: key) }

  func hash(of term: SearchTerm) -> TermHash? { search.hash(of: term) }

  func stretch(
    _ password: SecretBox,
    of item: ItemIdentifier,
    for charge: DurableCharge,
    completion: @escaping @Sendable (SecretBox?) -> Void
  ) {
    let isAccepted = tools.threads.submit(for: device.owner) { [tools] in
      guard let password = password.take(), let key = tools.passwords.key(of: password, for: item)
      else { return completion(nil) }
      completion(SecretBox(key))
    }
    if !isAccepted { completion(nil) }
  }

  /// The cipher of a class whose keys are in memory.
  ///
  /// It is cached, because preparing one costs more than opening an item.
  func openClass(_ protection: ProtectionClass) -> OpenClass? {
    let index = Int(protection.code)
    if let open = ciphers[index] { return open }
    ciphers[index] = OpenClass(keys, of: protection)
    return ciphers[index]
  }

  /// The cipher of the keys of files; nil if the key of their class is not in memory.
  func fileKeyCipher(_ protection: FileProtection) -> FileKeyCipher? {
    FileKeyCipher(keys, protection, of: label)
  }

  /// What opens the keys of files of a protection; nil if the key of their class is not in memory.
  func protectionKey(_ protection: FileProtection) -> FileProtectionKey? {
    FileProtectionKey(keys, protection, of: label)
  }

  /// Opens the key of a file that could be made while the device was locked; nil as for others.
  func openUnlessOpen(_ wrapped: WrappedFileKey) -> Secret? {
    UnlessOpenCipher.open(wrapped, keys, of: label)
  }

  /// The cipher of the device's synchronization; nil before the first unlock.
  var syncCipher: SyncStateCipher? {
    if let openSyncCipher { return openSyncCipher }
    openSyncCipher = SyncStateCipher(keys, of: label)
    return openSyncCipher
  }

  private func forgetCiphers(_ classes: ProtectionClassSet) {
    openSyncCipher = nil
    for protection in classes.classes { ciphers[Int(protection.code)] = nil }
  }
}

/// The secret of a device's enrolled set, usable from any thread.
final class EnrolledSetSlot: Sendable {
  private let held = Mutex<EnrolledSet?>(nil)

  var current: EnrolledSet? { held.withLock { $0 } }

  func replace(with new: EnrolledSet?) { held.withLock { $0 = new } }
}
