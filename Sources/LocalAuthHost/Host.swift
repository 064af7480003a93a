import Glibc
public import LocalAuthCore
import LocalAuthCrypto
import LocalAuthPolicies
import LocalAuthPolicyFiles
import LocalAuthSecret
import LocalAuthService
import LocalAuthStore
public import LocalAuthUnix
public import LocalAuthWire

/// Why a host could not be created.
public enum HostError: Error, CustomStringConvertible {
  case directory(StateDirectoryError)
  case key(String)
  case audit(String)
  case storage(StorageError, path: String)
  case system(SystemError)

  /// One line that says what to do.
  public var description: String {
    switch self {
    case .directory(let error): "\(error)"
    case .key(let message), .audit(let message): message
    case .storage(let error, let path):
      error.advice.contains(path) ? error.advice : "\(path): \(error.advice)"
    case .system(let error): "\(error)"
    }
  }
}

/// The options of a host.
public struct HostOptions: Sendable {
  /// The user whose devices the host keeps, unless it keeps those of all users.
  public var owner: UInt32
  /// Whether the host keeps the devices of all users, and serves them all.
  public var isForEverybody = false
  /// The file of administration rules, if all users are served; `nil` for the built-in rules.
  public var administration: String? = AdministrationSource.systemFile
  /// The socket of the journal, if all users are served.
  public var journal = Journal.standardPath
  /// The records of who sits at this machine, if all users are served.
  public var logins = LoginRecords()
  /// The socket that the process listens on, for `status`; nil if it listens on none.
  public var socket: String?
  /// Where PAM conversations run.
  public var pam: PAMSource = .none
  /// Where the program runs that is connected to hubs.
  public var hubs: HubSource = .none
  /// The maximum number of concurrent PAM conversations that one user or host asks for.
  public var conversationsPerAskerMax = 16
  /// The PAM service of the device that is the user's own machine.
  public var pamService = "localauth"
  /// The directory that describes that service, instead of the system's directories.
  public var pamDirectory: String?
  /// The time limit of a PAM conversation.
  public var conversationLimit = Duration.seconds(120)
  /// The directories of the manifests of authenticators that are programs of their own; none for a
  /// host in memory, whatever is here.
  public var authenticators: [String] = []
  /// The directory of the sockets behind which root starts those programs; nil if the host starts
  /// them itself.
  public var authenticatorSockets: String?
  /// The directory of the administrator's policies, or nil.
  public var systemPolicies: String? = PolicyFiles.systemDirectory
  /// The directory of the user's own policies, or nil.
  public var userPolicies: String?
  /// The file of the administrator's rules for access groups, or nil.
  public var systemEntitlements: String? = EntitlementsSource.systemFile
  /// The file of the user's own rules for access groups, or nil.
  public var userEntitlements: String?
  /// The limits on what peers may send.
  public var limits = WireLimits()
  /// The limits on what one user may store.
  public var quota = UserQuota()
  /// The maximum number of devices of one user; nil for the engine's default.
  public var devicesMax: Int?
  /// The version of LocalAuth.
  public static let version = ToolWords.version

  /// Creates the options of a host for `owner`.
  public init(owner: UInt32) { self.owner = owner }
}

/// A state directory with several holders, locked against other processes until the last one is
/// gone.
final class StateDirectoryHolder {
  let directory: StateDirectory
  init(_ directory: consuming StateDirectory) { self.directory = directory }
}

/// The service with its adapters and its connections, on one event loop.
///
/// It connects the engine's ports with their adapters. `localauthd` runs it in a process of its own
/// and `LocalAuthEmbedded` on a thread. Call everything on the loop's thread.
public final class Host {
  private let loop: EventLoop
  private let engine: Engine
  private let server: Server
  private let store: Store
  private let threads: WorkerPool
  private let backupThread: WorkerPool
  private let pam: PAMWorkers
  private let programs: AuthenticatorPrograms
  /// Why no program has an access group, in one line; nil if the rules are valid.
  public let entitlementsFailure: String?
  /// Problems with the state and the configuration, one line each, for the log.
  public let warnings: [String]
  /// Keeps other processes out of the state directory while the host lives; nil without a
  /// directory.
  private let directory: StateDirectoryHolder?

