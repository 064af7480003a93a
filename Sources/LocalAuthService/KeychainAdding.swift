import LocalAuthCore
import LocalAuthKeychain
import LocalAuthSecret

/// Adding items, one or several in one commit.
extension KeychainRun {
  /// Adds all of `new` or none; ``itemInQuestion`` is the index at which adding failed.
  func add(_ new: [NewItem]) throws(KeychainError) {
    var arrivals: [Arrival] = []
    for (index, new) in new.enumerated() {
      itemInQuestion = index
      let addition = try ItemAdd(new.dictionary, groups: request.groups)
      guard !addition.hasReference else { throw .unsupported(QueryKey.valueReference.rawValue) }
      arrivals.append(try held(arrival(addition, new.data)))
    }
    itemInQuestion = nil
    insertWhenReady(arrivals)
  }

  /// Makes a private key and adds it.
  func generateKey(_ request: QueryDictionary) throws(KeychainError) {
    let curve = try NewKey.curve(of: request)
    guard let (key, data) = device.vault.makeKey(curve) else {
      throw .authentication(.internalError)
    }
    let addition = try ItemAdd(key.described(by: request), groups: self.request.groups)
    guard !addition.hasData, !addition.hasReference else {
      throw .parameter(.notAllowedHere(QueryKey.valueData.rawValue))
    }
    var arrival = arrival(addition, data)
    arrival.publicKey = key.publicKey
    insertWhenReady([arrival])
  }

  /// Converts an imported private key that may not leave the keychain to the form of keys made
  /// here.
  private func held(_ arrival: Arrival) throws(KeychainError) -> Arrival {
    guard let curve = arrival.addition.heldKey, let data = arrival.data else { return arrival }
    guard let (key, own) = device.vault.readKey(curve, data) else {
      throw .unsupported(ItemAttribute.isExtractable.rawValue)
    }
    var arrival = arrival
    arrival.data = own
    arrival.publicKey = key.publicKey
    return arrival
  }

  private func arrival(_ addition: ItemAdd, _ data: SecretBox?) -> Arrival {
    let identifier = engine.itemIdentifiers.next(at: now.wall, using: &engine.random)
    return Arrival(addition: addition, data: data, identifier: identifier)
  }

  /// Waits for this call's turn to add items, after making the keys of the application password.
  private func insertWhenReady(_ arrivals: [Arrival]) {
    let lacking = arrivals.filter {
      $0.addition.accessControl.flags.contains(.applicationPassword)
    }
    let insert = { [self] in
      takingTurn { [self] () throws(KeychainError) in try self.insert(arrivals) }
    }
    guard !lacking.isEmpty else { return insert() }
    let demand = PasswordDemand(
      items: lacking.map(\.identifier)[...],
      named: NamedItems(
        .encrypt,
        lacking.prefix(NamedItems.mostNames).map(\.name),
        of: lacking.count,
        lacking[0].addition.accessControl
      ),
      isNew: true,
      interface: lacking.contains { $0.addition.options.interface != .allow } ? .fail : .allow
    )
    makePasswordKeys(demand) { insert() }
  }

  /// Adds the items as if their primary keys were free, which they usually are.
  ///
  /// The store refuses a duplicate anyway; only then are the current holders of the keys looked up.
  private func insert(
    _ arrivals: [Arrival],
    wasRefused: Bool = false
  ) throws(KeychainError) {
    var admission = Admission(looksForOccupants: wasRefused)
    for (index, arrival) in arrivals.enumerated() {
      itemInQuestion = index
      try admit(arrival, to: &admission)
    }
    itemInQuestion = nil
    commit(
      admission.changes,
      then: KeychainAnswer(items: admission.found, returns: admission.returns),
      orIfDuplicate: wasRefused
        ? nil
        : { [self] () throws(KeychainError) in try insert(arrivals, wasRefused: true) }
    )
  }

  private func admit(_ arrival: Arrival, to admission: inout Admission) throws(KeychainError) {
    let now = now
    let addition = arrival.addition
    let protection = addition.accessControl.protection
    var failure: StorageError?
    var (item, replaced) = try addition.admit(
      as: arrival.identifier,
      at: now.wall,
      access: device.keybag.access(to: protection, at: now.boot),
      enrolment: device.enrolment
    ) { key in
      guard admission.keys[addition.itemClass, default: []].insert(key).inserted else {
        return .live(arrival.identifier)
      }
      guard admission.looksForOccupants else { return .none }
      return occupant(of: key, addition.itemClass, &failure)
    }
    if let failure { throw .storage(failure) }
    if let publicKey = arrival.publicKey {
      item.hasData = true
      item.attributes[.tokenObjectID] = .data(publicKey)
    }
    let isAnswered = addition.returns.contains(.data) && item.isExtractable
    let returned = isAnswered ? arrival.data?.copied() : nil
    // A copy, because a second attempt needs the data again.
    let sealed = try seal(item, arrival.data?.copied())
    if let replaced { admission.changes.append(.remove(device.identity, replaced)) }
    admission.changes.append(.add(sealed))
    admission.found.append(FoundItem(item: item, data: returned))
    admission.returns.formUnion(addition.returns)
  }
}

/// An item to be added.
private struct Arrival {
  let addition: ItemAdd
  var data: SecretBox?
  let identifier: ItemIdentifier
  /// The public half of a private key used here.
  var publicKey: [UInt8]?

  var name: ItemName { ItemName(addition.itemClass, addition.attributes) }
}

/// The changes of one commit.
private struct Admission {
  /// Whether the store has refused the items already because a primary key is taken.
  let looksForOccupants: Bool
  var changes: [ItemChange] = []
  var found: [FoundItem] = []
  var returns: ReturnSet = []
  /// The primary keys that this commit takes.
  var keys: [ItemClass: Set<PrimaryKey>] = [:]
}
