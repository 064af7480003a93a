import LocalAuthBackup
import LocalAuthCore
import LocalAuthKeychain
import LocalAuthSecret
import LocalAuthService
import LocalAuthStore
import Synchronization

/// What the ports of an engine have done and not yet said: a test says which answer comes when.
///
/// The work itself is done at once, and whoever asked for it waits, so that nothing depends on how fast threads are.
final class HeldAnswers: Sendable {
  private typealias Answer = @Sendable () -> Void

  /// The store says in the order of the commits what became of them.
  private let commits = Mutex<[Answer]>([])
  /// Threads that stretch passcodes are done in any order.
  private let openings = Mutex<[Answer]>([])
  private let underWay = Atomic(0)
  private let done = Completions()

  private var hasCommit: Bool { commits.withLock { !$0.isEmpty } }

  /// Among how many answers ``release(_:)`` chooses.
  var choices: Int { openings.withLock { $0.count } + (hasCommit ? 1 : 0) }

  /// Lets one answer be heard: one of the vaults', or after those the store's next.
  func release(_ number: Int) {
    let opening = openings.withLock { openings in
      openings.indices.contains(number) ? openings.remove(at: number) : nil
    }
    let answer = opening ?? commits.withLock { $0.removeFirst() }
    answer()
  }

  /// Keeps what `begin` answers, which ``settle()`` waits for.
  fileprivate func holdCommit<Value: Sendable>(
    of begin: (@escaping @Sendable (Value) -> Void) -> Void,
    _ completion: @escaping @Sendable (Value) -> Void
  ) {
    hold(begin) { [self] value in commits.withLock { $0.append { completion(value) } } }
  }

  fileprivate func holdOpening<Value: Sendable>(
    of begin: (@escaping @Sendable (Value) -> Void) -> Void,
    _ completion: @escaping @Sendable (Value) -> Void
  ) {
    hold(begin) { [self] value in openings.withLock { $0.append { completion(value) } } }
    settle()
  }

  private func hold<Value: Sendable>(
    _ begin: (@escaping @Sendable (Value) -> Void) -> Void,
    _ body: @escaping @Sendable (Value) -> Void
  ) {
    underWay.wrappingAdd(1, ordering: .relaxed)
    begin { [self] value in
      body(value)
      underWay.wrappingSubtract(1, ordering: .releasing)
      done.ring()
    }
  }

  /// Waits until everything is done that was begun.
  fileprivate func settle() {
    while underWay.load(ordering: .acquiring) > 0 { done.wait() }
  }
}

/// A real store whose answers are held.
final class HeldAnswerStore: ForwardingStore {
  let store: Store
  private let answers: HeldAnswers
  /// Whether an item is lent, which a store in memory lets no commit go by.
  private let isLending = Atomic(false)

  init(over store: Store, _ answers: HeldAnswers) {
    self.store = store
    self.answers = answers
  }

  private func lending<R>(_ body: () throws(StorageError) -> R) throws(StorageError) -> R {
    isLending.store(true, ordering: .relaxed)
    defer {
      isLending.store(false, ordering: .relaxed)
      answers.settle()
    }
    return try body()
  }

  func commit(
    _ changes: [StateChange],
    items: [ItemChange],
    _ kind: CommitKind,
    completion: @escaping @Sendable (Result<Void, StorageError>) -> Void
  ) {
    answers.holdCommit(
      of: { store.commit(changes, items: items, kind, completion: $0) },
      completion
    )
    if !isLending.load(ordering: .relaxed) { answers.settle() }
  }

  func commit(
    _ changes: [StateChange],
    spool: any ItemSpooling,
    _ kind: CommitKind,
    completion: @escaping @Sendable (Result<Void, StorageError>) -> Void
  ) {
    answers.holdCommit(
      of: { store.commit(changes, spool: spool, kind, completion: $0) },
      completion
    )
    if !isLending.load(ordering: .relaxed) { answers.settle() }
  }

  func lendItem(
    _ itemClass: ItemClass,
    _ key: ItemHash,
    of device: DeviceIdentity,
    to body: (borrowing StoredItem) -> Void
  ) throws(StorageError) {
    try lending { () throws(StorageError) in
      try store.lendItem(itemClass, key, of: device, to: body)
    }
  }

  func lendItem(
    _ identifier: ItemIdentifier,
    of device: DeviceIdentity,
    to body: (borrowing StoredItem) -> Void
  ) throws(StorageError) {
    try lending { () throws(StorageError) in
      try store.lendItem(identifier, of: device, to: body)
    }
  }

  func eachItem(
    _ lookup: ItemLookup,
    after cursor: ItemHash?,
    limit: Int,
    _ body: (borrowing StoredItem) -> Bool
  ) throws(StorageError) -> ItemPage {
    try lending { () throws(StorageError) in
      try store.eachItem(lookup, after: cursor, limit: limit, body)
    }
  }

  func eachItem(
    _ itemClass: ItemClass,
    of device: DeviceIdentity,
    after cursor: ItemIdentifier?,
    limit: Int,
    _ body: (borrowing StoredItem) -> Bool
  ) throws(StorageError) -> ItemAgePage {
    try lending { () throws(StorageError) in
      try store.eachItem(itemClass, of: device, after: cursor, limit: limit, body)
    }
  }
}

/// Real vaults whose answers are held.
struct HeldAnswerVaults: KeyVaultProvider {
  let vaults: any KeyVaultProvider
  let answers: HeldAnswers

  func vault(of device: DeviceIdentity) -> any KeyVault {
    HeldAnswerVault(over: vaults.vault(of: device), answers)
  }
}

