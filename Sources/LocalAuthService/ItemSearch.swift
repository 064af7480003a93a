import LocalAuthCore
import LocalAuthKeychain

/// Scans the rows that a call may be about, in pages, so that a long list does not block other
/// calls.
///
/// A row is found by its reference, or by its primary key if the selection gives one in full and
/// one item is wanted, or else by the hashes of the selection's terms, group by group. If not all
/// items are wanted, the oldest come first.
struct ItemSearch {
  /// Whether rows remain to be scanned.
  enum Remainder: Hashable {
    case nothing
    case more
  }

  /// The number of rows scanned before other calls have their turn.
  private static let rowsAtOnce = 64

  /// The bytes of such rows, after which others have their turn as well: less than a millisecond.
  private static let bytesAtOnce = 256 * 1024

  /// The number of rows gathered first, to see if there are only a few candidates; if not, the
  /// oldest rows are scanned before more are gathered.
  private static let firstRows = 16

  /// The most candidates sorted by age; if there are more, the whole class is scanned, oldest
  /// first.
  private static let fewAtMost = 256

  /// The order in which rows are delivered.
  private enum Order {
    /// By key, which is the fastest, if all are wanted.
    case key
    /// By age, while the candidates are being gathered.
    case gathering([ItemIdentifier])
    /// By age: scans the oldest rows of the class, which may be enough, before gathering more
    /// candidates.
    case oldest([ItemIdentifier])
    /// By age: these candidates are left.
    case few(ArraySlice<ItemIdentifier>)
    /// By age: scans the whole class.
    case many
  }

  /// One range of rows: the items of a class, in one group or in all.
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
  /// Whether the oldest rows of the class have been scanned.
  private var knowsOldest = false
  /// The last item scanned by age.
  private var age: ItemIdentifier?
  /// The number of rows that do not parse as items.
  private(set) var damaged = 0

  /// A search for the rows of `selection` on `device`, continuing at `start`.
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

  /// The hashed terms of a place.
  ///
  /// Computed only when the place is scanned, because a primary key usually finds the row before
  /// that.
  private func lookup(_ place: Place, _ selection: ItemSelection) -> ItemLookup {
    var terms = selection.terms(for: place.itemClass)
    if let group = place.group { terms.append(SearchTerm(.accessGroup, .text(group))) }
    return ItemLookup(
      device: device,
      itemClass: place.itemClass,
      terms: terms.compactMap { vault.hash(of: $0) }
    )
  }

  /// Where another search would continue; nil before the first row.
  var position: KeychainCursor? {
    switch order {
    case .key: cursor.map { .key($0, group: group) }
    case .gathering, .oldest, .few, .many: age.map { .age($0) }
    }
  }

  /// Lends the next rows to `body` until it returns false; `selection` must be the one passed to
  /// the initializer.
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
      // `body` may skip the row; then look for items with the same values and another key.
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
    var left = Self.bytesAtOnce
    let lookup = lookup(places[group], selection)
    let page = try store.eachItem(lookup, after: cursor, limit: limit) { stored in
      left -= stored.byteCount
      goesOn = body(stored)
      return goesOn && left > 0
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

  /// Sorts the primary keys by the age of their items: each of several groups may have one, and the
  /// oldest comes first.
  private mutating func sortKeys(in store: any ItemReading) throws(StorageError) {
    var found: [(age: ItemIdentifier, key: (itemClass: ItemClass, key: ItemHash))] = []
    for key in keys {
      let age = try store.withItem(key.itemClass, key.key, of: device) { $0.header.identifier }
      if let age { found.append((age, key)) }
    }
    keys = found.sorted { $0.age < $1.age }.map(\.key)
  }

  /// Gathers the candidates without opening any item.
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
    var rest = rest
    var left = Self.bytesAtOnce
    for _ in 0..<Self.rowsAtOnce where left > 0 {
      guard let identifier = rest.popFirst() else { break }
      age = identifier
      let goesOn = try store.withItem(identifier, of: device) { stored in
        left -= stored.byteCount
        return body(stored)
      }
      if goesOn == false { return .nothing }
    }
    order = .few(rest)
    return rest.isEmpty ? .nothing : .more
  }

