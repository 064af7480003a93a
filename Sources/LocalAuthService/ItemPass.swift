import LocalAuthCore
import LocalAuthKeychain
import LocalAuthSecret

/// One pass over the rows a call is about, and its results.
final class ItemPass {
  let selection: ItemSelection
  /// What judges the rows that cannot be read, of which most calls meet none.
  private(set) lazy var hashes = HashedSelection(selection, by: vault)
  private let vault: any KeyVault
  let returns: ReturnSet
  /// Whether an earlier call answered the beginning of the list.
  let isContinued: Bool
  /// The search before its first row.
  private let unsearched: ItemSearch
  /// The walk as this round began.
  private var unvisited: ItemWalk
  var walk: ItemWalk
  var search: ItemSearch
  var found: [FoundItem] = []
  /// Rows to be deleted by identifier alone.
  var unopened: [ItemIdentifier] = []
  /// Whether a deletion must keep the item and not only its identifier; a million items would not
  /// fit in memory.
  var isNeededToDelete: (Item) -> Bool = { _ in true }
  /// Rows whose key is destroyed.
  var remains: [ItemIdentifier] = []
  /// Items for which the key of the application password must be made first.
  var lacking: [Item] = []
  var failure: KeychainError?
  /// How to use the key that is found.
  var use: KeyUse?
  var keyUse: KeyUseResult?
  /// The bytes of what is held so far.
  private(set) var byteCount = 0
  /// Whether the pass cannot go on without the turn to hold much.
  var isLarge = false
  /// How many items a change of all that was taken would change.
  var count: Int { found.count + unopened.count + remains.count }

  init(
    _ selection: ItemSelection,
    _ walk: ItemWalk,
    on device: LiveDevice,
    returns: ReturnSet,
    wantsOne: Bool = false,
    from start: KeychainCursor? = nil
  ) {
    self.selection = selection
    vault = device.vault
    self.walk = walk
    unvisited = walk
    self.returns = returns
    isContinued = start != nil
    unsearched = ItemSearch(
      selection,
      on: device,
      wantsOne: wantsOne,
      byAge: walk.isLimited,
      from: start
    )
    search = unsearched
  }

  /// Whether the data of `item` must be opened; data that may not leave the keychain may still have
  /// to be resealed.
  ///
  /// Only opening an item tells whether its application password is right, so an item with one is
  /// opened whatever is asked for.
  func opensData(of item: Item) -> Bool {
    guard item.hasData, walk.purpose != .delete else { return false }
    let needsPassword = item.accessControl.keyInputs.contains(.applicationPassword)
    return needsPassword || returns.contains(.data) && maySee(item)
  }

  /// The data that is found in an opened item.
  func taken(_ data: consuming Secret, of item: Item) -> SecretBox? {
    returns.contains(.data) && maySee(item) ? SecretBox(data) : nil
  }

  /// Whether data may be part of what is found: that of a key which may not leave is resealed at
  /// most.
  private func maySee(_ item: Item) -> Bool {
    if case .read = walk.purpose { item.isExtractable } else { true }
  }

  /// The identities among the found items, in the order in which their certificates were added.
  var identities: some Sequence<Identity> {
    let (certificates, keys) = halves
    return Identity.join(certificates: certificates, keys: keys)
  }

  /// The found items that are part of an identity.
  var identityHalves: [Item] {
    let (certificates, keys) = halves
    return Identity.halves(certificates: certificates, keys: keys)
  }

  private var halves: (certificates: [Item], keys: [Item]) {
    let items = found.map(\.item).sorted { $0.identifier < $1.identifier }
    return (
      items.filter { $0.itemClass == .certificate }, items.filter { $0.itemClass == .key }
    )
  }

  /// Counts what is held of an item.
  func hold(_ item: Item, dataCount: Int = 0) {
    byteCount += AnswerSize.bytes(of: item, dataCount: dataCount)
  }

  /// The demand for the application password of `items`, at least one.
  func demand(for items: [Item], isNew: Bool) -> PasswordDemand {
    PasswordDemand(
      items: items.prefix(ApplicationPasswords.mostAtOnce).map(\.identifier)[...],
      named: NamedItems(
        walk.operation(on: items[0].accessControl),
        items.prefix(NamedItems.mostNames).map { ItemName(of: $0) },
        of: items.count,
        items[0].accessControl
      ),
      isNew: isNew,
      interface: walk.interface
    )
  }

  /// Starts the pass again, to use what was proven meanwhile.
  func restart() {
    walk.restart()
    unvisited = walk
    rewind()
  }

  /// Goes back to where this round began, and holds nothing.
  func rewind() {
    walk = unvisited
    search = unsearched
    drop()
  }

  /// Gives up what is held, before a wait that ``restart()`` follows.
  func drop() {
    found = []
    unopened = []
    remains = []
    lacking = []
    failure = nil
    byteCount = 0
    isLarge = false
  }
}