/// Opened keys that seal as ``HeldAnswerVault`` opens.
private final class HeldAnswerKeys: OpenedKeys {
  private let keys: any OpenedKeys
  private let answers: HeldAnswers

  init(over keys: any OpenedKeys, _ answers: HeldAnswers) {
    self.keys = keys
    self.answers = answers
  }

  func install(_ classes: ProtectionClassSet) { keys.install(classes) }

  func seal(
    _ record: KeybagRecord,
    passcode: SecretBox?,
    completion: @escaping @Sendable ([UInt8]?) -> Void
  ) {
    answers.holdOpening(of: { keys.seal(record, passcode: passcode, completion: $0) }, completion)
  }
}

private final class HeldAnswerVault: KeyVault {
  private let vault: any KeyVault
  private let answers: HeldAnswers

  init(over vault: any KeyVault, _ answers: HeldAnswers) {
    self.vault = vault
    self.answers = answers
  }

  var sync: any SyncVault { vault.sync }

  func open(
    _ keybag: [UInt8],
    with passcodes: [SecretBox],
    for charge: DurableCharge,
    completion: @escaping @Sendable (KeybagOpening) -> Void
  ) {
    let wrapping = { @Sendable [answers] (opening: KeybagOpening) in
      guard case .opened(let keys) = opening else { return completion(opening) }
      completion(.opened(HeldAnswerKeys(over: keys, answers)))
    }
    answers.holdOpening(
      of: { vault.open(keybag, with: passcodes, for: charge, completion: $0) },
      wrapping
    )
  }

  func stretch(
    _ password: SecretBox,
    of item: ItemIdentifier,
    for charge: DurableCharge,
    completion: @escaping @Sendable (SecretBox?) -> Void
  ) {
    answers.holdOpening(
      of: { vault.stretch(password, of: item, for: charge, completion: $0) },
      completion
    )
  }

  func keys(creating created: ProtectionClassSet) -> any OpenedKeys {
    HeldAnswerKeys(over: vault.keys(creating: created), answers)
  }

  func makeFileKey(_ protection: FileProtection) -> (key: SecretBox, wrapped: WrappedFileKey)? {
    vault.makeFileKey(protection)
  }
  func openFileKey(_ wrapped: WrappedFileKey) -> SecretBox? { vault.openFileKey(wrapped) }
  func fileProtectionKey(_ protection: FileProtection) -> (name: String, key: SecretBox)? {
    vault.fileProtectionKey(protection)
  }
  func name(of key: borrowing Secret, opening protection: FileProtection) -> String? {
    vault.name(of: key, opening: protection)
  }
  func openFileKey(_ wrapped: WrappedFileKey, with key: borrowing Secret) -> SecretBox? {
    vault.openFileKey(wrapped, with: key)
  }

  func beginBackup(
    password: SecretBox?,
    at created: WallInstant,
    completion: @escaping @Sendable (BackupBeginning) -> Void
  ) {
    answers.holdOpening(
      of: { vault.beginBackup(password: password, at: created, completion: $0) },
      completion
    )
  }

  func openBackup(
    _ header: [UInt8],
    password: SecretBox?,
    completion: @escaping @Sendable (BackupAccess) -> Void
  ) {
    answers.holdOpening(
      of: { vault.openBackup(header, password: password, completion: $0) },
      completion
    )
  }

  var held: ProtectionClassSet { vault.held }
  func load(_ keybag: [UInt8]) -> KeybagRecord? { vault.load(keybag) }
  func setAside(_ classes: ProtectionClassSet) { vault.setAside(classes) }
  func bringBack(_ classes: ProtectionClassSet) { vault.bringBack(classes) }
  func wipeAside(_ classes: ProtectionClassSet) { vault.wipeAside(classes) }
  func wipe(_ classes: ProtectionClassSet) { vault.wipe(classes) }

  func renewEnrolledSet(_ generation: UInt64?, in keybag: [UInt8]) -> [UInt8]? {
    vault.renewEnrolledSet(generation, in: keybag)
  }

  func hash(of key: PrimaryKey) -> ItemHash { vault.hash(of: key) }
  func hash(of term: SearchTerm) -> TermHash? { vault.hash(of: term) }
  func item(_ stored: borrowing StoredItem) -> Item? { vault.item(stored) }
  func data(of stored: borrowing StoredItem) -> Secret? { vault.data(of: stored) }

  func data(
    of stored: borrowing StoredItem,
    _ proof: consuming Proof,
    password: borrowing Secret?
  ) -> Secret? { vault.data(of: stored, proof, password: password) }

  func seal(
    _ item: Item,
    data: borrowing Secret?,
    classKey: UInt64,
    password: borrowing Secret?
  ) -> SealedItem? { vault.seal(item, data: data, classKey: classKey, password: password) }

  func makeKey(_ curve: KeyCurve) -> (key: NewKey, data: SecretBox)? { vault.makeKey(curve) }

  func readKey(_ curve: KeyCurve, _ data: SecretBox) -> (key: NewKey, data: SecretBox)? {
    vault.readKey(curve, data)
  }

  func signer(of stored: borrowing StoredItem) -> (any MessageSigning)? { vault.signer(of: stored) }

  func use(
    _ stored: borrowing StoredItem,
    for use: KeyUse
  ) throws(KeychainError) -> KeyUseResult? { try vault.use(stored, for: use) }

  func use(
    _ stored: borrowing StoredItem,
    for use: KeyUse,
    _ proof: consuming Proof,
    password: borrowing Secret?
  ) throws(KeychainError) -> KeyUseResult? {
    try vault.use(stored, for: use, proof, password: password)
  }
}
