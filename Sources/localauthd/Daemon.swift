import Glibc
import LocalAuthCore
import LocalAuthHost
import LocalAuthUnix

/// The daemon process: its loop, listening socket, signals and end.
final class Daemon {
  private let configuration: Configuration
  private let loop: EventLoop
  private let host: Host
  private let listener: Listener
  private let notifier: ServiceNotifier?
  private let signals: SignalSource
  private var idleTimer: TimerToken?

  init(_ configuration: Configuration) throws {
    self.configuration = configuration
    var activation = try SocketActivation()
    try ProcessHardening.apply()
    notifier = ServiceNotifier()
    let loop = try EventLoop()
    self.loop = loop
    // Must precede the start of any thread, because threads inherit the signal mask.
    signals = try SignalSource([SIGTERM, SIGINT, SIGHUP], on: loop) { [unowned loop] _ in
      loop.stop()
    }
    var options = HostOptions(owner: getuid())
    options.pamService = configuration.pamService
    options.pamDirectory = configuration.pamDirectory
    options.conversationLimit = configuration.pamLimit
    options.limits = configuration.limits
    options.quota = configuration.quota
    if configuration.isSystem {
      options.isForEverybody = true
      options.administration = configuration.administration
      options.journal = configuration.journal
      options.pam = .socket(configuration.pamSocket)
      options.conversationsPerUserMax = 4
    } else {
      options.pam = Installation.pamWorker.map(PAMSource.program) ?? .none
    }
    options.userPolicies = Installation.userPolicies
    options.userEntitlements = Installation.userEntitlements
    host = try Host(directory: configuration.paths.home, on: loop, options: options)
    for warning in host.warnings { Log.error(warning) }
    if let socket = activation.takeOnly() {
      listener = try Listener(adopting: socket)
    } else {
      let directory = try PrivateDirectory(opening: configuration.paths.socketDirectory)
      // Every user may connect to the system service; the kernel tells who they are.
      if configuration.isSystem { try directory.openForAll() }
      listener = try Listener(
        path: configuration.paths.socket,
        mode: configuration.isSystem ? 0o666 : 0o600
      )
    }
  }

  func run() throws {
    try listener.start(on: loop) { [unowned self] socket, peer in
      stopWaiting()
      host.accept(socket, peer)
    }
    host.whenIdle { [unowned self] in waitForNobody() }
    try sayReady()
    waitForNobody()
    try loop.run()
    try? notifier?.notify(.stopping)
    listener.stop()
    host.shutDown()
  }

  private func sayReady() throws {
    try? notifier?.notify(.ready)
    guard let number = configuration.readyDescriptor else { return }
    let descriptor = FileDescriptor(owning: number)
    var byte: UInt8 = 1
    // SAFETY: one byte is read from a variable that outlives the call.
    guard unsafe write(descriptor.rawValue, &byte, 1) == 1 else {
      throw SystemError("write", code: errno, subject: "descriptor \(number)")
    }
  }

  // MARK: The end of an idle daemon

  private func waitForNobody() {
    stopWaiting()
    guard let limit = configuration.idleLimit else { return }
    idleTimer = loop.schedule(at: SystemClock.bootNow() + limit) { [unowned self] in
      idleTimer = nil
      if host.isIdle { end() } else { waitForNobody() }
    }
  }

  private func stopWaiting() {
    if let idleTimer { loop.cancel(idleTimer) }
    idleTimer = nil
  }

  /// Ends the daemon unless a client holds the start lock.
  ///
  /// That client could neither connect to this daemon nor start another, whose state would still be
  /// locked.
  private func end() {
    guard let directory = try? PrivateDirectory(opening: configuration.paths.socketDirectory),
      let lock = try? FileLock(acquiring: "start.lock", in: directory)
    else { return waitForNobody() }
    startLock = StartLock(lock)
    loop.stop()
  }

  /// Held until this daemon is gone, so that the next one cannot start earlier.
  private var startLock: StartLock?

  private final class StartLock {
    let lock: FileLock
    init(_ lock: consuming FileLock) { self.lock = lock }
  }
}
