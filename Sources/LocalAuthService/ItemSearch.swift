import LocalAuthCore
import LocalAuthKeychain

/// Goes through the rows that a call may be about, piece by piece, so that a long list holds up nobody.
///
/// A row is found by its reference, by its primary key where the selection spells one out and one item
/// is wanted, or else by the hashes of what the selection asks for, group after group. Where not all are
/// wanted, the oldest come first.
struct ItemSearch {
  /// What remains to be looked at.
  enum Remainder: Hashable {
    case nothing
    case more
  }

  /// Rows that are looked at before others have their turn.
  private static let rowsAtOnce = 64

  /// So many rows that may be meant show whether there are few; else the oldest are looked at first.
  private static let firstRows = 16

  /// So many rows are sorted by age; of more, every one of the class is looked at, the oldest first.
  private static let fewAtMost = 256

  /// In which order the rows come.
  private enum Order {
    /// In that of their keys, which is the fastest, where all of them are wanted.
    case key
    /// By age; those that may be meant are gathered first.
    case gathering([ItemIdentifier])
    /// By age; before more are gathered, the oldest of the class are looked at, which may be enough.
    case oldest([ItemIdentifier])
    /// By age; these few are left.
    case few(ArraySlice<ItemIdentifier>)
    /// By age, among all of the class.
    case many
  }

  /// One range of rows: items of a class, in a group or in every one.
  private struct Place {
    let itemClass: ItemClass
    let group: String?
  }

  private let device: DeviceIdentity
  private let vault: any KeyVault
  private var keys: [(itemClass: ItemClass, key: ItemHash)] = []
  private var reference: ItemIdentifier?
  private var places: [Place] = []
  private var group = 0
  private var cursor: ItemHash?
  private var order = Order.key
  /// Whether the oldest of the class were looked at.
  private var knowsOldest = false
  /// The last item that was looked at in the order of age.
  private var age: ItemIdentifier?
  /// Rows that cannot be items.
  private(set) var damaged = 0

  /// The search for what `selection` selects on `device`, from `start` on.
  init(
    _ selection: ItemSelection,
    on device: LiveDevice,
    wantsOne: Bool,
    byAge: Bool,
    from start: KeychainCursor? = nil
  ) {
    self.device = device.identity
    vault = device.vault
    if let wanted = selection.reference, selection.itemClass != .identity {
      if case .item(_, let identifier) = wanted { reference = identifier }
      return
    }
    for half in selection.storedClasses {
      switch selection.scope {
      case .every: places.append(Place(itemClass: half, group: nil))
      case .only(let groups):
        for group in groups {
          places.append(Place(itemClass: half, group: group))
          guard wantsOne, let key = selection.primaryKey(in: group) else { continue }
          keys.append((half, vault.hash(of: key)))
        }
      }
    }
    switch start {
    case .key(let key, let group)?:
      self.group = min(group, places.count)
      cursor = key
    case .age(let identifier)?:
      age = identifier
      order = .gathering([])
    case nil: order = byAge ? .gathering([]) : .key
    }
  }

  /// The hashes of a place's rows, which are made when it is looked at: a key mostly leads to the row
  /// before that.
  private func lookup(_ place: Place, _ selection: ItemSelection) -> ItemLookup {
    var terms = selection.terms(for: place.itemClass)
    if let group = place.group { terms.append(SearchTerm(.accessGroup, .text(group))) }
    return ItemLookup(
      device: device,
      itemClass: place.itemClass,
      terms: terms.compactMap { vault.hash(of: $0) }
    )
  }

  /// Where another search would go on; nil before the first row.
  var position: KeychainCursor? {
    switch order {
    case .key: cursor.map { .key($0, group: group) }
    case .gathering, .oldest, .few, .many: age.map { .age($0) }
    }
  }

  /// Lends the next rows to `body` until it says false; `selection` is the one it was made for.
  mutating func next(
    of selection: ItemSelection,
    in store: any ItemReading,
    _ body: (borrowing StoredItem) -> Bool
  ) throws(StorageError) -> Remainder {
    if let identifier = reference.take() {
      _ = try store.withItem(identifier, of: device, body)
      return .nothing
    }
    if keys.count > 1 { try sortKeys(in: store) }
    while !keys.isEmpty {
      let (itemClass, key) = keys.removeFirst()
      // The row may be passed over: then items with the same values and another key are looked for.
      if try store.withItem(itemClass, key, of: device, body) == false { return .nothing }
    }
    if case .gathering(let found) = order { try gather(found, selection, store) }
    switch order {
    case .key: return try nextByKey(of: selection, in: store, body)
    case .gathering: return .more
    case .oldest(let found):
      order = .gathering(found)
      knowsOldest = true
      return try nextOfMany(of: selection, in: store, body)
    case .few(let rest): return try nextOfFew(rest, in: store, body)
    case .many: return try nextOfMany(of: selection, in: store, body)
    }
  }

  private mutating func nextByKey(
    of selection: ItemSelection,
    in store: any ItemReading,
    atMost limit: Int = rowsAtOnce,
    _ body: (borrowing StoredItem) -> Bool
  ) throws(StorageError) -> Remainder {
    guard group < places.count else { return .nothing }
    var goesOn = true
    let lookup = lookup(places[group], selection)
    let page = try store.eachItem(lookup, after: cursor, limit: limit) { stored in
      goesOn = body(stored)
      return goesOn
    }
    damaged += page.damaged
    if let next = page.next {
      cursor = next
    } else if goesOn {
      group += 1
      cursor = nil
    }
    return goesOn && group < places.count ? .more : .nothing
  }

