import LocalAuthCore
import LocalAuthKeychain
import LocalAuthSecret
import LocalAuthSync

/// The synchronization of one device: what it is in its circle, and what it knows of the circle's zones.
///
/// Everything that changes is durable before it counts: ``commit(_:then:)`` writes rows, watermarks and items at once.
/// Changes take the device's turn, as those of keychain calls do. It belongs to the engine's thread.
final class Synchronizer {
  /// What may stop it, until a person acts or the hub shows again what was verified.
  enum Trouble: Hashable {
    /// What the device kept was changed, or an older state was put back: its counters cannot be trusted.
    case stateWasChanged
    /// The hub's log of the circle is not the one that was verified.
    case circle(HubAlarm)
    /// This device was removed from its circle.
    case removed
    /// Another device was let in by the code that this one joins with: by the circle's log, whatever the hub says.
    case codeWasUsed
  }

  /// What it knows and keeps; a change begins with a copy.
  struct State {
    var membership: SyncMembership
    var circle = CircleLog()
    var zones = SyncedZones()
    var book = HeartbeatBook()
    /// The item of each record, and what the record says beyond it.
    var items = Journaled<RecordName, SyncedItem>()
    /// The record of each item.
    var names = BucketedTable<ItemIdentifier, RecordName>()
    /// The sealed bodies that are kept: of records that wait, of the batch that is under way, and of what lost.
    var bodies = KeptBodies()
    /// The value of each record of the key-value stores.
    var values = Journaled<RecordName, ValueRecord>()
    /// The document or chunk of each record of documents.
    var documents = Journaled<RecordName, DocumentKey>()
    /// The row of each record of tables.
    var rows = Journaled<RecordName, TableKey>()
    /// Which chunks of documents are left over.
    var sweep = ChunkSweep()
    /// Whether programs have the values of the first download, and what they write is sent.
    var hasValues = false
    /// Whether the rows of the first download are here, and what programs write is sent with it.
    var hasTables = false
    /// The keys of epochs that it wants to begin.
    var plannedKeys: [ZoneName: PlannedEpoch] = [:]
    /// What each removed device had read, and still knows.
    var seen = Journaled<PeerIdentifier, SeenSecrets>()

    /// Notes which item a record is; nil for none.
    mutating func put(_ item: SyncedItem?, as name: RecordName) {
      if let old = items[name], names[old.identifier] == name { names[old.identifier] = nil }
      items[name] = item
      if let item { names[item.identifier] = name }
    }

    /// Takes notice of a time.
    mutating func hear(_ time: WallInstant, from source: TimeHorizon.Source) {
      for zone in zones.replicas.keys { zones[zone]?.horizon.hear(time, from: source) }
    }

    /// Listens no more to the clock of a device that was removed.
    mutating func forget(_ peer: PeerIdentifier) {
      for zone in zones.replicas.keys { zones[zone]?.horizon.forget(.peer(peer)) }
    }

    /// Forgets what was changed, because it is written.
    mutating func settle() {
      items.settle()
      bodies.settle()
      values.settle()
      documents.settle()
      rows.settle()
      seen.settle()
    }
  }