  /// Creates a host that keeps its state in the directory at `path`.
  public convenience init(
    directory path: String,
    on loop: EventLoop,
    options: HostOptions
  ) throws(HostError) {
    let holder = StateDirectoryHolder(try Self.open(path))
    let key = try Self.deviceKey(in: holder.directory.directory)
    let database = holder.directory.path(of: StateDirectory.databaseName)
    let tagger = KeyedRecordTagger(key)
    let store = try Self.opening(database) { () throws(StorageError) in
      try Store(
        path: database,
        tagger: tagger,
        mirror: try FileMirror(FileMirror.name, in: holder.directory.directory),
        copy: try FileMirror(FileMirror.copyName, in: holder.directory.directory),
        raising: try Self.raising(by: Self.catalog(of: options)),
        quota: options.quota
      )
    }
    try self.init(
      loop: loop,
      options: options,
      key: key,
      tagger: tagger,
      store: store,
      directory: holder,
      storage: holder.directory.path
    )
  }

  /// Creates a host that keeps its state in memory and loses it at its end; device clocks may stand
  /// still.
  ///
  /// Its only client is the process that hosts it, so the administrator's rules for access groups
  /// do not apply.
  public convenience init(
    ephemeralOn loop: EventLoop,
    options: HostOptions
  ) throws(HostError) {
    let key = DeviceKey.generate()
    let tagger = KeyedRecordTagger(key)
    let store = try Self.opening("memory") { () throws(StorageError) in
      try Store(inMemoryWith: tagger)
    }
    try self.init(
      loop: loop,
      options: options,
      key: key,
      tagger: tagger,
      store: store,
      directory: nil,
      storage: "memory"
    )
  }

  private init(
    loop: EventLoop,
    options: HostOptions,
    key: DeviceKey,
    tagger: KeyedRecordTagger,
    store: Store,
    directory: StateDirectoryHolder?,
    storage: String
  ) throws(HostError) {
    let isEphemeral = directory == nil
    let clock: SystemClock
    do throws(SystemError) {
      threads = try WorkerPool(name: "localauth-kdf", threads: 2, userLimit: 128)
      backupThread = try WorkerPool(name: "localauth-backup", threads: 1, queueLimit: 64)
      clock = try SystemClock()
    } catch {
      throw .system(error)
    }
    pam = PAMWorkers(
      loop: loop,
      source: options.pam,
      places: PAMPlaces(ofOne: options.conversationsPerAskerMax),
      home: directory
    )
    let configuration = HostConfiguration(options, isEphemeral: isEphemeral)
    entitlementsFailure = configuration.entitlements.failure
    let place = directory.map { home in
      options.authenticatorSockets.map { .sockets($0) } ?? ProgramPlace.children(of: home)
    }
    let programs = AuthenticatorPrograms(in: options.authenticators, at: place, on: loop)
    self.programs = programs
    var trail: AuditTrail?
    if let directory, options.isForEverybody {
      let journal = Journal(path: options.journal)
      trail = try AuditTrail(journal: journal, in: directory, tagger: tagger)
    }
    warnings =
      [store.state.warning, trail?.failure].compactMap(\.self) + configuration.problems
      + programs.problems
    let engineBox = EngineBox()
    let bound = LoopBound(engineBox, to: loop)
    let handle = loop.handle
    let scheduling = LoopScheduling(loop: loop, clock: clock)
    var ports = EnginePorts(
      store: store,
      vaults: KeyVaults(
        key,
        isEphemeral: isEphemeral,
        on: threads,
        backupsOn: backupThread,
        // The service for all users shares its memory among them.
        backupKibibytesMax: options.isForEverybody ? 1 << 20 : 4 << 20
      ),
      pam: pam,
      clock: scheduling,
      random: RandomPool(),
      digest: tagger,
      hash: MessageHash(),
      signatures: PeerSignatures(),
      wake: { handle.post { bound.value.engine?.completionsArrived() } }
    )
    ports.hubs = HubWorkers(loop: loop, clock: scheduling, source: options.hubs)
    ports.authenticators = { [weak programs] in programs?.authenticators(of: $0) ?? [] }
    var engineOptions = EngineOptions(owner: options.owner)
    engineOptions.isEphemeral = isEphemeral
    engineOptions.servesEverybody = options.isForEverybody
    engineOptions.devicesMax = options.devicesMax ?? engineOptions.devicesMax
    engineOptions.spooledBytesMax = options.quota.itemBytesMax.map { Int($0) }
    engineOptions.spooledItemsMax = options.quota.itemsMax.map { Int($0) }
    engineOptions.pamService = options.pamService
    engineOptions.pamDirectory = options.pamDirectory
    engineOptions.conversationLimit = options.conversationLimit
    engine = Engine(
      ports: ports,
      catalog: configuration.catalog,
      state: store.state,
      options: engineOptions
    )
    engineBox.engine = engine
    programs.onChange = { [weak engine] in engine?.plugAuthenticators() }
    server = Server(
      engine: engine,
      configuration: configuration,
      store: store,
      programs: programs,
      loop: loop,
      limits: options.limits,
      description: Server.Description(
        version: HostOptions.version,
        storage: storage,
        socket: options.socket,
        pid: getpid()
      ),
      logins: options.isForEverybody ? options.logins : nil,
      trail: trail
    )
    self.loop = loop
    self.store = store
    self.directory = directory
  }