  // MARK: By age

  /// One item of each of several groups has the values of a primary key: the oldest comes first.
  private mutating func sortKeys(in store: any ItemReading) throws(StorageError) {
    var found: [(age: ItemIdentifier, key: (itemClass: ItemClass, key: ItemHash))] = []
    for key in keys {
      let age = try store.withItem(key.itemClass, key.key, of: device) { $0.header.identifier }
      if let age { found.append((age, key)) }
    }
    keys = found.sorted { $0.age < $1.age }.map(\.key)
  }

  /// Finds out which items may be meant, without opening any.
  private mutating func gather(
    _ known: [ItemIdentifier],
    _ selection: ItemSelection,
    _ store: any ItemReading
  ) throws(StorageError) {
    var found = known
    let rows = knowsOldest ? Self.rowsAtOnce : Self.firstRows
    let remainder = try nextByKey(of: selection, in: store, atMost: rows) { stored in
      if selection.admits(stored.header) { found.append(stored.header.identifier) }
      return true
    }
    if found.count > Self.fewAtMost {
      order = .many
    } else if remainder == .more, !knowsOldest,
      places.allSatisfy({ $0.itemClass == places[0].itemClass })
    {
      order = .oldest(found)
    } else if remainder == .more {
      order = .gathering(found)
    } else {
      order = .few(found.filter { found in age.map { $0 < found } ?? true }.sorted()[...])
    }
  }

  private mutating func nextOfFew(
    _ rest: ArraySlice<ItemIdentifier>,
    in store: any ItemReading,
    _ body: (borrowing StoredItem) -> Bool
  ) throws(StorageError) -> Remainder {
    for identifier in rest.prefix(Self.rowsAtOnce) {
      age = identifier
      if try store.withItem(identifier, of: device, body) == false { return .nothing }
    }
    let left = rest.dropFirst(Self.rowsAtOnce)
    order = .few(left)
    return left.isEmpty ? .nothing : .more
  }

  private mutating func nextOfMany(
    of selection: ItemSelection,
    in store: any ItemReading,
    _ body: (borrowing StoredItem) -> Bool
  ) throws(StorageError) -> Remainder {
    guard let itemClass = places.first?.itemClass else { return .nothing }
    let wanted = places.map { lookup($0, selection).terms }
    var goesOn = true
    let page = try store.eachItem(itemClass, of: device, after: age, limit: Self.rowsAtOnce) {
      stored in
      guard wanted.contains(where: { stored.isFound(by: $0) }) else { return true }
      goesOn = body(stored)
      return goesOn
    }
    damaged += page.damaged
    age = page.next ?? age
    return goesOn && page.next != nil ? .more : .nothing
  }
}

/// A row that a selection matches, as far as it can be seen.
struct MatchedRow {
  let header: ItemHeader
  let standing: ItemWalk.Standing
  /// The item, where it is readable.
  var item: Item?
  /// Whether the key that it needs was destroyed, so that nothing will ever open it.
  var isGone = false

  /// What it is called, as far as it can be read now.
  var name: ItemName { item.map { ItemName(of: $0) } ?? ItemName(header.itemClass) }

  /// What is known of its access control: of one that cannot be read, its protection.
  var accessControl: AccessControl { item?.accessControl ?? AccessControl(header.protection) }
}

extension LiveDevice {
  /// The row as a call on `selection` sees it; nil when that is not about it.
  func match(
    _ stored: borrowing StoredItem,
    _ selection: ItemSelection,
    at now: BootInstant
  ) -> MatchedRow? {
    let header = stored.header
    guard selection.admits(header) else { return nil }
    switch keybag.access(to: header.protection, key: header.classKey, at: now) {
    case .available: break
    case .locked: return MatchedRow(header: header, standing: .locked)
    case .absent: return MatchedRow(header: header, standing: .undecodable, isGone: true)
    }
    // A damaged keybag gave no key, though the state says that there is one.
    guard vault.held.contains(header.protection) else {
      return MatchedRow(header: header, standing: .locked)
    }
    guard let item = vault.item(stored) else {
      return MatchedRow(header: header, standing: .undecodable)
    }
    guard selection.scope.contains(item.group) else {
      return MatchedRow(header: header, standing: .foreign)
    }
    guard selection.matches(item) else { return nil }
    guard !item.accessControl.isDestroyed(at: record.enrolment.generation) else {
      return MatchedRow(header: header, standing: .undecodable, isGone: true)
    }
    return MatchedRow(header: header, standing: .readable, item: item)
  }

  /// What has a primary key that `stored` is found under: an item, or the remains of one.
  ///
  /// Nobody is told of an item that is locked or not theirs, but nobody takes its place either.
  func occupant(_ stored: borrowing StoredItem, at now: BootInstant) -> Occupant {
    let header = stored.header
    let access = keybag.access(to: header.protection, key: header.classKey, at: now)
    let isDestroyed =
      access == .available
      && vault.item(stored)?.accessControl.isDestroyed(at: record.enrolment.generation) == true
    return header.isTombstone || access == .absent || isDestroyed
      ? .remains(header.identifier) : .live(header.identifier)
  }

  /// What is enrolled now, for items that are added.
  var enrolment: AccessControl.Enrolment {
    AccessControl.Enrolment(
      hasFingers: !record.enrolment.fingers.isEmpty,
      generation: record.enrolment.generation,
      hasPasscode: record.passcode != .none
    )
  }
}
