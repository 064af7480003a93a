import LocalAuthCore
import LocalAuthKeychain
import LocalAuthSecret

extension KeychainRun {
  /// Takes what must be proven, to have it asked for with what other searches need.
  typealias Demanding = ([ItemWalk.Demand]) -> Void

  /// Scans the rows, obtains proof, and rescans; `body` runs when everything needed was taken.
  ///
  /// With `demanding`, that gets what must be proven, and the search ends there.
  func go(
    through pass: ItemPass,
    demanding: Demanding? = nil,
    then body: @escaping () throws(KeychainError) -> Void
  ) {
    guard !isFinished else { return }
    let damaged = pass.search.damaged
    let remainder: ItemSearch.Remainder
    do throws(StorageError) {
      remainder = try pass.search.next(of: pass.selection, in: engine.items) { visit($0, pass) }
    } catch {
      // Damage to one item does not make others inaccessible, but a lookup by key ends here.
      noteDamage(of: nil)
      if case .corrupt = error { return fail(.itemNotFound) }
      return fail(.storage(error))
    }
    if pass.search.damaged > damaged { noteDamage(of: nil) }
    if let failure = pass.failure {
      guard failure == .authentication(.authenticationFailed), retriesPassword() else {
        return fail(failure)
      }
      drop()
      leaveTurn()
      return again(pass, demanding, body)
    }
    guard !pass.isLarge else {
      pass.rewind()
      return takingLargeTurn { [self] in later(pass, demanding, body) }
    }
    guard remainder == .nothing || pass.walk.isComplete else {
      return goOn(pass, demanding, body)
    }
    // A deletion removes and reports them itself.
    if pass.walk.purpose != .delete { forget(pass.remains) }
    guard pass.lacking.isEmpty else {
      let demand = pass.demand(for: pass.lacking, isNew: false)
      drop()
      leaveTurn()
      settleJudged()
      return makePasswordKeys(demand) { [self] in
        again(pass, demanding, body)
      }
    }
    switch pass.walk.finish() {
    // An empty end of a continued list is no failure.
    case .fail(.itemNotFound) where pass.isContinued || pass.walk.purpose == .delete:
      attempting(body)
    case .fail(let error): fail(error)
    case .done: attempting(body)
    case .prove(let demands):
      pass.drop()
      if let demanding { return demanding(demands) }
      leaveTurn()
      prove(demands[...]) { [self] in again(pass, nil, body) }
    }
  }

  /// Gives up what was found, before a person or a thread is waited for: ``again(_:_:_:)`` finds it again.
  private func drop() {
    for pass in passes { pass.drop() }
  }

  private func again(
    _ pass: ItemPass,
    _ demanding: Demanding?,
    _ body: @escaping () throws(KeychainError) -> Void
  ) {
    for other in passes where other !== pass { other.rewind() }
    pass.restart()
    switch request.operation {
    case .copyEach: gather()
    case .copy, .useKey, .evaluate:
      go(through: pass, demanding: demanding, then: body)
    case .add, .update, .delete, .generateKey:
      takingTurn { [self] in go(through: pass, then: body) }
    }
  }

  /// Goes on with more rows once the call has a place; nothing is held until then.
  private func goOn(
    _ pass: ItemPass,
    _ demanding: Demanding?,
    _ body: @escaping () throws(KeychainError) -> Void
  ) {
    guard !hasPlace else { return later(pass, demanding, body) }
    if !isPlaceFree { pass.rewind() }
    takingPlace { [self] in later(pass, demanding, body) }
  }

  /// Continues after other work on the loop has had its turn.
  private func later(
    _ pass: ItemPass,
    _ demanding: Demanding?,
    _ body: @escaping () throws(KeychainError) -> Void
  ) {
    _ = engine.clock.schedule(at: engine.clock.now().boot) { [weak self] in
      self?.go(through: pass, demanding: demanding, then: body)
    }
  }

  /// Handles one row; returns false when no more are wanted.
  private func visit(_ stored: borrowing StoredItem, _ pass: ItemPass) -> Bool {
    let now = now.boot
    guard let row = device.match(stored, pass.selection, pass.hashes, at: now) else { return true }
    let accessControl = row.accessControl
    let operation = pass.walk.operation(on: accessControl)
    let use = use(operation, of: row.header.identifier, accessControl)
    let rule = accessControl.rule(for: operation, at: generation)
    let action = pass.walk.visit(
      row.standing,
      use.item,
      row.name,
      accessControl,
      rule,
      isProven: device.authorizations.allows(use, at: now, generation: generation),
      asksNobody: rule.isMet(by: given)
    )
    switch action {
    case .take: take(stored, row, use, pass)
    case .takeWithoutData:
      guard let item = row.item else { break }
      pass.hold(item)
      pass.found.append(FoundItem(item: item))
    case .forget: forget(row, pass)
    case .skip, .postpone: break
    case .stop(let error): pass.failure = error
    }
    if isAnsweredInPieces(pass) {
      return pass.failure == nil && !pass.walk.isComplete
        && pass.byteCount < request.answerBytesMax
    }
    if pass.byteCount > request.heldBytesMax { pass.failure = .parameter(.tooMuchAtOnce) }
    pass.isLarge = !hasLargeTurn && isLarge(pass)
    return pass.failure == nil && !pass.isLarge && !pass.walk.isComplete
  }