  /// Lets the wake-up that the engine is created with reach the engine.
  private final class EngineBox {
    weak var engine: Engine?
  }

  /// Serves one connection.
  public func accept(_ socket: consuming FileDescriptor, _ peer: PeerIdentity) {
    server.accept(socket, peer)
  }

  /// Whether the service can end now and lose nothing that a restart does not bring back.
  public var isIdle: Bool { server.connectionCount == 0 && engine.isIdle }

  /// Sets `body` to be called whenever the last connection closes.
  public func whenIdle(_ body: @escaping () -> Void) { server.onIdle = body }

  /// Sets `body` to be called, in one line for the log, with each mistake in a policy that was read
  /// anew, and when the copy of the audit cannot be written and can again.
  public func whenWarned(_ body: @escaping (String) -> Void) { server.onWarning = body }

  /// Sets `body` to be called when a client that may ends the process; without it no client may.
  public func whenStopped(_ body: @escaping () -> Void) { server.onStop = body }

  /// Reads policies, entitlements and the rules of administration anew.
  ///
  /// Locks, keys and evaluations in progress stay as they are.
  public func reload() { _ = server.reload() }

  /// Takes no more calls and ends all evaluations; the loop has to run for them to be answered, see
  /// ``isAtRest``.
  public func beginShutDown() {
    server.isEnding = true
    engine.shutDown()
  }

  /// Whether nothing is in progress, and everything is durable and answered.
  public var isAtRest: Bool { engine.isAtRest }

  /// Ends all evaluations, makes everything durable and stops all threads and workers.
  public func shutDown() {
    engine.shutDown()
    pam.shutDown()
    programs.shutDown()
    store.close()
    engine.storeClosed()
    server.trail?.tellLost()
    threads.shutdown()
    backupThread.shutdown()
  }

  // MARK: Parts

  private static func open(_ path: String) throws(HostError) -> StateDirectory {
    do throws(StateDirectoryError) {
      return try StateDirectory(opening: path)
    } catch {
      throw .directory(error)
    }
  }

  private static func opening(
    _ path: String,
    _ body: () throws(StorageError) -> Store
  ) throws(HostError) -> Store {
    do throws(StorageError) {
      return try body()
    } catch {
      throw .storage(error, path: path)
    }
  }

  /// Reads the device key, or creates one if the directory has neither a key nor a database.
  ///
  /// The key is durable before the database exists. A database without its key is refused: under a
  /// new key the right passcode would be judged wrong, and if the old key were put back, no record
  /// would verify.
  private static func deviceKey(
    in directory: borrowing PrivateDirectory
  ) throws(HostError) -> DeviceKey {
    let (name, database) = (StateDirectory.keyName, StateDirectory.databaseName)
    do throws(DurableFileError) {
      if let key = try DeviceKeyFile.read(name, in: directory) { return key }
      if !directory.holds(database) {
        return try DeviceKeyFile.create(name, in: directory)
      }
    } catch {
      throw .key("\(error)")
    }
    throw .key(
      "\(directory.path(of: name)) is missing, which \(database) beside it needs; nothing was "
        + "changed: put back a copy of the key, or move the database away"
    )
  }
}
