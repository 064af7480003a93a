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

/// Why a host could not be put together.
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

/// What a host is made for.
public struct HostOptions: Sendable {
  /// The user whose devices it keeps, unless it keeps everybody's.
  public var owner: UInt32
  /// Whether it keeps the devices of every user, and serves them all.
  public var isForEverybody = false
  /// Who may administer devices where everybody is served; `nil` for the built-in rules.
  public var administration: String? = AdministrationSource.systemFile
  /// Where the journal listens, where everybody is served.
  public var journal = Journal.standardPath
  /// Who sits at this machine, where everybody is served.
  public var logins = LoginRecords()
  /// Where PAM is.
  public var pam: PAMSource = .none
  /// The most PAM conversations at a time about one user.
  public var conversationsPerUserMax = PAMWorkers.conversationsMax
  /// The PAM service of the user's own machine.
  public var pamService = "localauth"
  /// Where that service is described, instead of the system's directories.
  public var pamDirectory: String?
  /// The longest a PAM conversation may take.
  public var conversationLimit = Duration.seconds(120)
  /// The administrator's policies, or nil.
  public var systemPolicies: String? = PolicyFiles.systemDirectory
  /// The user's own policies, or nil.
  public var userPolicies: String?
  /// The administrator's rules for access groups, or nil.
  public var systemEntitlements: String? = EntitlementsSource.systemFile
  /// The user's own rules for access groups, or nil.
  public var userEntitlements: String?
  /// What peers may send.
  public var limits = WireLimits()
  /// What one user may have on the disk.
  public var quota = UserQuota()
  /// The most devices of one user; nil for the engine's default.
  public var devicesMax: Int?
  /// The version of LocalAuth.
  public static let version = "0.1.0"

  /// Options of a host for `owner`.
  public init(owner: UInt32) { self.owner = owner }
}

/// A state directory that several hold, and nobody else for as long as one of them does.
final class StateDirectoryHolder {
  let directory: StateDirectory
  init(_ directory: consuming StateDirectory) { self.directory = directory }
}

/// The service with its adapters and its connections, on one event loop.
///
/// This is where ports and adapters meet; `localauthd` runs it in a process of its own and
/// `LocalAuthEmbedded` on a thread. Everything is called on the loop's thread.
public final class Host {
  private let loop: EventLoop
  private let engine: Engine
  private let server: Server
  private let store: Store
  private let threads: WorkerPool
  private let pam: PAMWorkers
  /// Why no program has an access group, in one line; nil where the rules hold.
  public let entitlementsFailure: String?
  /// What is wrong with the configuration, a line each, for the log.
  public let warnings: [String]
  /// Keeps others out of the state directory for as long as the host lives.
  private let directory: StateDirectoryHolder?