  /// Unowned because the engine owns all devices.
  unowned let engine: Engine
  private let clock: any Scheduling
  /// The device, which owns this until ``end()``.
  let device: LiveDevice
  let secrets: any PeerSecrets
  let me: PeerIdentifier
  let ports: SyncPorts
  var state: State
  var keys = ZoneKeyring()
  var trouble: Trouble?
  var link: (any HubLink)?
  var round: SyncRound?
  /// Whether another round has to follow the one that runs.
  var isRoundDue = false
  /// Whether something may have been sent that the other devices were not told of: also before a start.
  var owesNews = true
  /// Who waits for the end of the round that runs, and of the next one.
  private var waiting: (now: [() -> Void], next: [() -> Void]) = ([], [])
  /// What people asked for, to be done in the next round.
  var errands: [SyncErrand] = []
  /// Whom the hub may still have to let in who is in the circle's log.
  var admissions = SyncAdmissions()
  /// Whether the hub may have the entry that founds the circle: also before a start.
  var mayBeFounded = true
  /// The open invitation, which ends with the process.
  var sponsoring: Sponsoring?
  /// Invitations whose roles the hub is to end; it does so itself ten minutes after it made them.
  var endedInvitations: [EndedInvitation] = []
  /// Whether the hub is looked at where it is to be from now on, and not asked for anything meanwhile.
  var isMoving = false
  /// Whether the hub is tried with the password that it may know by now.
  var usesNextPassword = false
  /// When each device wrote last what came since the start: another one may have written over it.
  var lastWritten: [PeerIdentifier: WallInstant] = [:]
  /// When the hub was last heard, and why not since.
  var lastHeard: WallInstant?
  var failure: HubError?
  /// What the log says already of what keeps it from being synchronized.
  var toldDoubts: [SyncDoubt.Subject: BootInstant] = [:]
  /// How often rounds failed since one succeeded.
  var failures = 0
  /// Why what came or is to be sent could not be kept, since a round kept everything.
  private(set) var unkept: StorageError?
  /// Whether the round that runs could not keep something.
  private(set) var isUnkept = false
  /// Where the hub says that each zone ends, since it was asked last.
  var ends: [ZoneName: OfferedEnd] = [:]
  /// What of documents came since nothing was on its way last.
  var arrival = DocumentArrival()
  /// What time the hub said last.
  var hubTime: WallInstant?
  /// When the others' heartbeats were asked for last, and when this device sent its own.
  var lastBeats: (asked: BootInstant?, sent: BootInstant?) = (nil, nil)
  /// When each zone's tombstones that may go were looked for last.
  var lastPurges: [ZoneName: BootInstant] = [:]
  /// The place of each zone's last checkpoint that was at the hub; 0 for none, and nil before it was asked.
  var checkpoints: [ZoneName: UInt64] = [:]
  /// The role that brought each peer's last heartbeat, for one of which the hub knows no entry.
  var roles: [PeerIdentifier: HubRole] = [:]
  private(set) var hasEnded = false
  /// Whether programs here have key-value stores, so that a zone is begun for them.
  var usesValues = false
  /// Whether values cannot be taken because a store here cannot be read, until one is changed.
  var hasDamagedStore = false
  /// Whether programs may have written to a store while there were no keys to send it with: also before a start.
  var owesValues = true
  /// Whether there are documents here, so that a zone is begun for them.
  var usesDocuments = false
  /// Documents that are not as the circle's devices agreed; nil before all were looked at, as after a start.
  var unsentDocuments: Set<DocumentKey>?
  /// Documents whose versions are in conflict, among those that were looked at since the start.
  var contestedDocuments: Set<DocumentKey> = []
  /// Whether the hub took what documents wait for, so that another round can go on with them.
  var hasMoreDocuments = false
  /// Whether there are rows of tables here, so that a zone is begun for them.
  var usesTables = false
  /// Whether programs may have written rows that the zone does not know: also before a start.
  var owesTables = true
  /// When left-over chunks were looked for last.
  var lastSweep: BootInstant?
  /// Whether the items were compared with their records since the start.
  private var hasReconciled = false
  private var watch: LockWatch?
  private var retry: ScheduleToken?
  /// When changes made here last began a round, and what begins the next one.
  private var lastChanges: BootInstant?
  private var changesTimer: ScheduleToken?

  var vault: any SyncVault { device.vault.sync }
  var now: Moment { device.now(clock.now()) }

  init(
    _ engine: Engine,
    _ device: LiveDevice,
    _ secrets: any PeerSecrets,
    _ state: State
  ) {
    self.engine = engine
    clock = engine.clock
    self.device = device
    self.secrets = secrets
    self.state = state
    ports = SyncPorts(hash: engine.hash, signatures: engine.signatures)
    me = secrets.keys.identifier(engine.hash)
  }

  /// Begins to follow the lock of its device, and the hub.
  func begin() {
    guard !hasEnded else { return }
    let watch = LockWatch(device, clock: clock) { [weak self] _ in self?.lockChanged() }
    self.watch = watch
    device.lockWatches.add(watch)
    lockChanged()
    tellDoubts()
  }

  /// Ends it, with nothing left that could call back.
  func end() {
    hasEnded = true
    failErrands(nil)
    let told = waiting.now + waiting.next
    waiting = ([], [])
    for body in told { body() }
    watch?.end()
    link?.close()
    link = nil
    round?.cancel()
    round = nil
    for timer in [retry, changesTimer] { if let timer { clock.cancel(timer) } }
  }

  private func lockChanged() {
    guard vault.isOpen else { return keys.close() }
    guard keys.reopen(vault) else {
      trouble = .stateWasChanged
      return
    }
    // A lock only takes keys away.
    guard !hasStopped, vault.isUnlocked || !hasReconciled else { return }
    hasReconciled = true
    usesValues = stores?.isEmpty == false
    usesDocuments = documentKeys?.isEmpty == false
    usesTables = (try? engine.tableRevisions(of: device)).map { $0.last > 0 } ?? false
    reconcile { [weak self] in
      self?.openWaiting { self?.wake() }
    }
  }

  // MARK: What is durable

  /// Rows and items that are written in one commit, and what holds in memory afterwards.
  struct Change {
    var state: State
    var items: [ItemChange] = []
    var keys: [(zone: ZoneName, keys: any ZoneKeys, sealed: SealedZoneKeys)] = []
    /// What the circle's log grew by.
    var entries: [CircleEntry] = []
    var lines: [AuditRecord] = []
    /// What programs are told of key-value stores once it is durable.
    var told: [(store: String, report: KeyValueReport)] = []
    /// The documents that programs see another way once it is durable.
    var toldDocuments: [DocumentKey] = []
    /// The documents that are written, and whether versions of them are in conflict then.
    var contested: [DocumentKey: Bool] = [:]
    /// How many bytes of documents came, and how many are missing of those that were looked at.
    var arrived: (bytes: UInt64, missing: [DocumentKey: UInt64]) = (0, [:])
    /// The groups whose tables programs see another way once it is durable.
    var toldTables: Set<ExactText> = []
  }