  private mutating func nextOfMany(
    of selection: ItemSelection,
    in store: any ItemReading,
    _ body: (borrowing StoredItem) -> Bool
  ) throws(StorageError) -> Remainder {
    guard let itemClass = places.first?.itemClass else { return .nothing }
    let wanted = places.map { lookup($0, selection).terms }
    var goesOn = true
    var left = Self.bytesAtOnce
    let page = try store.eachItem(itemClass, of: device, after: age, limit: Self.rowsAtOnce) {
      stored in
      left -= stored.byteCount
      guard wanted.contains(where: { stored.isFound(by: $0) }) else { return left > 0 }
      goesOn = body(stored)
      return goesOn && left > 0
    }
    damaged += page.damaged
    age = page.next ?? age
    return goesOn && page.next != nil ? .more : .nothing
  }
}

extension StoredItem {
  /// The size of its parts that have one of their own.
  fileprivate var byteCount: Int {
    withParts { accessControl, wrappedKey, attributes, secret in
      accessControl.byteCount + wrappedKey.byteCount + attributes.byteCount
        + (secret?.byteCount ?? 0)
    }
  }
}

/// A row that matches a selection, as far as it can be read.
struct MatchedRow {
  let header: ItemHeader
  let standing: ItemWalk.Standing
  /// The item, if it is readable.
  var item: Item?
  /// Whether the key it needs was destroyed, so that it can never be opened.
  var isGone = false

  /// The item's name, as far as it can be read now.
  var name: ItemName { item.map { ItemName(of: $0) } ?? ItemName(header.itemClass) }

  /// The item's access control; only its protection if the item cannot be read.
  var accessControl: AccessControl { item?.accessControl ?? AccessControl(header.protection) }
}

extension LiveDevice {
  /// Matches a row against a selection; nil if the call is not about it.
  ///
  /// A row that is locked, or whose key is gone, is judged by `hashes`, those of the selection.
  func match(
    _ stored: borrowing StoredItem,
    _ selection: ItemSelection,
    _ hashes: @autoclosure () -> HashedSelection,
    at now: BootInstant
  ) -> MatchedRow? {
    let header = stored.header
    guard selection.admits(header) else { return nil }
    switch keybag.access(to: header.protection, key: header.classKey, at: now) {
    case .available: break
    case .locked: return hashes().unreadable(stored, .locked)
    case .absent: return hashes().unreadable(stored, .undecodable, isGone: true)
    }
    // A damaged keybag provides no key, although its state says that there is one.
    guard vault.held.contains(header.protection) else {
      return hashes().unreadable(stored, .locked)
    }
    // Damage is noted whoever meets it, also where the hashes are another device's: nothing comes of it for the caller.
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

  /// What holds the primary key that `stored` was found by: a live item, or the remains of one.
  ///
  /// A locked or foreign item is not reported to the caller, but its key stays taken.
  func occupant(_ stored: borrowing StoredItem, at now: BootInstant) -> Occupant {
    let header = stored.header
    let access = keybag.access(to: header.protection, key: header.classKey, at: now)
    let isDestroyed =
      access == .available
      && vault.item(stored)?.accessControl.isDestroyed(at: record.enrolment.generation) == true
    return header.isTombstone || access == .absent || isDestroyed
      ? .remains(header.identifier) : .live(header.identifier)
  }

  /// The current enrolment, which added items are bound to.
  var enrolment: AccessControl.Enrolment {
    AccessControl.Enrolment(
      hasFingers: !record.enrolment.fingers.isEmpty,
      generation: record.enrolment.generation,
      hasPasscode: record.passcode != .none,
      noticesChanges: reader?.noticesChanges ?? true
    )
  }
}
