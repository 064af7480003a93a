import LocalAuthCore
import LocalAuthKeychain
import LocalAuthSecret

/// The operations of each kind of keychain call.
extension KeychainRun {
  // MARK: Search

  func copy(_ dictionary: QueryDictionary, after cursor: KeychainCursor?) throws(KeychainError) {
    let query = try ItemQuery(dictionary, groups: request.groups)
    try check(query.selection)
    let isJoin = query.selection.itemClass == .identity
    let limit = isJoin ? MatchLimit.all : query.limit
    let pass = ItemPass(
      query.selection,
      ItemWalk(.read(limit), interface: interface(query.options)),
      on: device,
      returns: query.returns,
      wantsOne: limit == .one,
      from: cursor
    )
    passes = [pass]
    guard !isJoin else { return join(pass, query) }
    go(through: pass) { [self] () throws(KeychainError) in
      guard !pass.found.isEmpty || cursor != nil else { throw .itemNotFound }
      let isWhole = pass.walk.isComplete || pass.byteCount < request.answerBytesMax
      finish(
        KeychainAnswer(
          items: pass.found,
          returns: query.returns,
          next: isWhole ? nil : pass.search.position
        )
      )
    }
  }

  /// Answers with certificates and their private keys; the list is never split, and fails if it is longer than two answers, the
  /// most that a connection takes.
  private func join(_ pass: ItemPass, _ query: ItemQuery) {
    go(through: pass) { [self] () throws(KeychainError) in
      let data = Dictionary(
        pass.found.map { ($0.item.identifier, $0.data) },
        uniquingKeysWith: { first, _ in first }
      )
      func found(_ item: Item, of half: Item) -> FoundItem {
        FoundItem(item: item, data: data[half.identifier]?.flatMap { $0.copied() })
      }
      // The caller builds its identity object from both halves.
      let isObject = query.returns.contains(.reference)
      var items: [FoundItem] = []
      var left = 2 * request.answerBytesMax
      for identity in pass.identities.prefix(query.limit.maximum) {
        let added =
          [found(identity.item, of: identity.certificate)]
          + (isObject ? [found(identity.key, of: identity.key)] : [])
        for half in added {
          left -= AnswerSize.bytes(of: half.item, dataCount: half.data?.count ?? 0)
        }
        guard left >= 0 else { throw .parameter(.tooMuchAtOnce) }
        items += added
      }
      guard !items.isEmpty else { throw .itemNotFound }
      finish(KeychainAnswer(items: items, returns: query.returns))
    }
  }

  /// Rejects conditions that only an X.509 parser or the caller itself could evaluate.
  func check(_ selection: ItemSelection) throws(KeychainError) {
    guard !selection.hasReference else { throw .unsupported(QueryKey.valueReference.rawValue) }
    if let condition = selection.conditions.certificate.keys.first {
      throw .unsupported(condition.rawValue)
    }
  }

  // MARK: Keys

  func useKey(_ dictionary: QueryDictionary, _ use: KeyUse) throws(KeychainError) {
    let query = try ItemQuery(dictionary, groups: request.groups)
    guard query.selection.itemClass == .key else {
      throw .unsupported(query.selection.itemClass.rawValue)
    }
    try check(query.selection)
    let pass = ItemPass(
      query.selection,
      ItemWalk(.use(use.operation), interface: interface(query.options)),
      on: device,
      returns: .data,
      wantsOne: true
    )
    passes = [pass]
    pass.use = use
    go(through: pass) { [self] () throws(KeychainError) in
      guard let result = pass.keyUse else { throw .itemNotFound }
      var answer = KeychainAnswer()
      answer.keyUse = result
      finish(answer)
    }
  }

  // MARK: Update

  func update(
    _ dictionary: QueryDictionary,
    _ changes: QueryDictionary,
    _ data: SecretBox?
  ) throws(KeychainError) {
    let update = try ItemUpdate(dictionary, changes: changes, groups: request.groups)
    try check(update.selection)
    let pass = ItemPass(
      update.selection,
      ItemWalk(.update, interface: interface(update.options)),
      on: device,
      returns: .data
    )
    passes = [pass]
    takingTurn { [self] in
      go(through: pass) { [self] () throws(KeychainError) in try replace(pass, update, data) }
    }
  }