  /// Makes a change durable, and only then true; whoever calls it has the device's turn.
  func commit(
    _ change: Change,
    then body: @escaping (Result<Void, StorageError>) -> Void
  ) {
    guard !hasEnded, let written = written(change) else {
      return body(.failure(.failed("the device has no keys for what it would keep")))
    }
    engine.runner.store(written.changes, change.items, written.kind) { [weak self] result in
      switch result {
      case .success: self?.adopt(change)
      case .failure(let error):
        self?.unkept = error
        self?.isUnkept = true
      }
      body(result)
    }
  }

  /// Holds in memory what is durable now.
  func adopt(_ change: Change) {
    state = change.state
    state.settle()
    isStored = true
    for (zone, keys, sealed) in change.keys { self.keys.put(keys, sealed, of: zone) }
    for (store, report) in change.told {
      let watches = device.keyValueWatches.of(store, except: nil)
      for watch in watches { watch.tell(report) }
    }
    for key in change.toldDocuments { engine.tell(of: DocumentPlace(key, on: device), except: nil) }
    for (key, isContested) in change.contested { note(key, isContested: isContested) }
    arrival.hear(change.arrived.bytes, missing: change.arrived.missing)
    device.tableRevisions?.commit()
    for store in change.toldTables { engine.tellTables(store, on: device, except: nil) }
  }

  /// Whether anything of it was stored before.
  var isStored = false

  // MARK: Rounds

  /// Begins a round with the hub, or another behind the one that runs.
  func wake() {
    guard !hasEnded, !hasStopped, !isMoving, vault.isOpen else { return }
    guard round == nil else {
      isRoundDue = true
      return
    }
    isRoundDue = false
    isUnkept = false
    hasMoreDocuments = false
    waiting = (waiting.now + waiting.next, [])
    let round = SyncRound(self)
    self.round = round
    round.begin()
  }

  /// The least time between two rounds that changes begin, as others are told no more often.
  private static let changesInterval = Duration.seconds(1)

  /// Something was changed here that is to be sent: at once, or with all else that is changed within a second of the last
  /// time.
  func changed() {
    guard changesTimer == nil else { return }
    let now = now.boot
    let due = lastChanges.map { max(now, $0 + Self.changesInterval) } ?? now
    changesTimer = clock.schedule(at: due) { [weak self] in
      self?.changesTimer = nil
      self?.lastChanges = due
      self?.wake()
    }
  }

  /// Begins a round, behind the one that runs if there is one, and calls `body` when it has ended.
  func synchronize(then body: @escaping () -> Void) {
    waiting.next.append(body)
    wakeForWaiting()
  }

  /// Begins a round; where none can begin, nobody waits for one.
  func wakeForWaiting() {
    wake()
    guard round == nil else { return }
    failErrands(failure)
    let told = waiting.next
    waiting.next = []
    for body in told { body() }
  }

  /// A round has done everything.
  ///
  /// What a person asked for behind its place in the round is done in another one. A long document takes many, so that
  /// items need not wait for it; who asked for all of it does.
  ///
  /// - Parameter full: That the hub has no room for the rest, which is tried again later.
  func roundFinished(without full: HubError? = nil) {
    round = nil
    failure = full
    unkept = nil
    failures = full == nil ? 0 : failures + 1
    tellDoubts()
    if hasMoreDocuments, full == nil {
      waiting = ([], waiting.now + waiting.next)
      return wakeForWaiting()
    }
    let told = waiting.now
    waiting.now = []
    for body in told { body() }
    guard round == nil else { return }
    if isRoundDue || !errands.isEmpty || !waiting.next.isEmpty { return wakeForWaiting() }
    schedule(after: full == nil ? .milliseconds(Heartbeat.interval) : retryDelay)
  }

  /// A round has ended before it did everything.
  ///
  /// The next one has to wait, and nobody who asked for it does.
  func roundEnded(_ failure: HubError?) {
    round = nil
    self.failure = failure
    tellDoubts()
    // It may be that the hub knows the new password, and that nobody heard so.
    if failure != nil, state.membership.nextPassword != nil {
      usesNextPassword.toggle()
      unlink()
      if usesNextPassword {
        waiting = ([], waiting.now + waiting.next)
        return wakeForWaiting()
      }
    }
    failures += 1
    schedule(after: failure?.isTemporary ?? true ? retryDelay : .milliseconds(Heartbeat.interval))
    failErrands(failure)
    // Last, because whoever is told may begin another round.
    let told = waiting.now + waiting.next
    waiting = ([], [])
    for body in told { body() }
  }

  private var retryDelay: Duration { .seconds(min(60, 1 << min(failures, 6))) }

  /// Begins a round later, unless something begins one before.
  func schedule(after delay: Duration) {
    if let retry { clock.cancel(retry) }
    retry = clock.schedule(at: clock.now().boot + delay) { [weak self] in
      self?.retry = nil
      self?.wake()
    }
  }
}
