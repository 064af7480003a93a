import LocalAuthCore
import LocalAuthKeychain
import LocalAuthSecret

/// One pass over the rows that a call is about, and what it took.
final class ItemPass {
  let selection: ItemSelection
  let returns: ReturnSet
  private let wantsOne: Bool
  private let start: KeychainCursor?
  /// Whether an earlier call answered the beginning.
  var isContinued: Bool { start != nil }
  var walk: ItemWalk
  var search: ItemSearch
  var found: [FoundItem] = []
  /// Rows that are to be deleted, and of which nothing more is needed.
  var unopened: [ItemIdentifier] = []
  /// Whether a deletion needs the item itself: a million of them would not fit.
  var isNeededToDelete: (Item) -> Bool = { _ in true }
  /// Rows whose key is gone for good.
  var remains: [ItemIdentifier] = []
  /// Items for which the key of the application password must be made first.
  var lacking: [ItemIdentifier] = []
  var failure: KeychainError?
  /// What the key that is found is used for.
  var use: KeyUse?
  var keyUse: KeyUseResult?
  /// Bytes of what was taken.
  var byteCount = 0

  init(
    _ selection: ItemSelection,
    _ walk: ItemWalk,
    on device: Device,
    returns: ReturnSet,
    wantsOne: Bool = false,
    from start: KeychainCursor? = nil
  ) {
    self.selection = selection
    self.walk = walk
    self.returns = returns
    self.wantsOne = wantsOne
    self.start = start
    search = ItemSearch(selection, on: device, wantsOne: wantsOne, from: start)
  }

  /// Whether the data of `item` must be opened: what must not leave the keychain may be sealed anew.
  ///
  /// Only opening it tells whether the application's password is the right one, so that an item with
  /// one is opened whatever is asked for.
  func opensData(of item: Item) -> Bool {
    let needsPassword = item.accessControl.keyInputs.contains(.applicationPassword)
    guard item.hasData, returns.contains(.data) || needsPassword else { return false }
    switch walk.purpose {
    case .read: return item.isExtractable
    case .update, .use: return true
    case .delete: return false
    }
  }

  /// The identities among what was found.
  var identities: [Identity] {
    let items = found.map(\.item)
    return Identity.join(
      certificates: items.filter { $0.itemClass == .certificate },
      keys: items.filter { $0.itemClass == .key }
    )
  }

  /// Begins anew, with what was proven meanwhile.
  func restart(on device: Device) {
    walk.restart()
    search = ItemSearch(selection, on: device, wantsOne: wantsOne, from: start)
    found = []
    unopened = []
    remains = []
    lacking = []
    failure = nil
    byteCount = 0
  }
}

extension KeychainRun {
  /// Goes through the rows, has proven what they ask for, and again; `body` runs when all that it needs
  /// was taken.
  func go(through pass: ItemPass, then body: @escaping () throws(KeychainError) -> Void) {
    guard !isFinished else { return }
    let damaged = pass.search.damaged
    let remainder: ItemSearch.Remainder
    do throws(StorageError) {
      remainder = try pass.search.next(of: pass.selection, in: engine.items) { visit($0, pass) }
    } catch {
      // Damage to one item is no reason to give up on others, but a lookup of one ends here.
      noteDamage(of: nil)
      if case .corrupt = error { return fail(.itemNotFound) }
      return fail(.storage(error))
    }
    if pass.search.damaged > damaged { noteDamage(of: nil) }
    if let failure = pass.failure {
      guard failure == .authentication(.authenticationFailed), retriesPassword() else {
        return fail(failure)
      }
      leaveTurn()
      return again(pass, body)
    }
    guard remainder == .nothing || pass.walk.isComplete else { return later(pass, body) }
    // A deletion removes them itself, and says so.
    if pass.walk.purpose != .delete { forget(pass.remains) }
    guard pass.lacking.isEmpty else {
      leaveTurn()
      return stretchPassword(
        for: pass.lacking[...],
        isNew: false,
        interface: pass.walk.interface
      ) { [self] in again(pass, body) }
    }
    switch pass.walk.finish() {
    // The end of a list that goes on is no failure, whatever it has.
    case .fail(.itemNotFound) where pass.isContinued || pass.walk.purpose == .delete:
      attempting(body)
    case .fail(let error): fail(error)
    case .done: attempting(body)
    case .prove(let demands):
      leaveTurn()
      prove(demands[...]) { [self] in again(pass, body) }
    }
  }

  private func again(_ pass: ItemPass, _ body: @escaping () throws(KeychainError) -> Void) {
    pass.restart(on: device)
    switch request.operation {
    case .copy, .useKey, .evaluate: go(through: pass, then: body)
    case .add, .update, .delete, .generateKey:
      takingTurn { [self] in go(through: pass, then: body) }
    }
  }

  /// Lets others have their turn of the loop first.
  private func later(_ pass: ItemPass, _ body: @escaping () throws(KeychainError) -> Void) {
    _ = engine.clock.schedule(at: engine.clock.now().boot) { [weak self] in
      self?.go(through: pass, then: body)
    }
  }