  private func replace(
    _ pass: ItemPass,
    _ update: ItemUpdate,
    _ data: SecretBox?
  ) throws(KeychainError) {
    let now = now
    var failure: StorageError?
    let (changed, replaced) = try update.applied(
      to: pass.found.map(\.item),
      at: now.wall,
      access: { device.keybag.access(to: $0, at: now.boot) },
      enrolment: device.enrolment,
      occupant: { occupant(of: $0, pass.selection.itemClass, &failure) }
    )
    if let failure { throw .storage(failure) }
    for (old, new) in zip(pass.found, changed) where !old.item.isExtractable || !new.isExtractable {
      try update.changes.checkKey()
    }
    let lacking = changed.filter { lacksPasswordKey($0.accessControl, of: $0.identifier) }
    guard lacking.isEmpty else {
      let demand = pass.demand(for: lacking, isNew: true)
      pass.restart()
      leaveTurn()
      return makePasswordKeys(demand) { [self] in
        takingTurn { [self] in
          go(through: pass) { [self] () throws(KeychainError) in try replace(pass, update, data) }
        }
      }
    }
    var items = replaced.map { ItemChange.remove(device.identity, $0) }
    for (old, new) in zip(pass.found, changed) {
      let data = update.changes.replacesData ? data?.copied() : old.data
      items.append(.replace(try seal(new, data)))
    }
    commit(items, then: .counting(pass.found.count))
  }

  // MARK: Delete

  func delete(_ dictionary: QueryDictionary, onlyCounts: Bool) throws(KeychainError) {
    let deletion = try ItemDelete(dictionary, groups: request.groups)
    try check(deletion.selection)
    let pass = ItemPass(
      deletion.selection,
      ItemWalk(.delete, interface: interface(deletion.options)),
      on: device,
      returns: []
    )
    passes = [pass]
    let isJoin = deletion.selection.itemClass == .identity
    pass.isNeededToDelete = { isJoin || deletion.leavesTombstone(of: $0) }
    takingTurn { [self] in
      go(through: pass) { [self] () throws(KeychainError) in
        // Locked items cannot be joined into identities, so they stay.
        var changes =
          isJoin
          ? [] : (pass.unopened + pass.remains).map { ItemChange.remove(device.identity, $0) }
        let items =
          isJoin ? pass.identityHalves : pass.found.map(\.item)
        var seen: Set<ItemIdentifier> = []
        for item in items where seen.insert(item.identifier).inserted {
          changes.append(try removal(of: item, deletion.leavesTombstone(of: item)))
        }
        guard !changes.isEmpty else { throw .itemNotFound }
        let answer = KeychainAnswer.counting(changes.count)
        if onlyCounts { finish(answer) } else { commit(changes, then: answer) }
      }
    }
  }

  private func removal(
    of item: Item,
    _ leavesTombstone: Bool
  ) throws(KeychainError) -> ItemChange {
    guard leavesTombstone else { return .remove(device.identity, item.identifier) }
    var tombstone = item
    tombstone.isTombstone = true
    tombstone.hasData = false
    tombstone.modified = max(now.wall, item.modified)
    return .replace(try seal(tombstone, nil))
  }

  // MARK: Steps

  func seal(_ item: Item, _ data: SecretBox?) throws(KeychainError) -> SealedItem {
    // Only what is sealed under an application password tells whether it is right.
    guard item.hasData || !item.accessControl.keyInputs.contains(.applicationPassword) else {
      throw .parameter(.missingData)
    }
    let copy = device.synchronizer?.isAbout(item) == true ? data?.copied() : nil
    guard let classKey = device.keybag.record.classKey(of: item.accessControl.protection),
      let sealed = device.vault.seal(
        item,
        data: data?.take(),
        classKey: classKey,
        password: passwords.key(of: item.identifier)
      )
    else { throw .locked }
    if let synchronizer = device.synchronizer, synchronizer.isAbout(item),
      let edit = synchronizer.edit(item, copy?.take())
    {
      synchronized.append(edit)
    }
    return sealed
  }

  /// The holder of a primary key.
  func occupant(
    of key: PrimaryKey,
    _ itemClass: ItemClass,
    _ failure: inout StorageError?
  ) -> Occupant {
    do throws(StorageError) {
      let found = try engine.items.withItem(
        itemClass,
        device.vault.hash(of: key),
        of: device.identity
      ) { stored in device.occupant(stored, at: now.boot) }
      return found ?? .none
    } catch {
      failure = error
      return .none
    }
  }
}