  /// The most items that a call changes without the turn for large calls: some tens of milliseconds.
  private static let smallChange = 256

  /// Whether a pass that needs everything at once holds more than any other call, or changes many items.
  private func isLarge(_ pass: ItemPass) -> Bool {
    guard pass.byteCount <= AnswerSize.bytesMax else { return true }
    switch pass.walk.purpose {
    case .read, .use: return false
    case .update, .delete: return pass.count > Self.smallChange
    }
  }

  /// Whether a long list may be continued by another call; a change or a join needs every item at
  /// once.
  private func isAnsweredInPieces(_ pass: ItemPass) -> Bool {
    guard case .read = pass.walk.purpose else { return false }
    return pass.selection.itemClass != .identity
  }

  private func take(
    _ stored: borrowing StoredItem,
    _ row: MatchedRow,
    _ use: ItemUse,
    _ pass: ItemPass
  ) {
    guard let item = row.item else { return pass.unopened.append(row.header.identifier) }
    if case .delete = pass.walk.purpose, !pass.isNeededToDelete(item) {
      return pass.unopened.append(item.identifier)
    }
    guard pass.opensData(of: item) else {
      // Reading its attributes needs the same proof, which one use spends.
      if !item.accessControl.isTrivial { _ = proof(for: use) }
      pass.hold(item)
      return pass.found.append(FoundItem(item: item))
    }
    guard !lacksPasswordKey(item.accessControl, of: item.identifier) else {
      pass.hold(item)
      return pass.lacking.append(item)
    }
    if let keyUse = pass.use { return self.use(stored, item, use, for: keyUse, pass) }
    guard let data = open(stored, item, use) else { return notOpened(item, pass) }
    passwords.judged(item.identifier, opens: true)
    // Once no more are wanted, the size of the answer no longer matters.
    if !pass.walk.isComplete { pass.hold(item, dataCount: data.count) }
    pass.found.append(FoundItem(item: item, data: pass.taken(data, of: item)))
  }

  /// Handles data that did not open: a wrong application password looks the same as damage.
  private func notOpened(_ item: Item, _ pass: ItemPass) {
    guard item.accessControl.keyInputs.contains(.applicationPassword) else {
      return noteDamage(of: item.identifier)
    }
    passwords.judged(item.identifier, opens: false)
    pass.failure = .authentication(.authenticationFailed)
  }

  private func use(
    _ stored: borrowing StoredItem,
    _ item: Item,
    _ use: ItemUse,
    for keyUse: KeyUse,
    _ pass: ItemPass
  ) {
    do throws(KeychainError) {
      pass.keyUse = try self.use(stored, item, use, keyUse)
      if pass.keyUse == nil {
        notOpened(item, pass)
      } else {
        passwords.judged(item.identifier, opens: true)
      }
    } catch {
      pass.failure = error
    }
  }

  /// Uses a private key; one with access control spends a proof.
  private func use(
    _ stored: borrowing StoredItem,
    _ item: Item,
    _ use: ItemUse,
    _ keyUse: KeyUse
  ) throws(KeychainError) -> KeyUseResult? {
    if item.accessControl.isTrivial { return try device.vault.use(stored, for: keyUse) }
    guard let proof = proof(for: use) else { return nil }
    return try device.vault.use(
      stored,
      for: keyUse,
      proof,
      password: passwords.key(of: item.identifier)
    )
  }

  /// Opens the data of an item; one with access control spends a proof.
  private func open(
    _ stored: borrowing StoredItem,
    _ item: Item,
    _ use: ItemUse
  ) -> Secret? {
    if item.accessControl.isTrivial { return device.vault.data(of: stored) }
    guard let proof = proof(for: use) else { return nil }
    return device.vault.data(of: stored, proof, password: passwords.key(of: item.identifier))
  }

  private func proof(for use: ItemUse) -> Proof? {
    device.authorizations.proof(for: use, at: now.boot, generation: generation)
  }

  // MARK: What is gone

  private func forget(_ row: MatchedRow, _ pass: ItemPass) {
    if row.isGone {
      pass.remains.append(row.header.identifier)
    } else {
      // Do not remove what a repaired file could bring back.
      noteDamage(of: row.header.identifier)
    }
  }

  /// Removes items whose key is destroyed; nothing waits for it.
  private func forget(_ remains: [ItemIdentifier]) {
    guard !remains.isEmpty else { return }
    let changes = remains.map { ItemChange.remove(device.identity, $0) }
    engine.runner.store([], changes)
  }

  /// Records in the audit that an item is damaged, once per start; `nil` means a row that cannot be
  /// identified.
  private func noteDamage(of item: ItemIdentifier?) {
    let nameless = ItemIdentifier(high: 0, low: 0)
    guard device.damagedItems.insert(item ?? nameless).inserted else { return }
    var line = engine.act("keychain damage", on: device, caller: caller).audit
    line.detail = item.map { "item \($0.text) is damaged" } ?? "a row of an item is damaged"
    engine.close(&line, .internalError, on: device)
    engine.runner.store([line])
  }
}