  /// A host whose state lives in the directory at `path`.
  public convenience init(
    directory path: String,
    on loop: EventLoop,
    options: HostOptions
  ) throws(HostError) {
    let holder = StateDirectoryHolder(try Self.open(path))
    let key = try Self.deviceKey(in: holder.directory.directory)
    let database = holder.directory.path(of: Self.databaseName)
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

  /// A host whose state lives in memory and ends with it; device clocks may stand still.
  ///
  /// Every program is the one that it lives in, so the administrator's rules for access groups are not
  /// asked.
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
      threads = try WorkerPool(name: "localauth-kdf", threads: 2)
      clock = try SystemClock()
    } catch {
      throw .system(error)
    }
    pam = PAMWorkers(
      loop: loop,
      source: options.pam,
      perUserMax: options.conversationsPerUserMax
    )
    let catalog = Self.catalog(of: options)
    let entitlements = EntitlementsSource(
      systemFile: isEphemeral ? nil : options.systemEntitlements,
      userFile: options.isForEverybody ? nil : options.userEntitlements,
      isForEverybody: options.isForEverybody
    )
    let audience: Server.Audience
    if options.isForEverybody {
      audience = .everybody(AdministrationSource(file: options.administration))
    } else {
      audience = isEphemeral ? .ownProcess : .user(options.owner)
    }
    entitlementsFailure = entitlements.failure
    var trail: AuditTrail?
    if let directory, options.isForEverybody {
      let journal = Journal(path: options.journal)
      trail = try AuditTrail(journal: journal, in: directory, tagger: tagger)
    }
    warnings =
      [store.state.warning, entitlements.failure, audience.failure, trail?.failure]
      .compactMap(\.self)
      + entitlements.warnings + catalog.problems.map(\.description)
    let engineBox = EngineBox()
    let bound = LoopBound(engineBox, to: loop)
    let handle = loop.handle
    let ports = EnginePorts(
      store: store,
      vaults: KeyVaults(key, isEphemeral: isEphemeral, on: threads),
      pam: pam,
      clock: LoopScheduling(loop: loop, clock: clock),
      random: RandomPool(),
      digest: tagger,
      hash: MessageHash(),
      wake: { handle.post { bound.value.engine?.completionsArrived() } }
    )
    var engineOptions = EngineOptions(owner: options.owner)
    engineOptions.isEphemeral = isEphemeral
    engineOptions.servesEverybody = options.isForEverybody
    engineOptions.devicesMax = options.devicesMax ?? engineOptions.devicesMax
    engineOptions.pamService = options.pamService
    engineOptions.pamDirectory = options.pamDirectory
    engineOptions.conversationLimit = options.conversationLimit
    engine = Engine(ports: ports, catalog: catalog, state: store.state, options: engineOptions)
    engineBox.engine = engine
    if let trail { engine.onAuditLine = { trail.add($0) } }
    server = Server(
      engine: engine,
      catalog: catalog,
      store: store,
      loop: loop,
      limits: options.limits,
      description: Server.Description(
        version: HostOptions.version,
        storage: storage,
        pid: getpid(),
        isMemoryLocked: Secret.isLocked
      ),
      audience: audience,
      entitlements: entitlements,
      logins: options.isForEverybody ? options.logins : nil,
      trail: trail
    )
    self.loop = loop
    self.store = store
    self.directory = directory
  }

  /// Lets the engine be reached from the wake-up that it is made with.
  private final class EngineBox {
    weak var engine: Engine?
  }

  /// Serves one connection.
  public func accept(_ socket: consuming FileDescriptor, _ peer: PeerIdentity) {
    server.accept(socket, peer)
  }

  /// Connections that are open.
  public var connectionCount: Int { server.connectionCount }

  /// Whether ending now would cost nobody more than a restart.
  public var isIdle: Bool { server.connectionCount == 0 && engine.isIdle }

  /// Calls `body` whenever the last connection closes.
  public func whenIdle(_ body: @escaping () -> Void) { server.onIdle = body }

  /// Ends every evaluation, makes everything durable and ends all threads and workers.
  public func shutDown() {
    engine.shutDown()
    pam.shutDown()
    store.close()
    threads.shutdown()
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

  private static let databaseName = "state.sqlite"

  /// Reads the device key, or makes one for a directory that has neither key nor database.
  ///
  /// The key is durable before there is a database. One without it is refused: under a new key the
  /// right passcode would be judged wrong, and the old key put back would find nothing genuine.
  private static func deviceKey(
    in directory: borrowing PrivateDirectory
  ) throws(HostError) -> DeviceKey {
    let name = "device.key"
    do throws(DurableFileError) {
      if let key = try DeviceKeyFile.read(name, in: directory) { return key }
      if !directory.holds(databaseName) {
        return try DeviceKeyFile.create(name, in: directory)
      }
    } catch {
      throw .key("\(error)")
    }
    throw .key(
      "\(directory.path(of: name)) is missing, which \(databaseName) beside it needs; nothing was "
        + "changed: put back a copy of the key, or move the database away"
    )
  }
}