  /// Looks at one row; false when no more are wanted.
  private func visit(_ stored: borrowing StoredItem, _ pass: ItemPass) -> Bool {
    let now = now.boot
    guard let row = device.match(stored, pass.selection, at: now) else { return true }
    let accessControl = row.accessControl
    let scope = scope(accessControl, pass.walk.operation)
    let rule = accessControl.rule(for: pass.walk.operation, at: generation)
    let action = pass.walk.visit(
      row.standing,
      accessControl,
      rule,
      isProven: device.authorizations.allows(scope, at: now, generation: generation),
      asksNobody: rule.isMet(by: given)
    )
    switch action {
    case .take: take(stored, row, scope, pass)
    case .takeWithoutData:
      if let item = row.item { pass.found.append(FoundItem(item: item)) }
    case .forget: forget(row, pass)
    case .skip, .postpone: break
    case .stop(let error): pass.failure = error
    }
    if !isAnsweredInPieces(pass), pass.byteCount > request.heldBytesMax {
      pass.failure = .parameter(.tooMuchAtOnce)
    }
    return pass.failure == nil && !pass.walk.isComplete
      && !(isAnsweredInPieces(pass) && pass.byteCount >= request.answerBytesMax)
  }

  /// Whether a long list goes on with another call; a change and a join are about every item at once.
  private func isAnsweredInPieces(_ pass: ItemPass) -> Bool {
    guard case .read = pass.walk.purpose else { return false }
    return pass.selection.itemClass != .identity
  }

  private func take(
    _ stored: borrowing StoredItem,
    _ row: MatchedRow,
    _ scope: AuthorizationScope,
    _ pass: ItemPass
  ) {
    guard let item = row.item else { return pass.unopened.append(row.header.identifier) }
    if case .delete = pass.walk.purpose, !pass.isNeededToDelete(item) {
      return pass.unopened.append(item.identifier)
    }
    guard pass.opensData(of: item) else {
      pass.byteCount += AnswerSize.bytes(of: item, dataCount: 0)
      return pass.found.append(FoundItem(item: item))
    }
    guard !lacksPasswordKey(item.accessControl, of: item.identifier) else {
      return pass.lacking.append(item.identifier)
    }
    if let use = pass.use { return self.use(stored, item, scope, for: use, pass) }
    guard let data = open(stored, item, scope) else { return notOpened(item, pass) }
    // Where no more are wanted nobody asks any more how long the answer is.
    if !pass.walk.isComplete {
      pass.byteCount += AnswerSize.bytes(of: item, dataCount: data.count)
    }
    pass.found.append(
      FoundItem(item: item, data: pass.returns.contains(.data) ? SecretBox(data) : nil)
    )
  }

  /// The key of an item did not open: another application password looks like damage.
  private func notOpened(_ item: Item, _ pass: ItemPass) {
    guard item.accessControl.keyInputs.contains(.applicationPassword) else {
      return noteDamage(of: item.identifier)
    }
    pass.failure = .authentication(.authenticationFailed)
  }

  private func use(
    _ stored: borrowing StoredItem,
    _ item: Item,
    _ scope: AuthorizationScope,
    for use: KeyUse,
    _ pass: ItemPass
  ) {
    do throws(KeychainError) {
      pass.keyUse = try self.use(stored, item, scope, use)
      if pass.keyUse == nil { notOpened(item, pass) }
    } catch {
      pass.failure = error
    }
  }

  /// What a use of a private key gives; one with access control spends a proof.
  private func use(
    _ stored: borrowing StoredItem,
    _ item: Item,
    _ scope: AuthorizationScope,
    _ use: KeyUse
  ) throws(KeychainError) -> KeyUseResult? {
    if item.accessControl.isTrivial { return try device.vault.use(stored, for: use) }
    guard let proof = proof(for: scope, of: item) else { return nil }
    return try device.vault.use(
      stored,
      for: use,
      proof,
      password: passwordKey(of: item.identifier)
    )
  }

  /// The data of an item; one with access control spends a proof.
  private func open(
    _ stored: borrowing StoredItem,
    _ item: Item,
    _ scope: AuthorizationScope
  ) -> Secret? {
    if item.accessControl.isTrivial { return device.vault.data(of: stored) }
    guard let proof = proof(for: scope, of: item) else { return nil }
    return device.vault.data(of: stored, proof, password: passwordKey(of: item.identifier))
  }

  private func proof(for scope: AuthorizationScope, of item: Item) -> Proof? {
    device.authorizations.proof(
      for: scope,
      of: item.identifier,
      at: now.boot,
      generation: generation
    )
  }

  // MARK: What is gone

  private func forget(_ row: MatchedRow, _ pass: ItemPass) {
    if row.isGone {
      pass.remains.append(row.header.identifier)
    } else {
      // Nothing is removed that a repaired file could bring back.
      noteDamage(of: row.header.identifier)
    }
  }

  /// Removes items whose key is gone for good; nobody waits for it.
  private func forget(_ remains: [ItemIdentifier]) {
    guard !remains.isEmpty else { return }
    let changes = remains.map { ItemChange.remove(device.identity, $0) }
    engine.interpreter.commit([], items: changes, .ordinary) { _ in }
  }

  /// Writes to the audit that an item is damaged, once since the start; nil is one without a name.
  private func noteDamage(of item: ItemIdentifier?) {
    let nameless = ItemIdentifier(high: 0, low: 0)
    guard device.damagedItems.insert(item ?? nameless).inserted else { return }
    var line = engine.act("keychain damage", on: device, caller: caller).audit
    line.detail = item.map { "item \($0.text) is damaged" } ?? "a row of an item is damaged"
    engine.close(&line, .internalError, on: device)
    engine.interpreter.commit([.audit(line)], .ordinary) { _ in }
  }
}
