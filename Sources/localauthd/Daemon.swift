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
  private let received: ReceivedSignals
  private var idleTimer: TimerToken?
  private var restTimer: TimerToken?
  private var isEnding = false

  /// How long an end waits for answers to be stored, if the disk is slow.
  private static let restLimit = Duration.seconds(2)
  private static let restStep = Duration.milliseconds(2)

  init(_ configuration: Configuration) throws {
    self.configuration = configuration
    var activation = try SocketActivation()
    let inherited = (activation.onlyDescriptor, configuration.readyDescriptor)
    let passed = activation.takeOnly()
    // Closes the others now: their numbers may soon be those of descriptors of our own.
    _ = consume activation
    var ownSocket: Listener?
    if configuration.isSystem {
      try SystemStart.begin(account: configuration.account, keeping: inherited)
      if passed == nil {
        ownSocket = try SystemStart.listen(at: configuration.paths, account: configuration.account)
      }
      try SystemStart.dropRights(to: configuration.account, home: configuration.paths.home)
    }
    try ProcessHardening.apply()
    notifier = ServiceNotifier()
    let loop = try EventLoop()
    self.loop = loop
    // Must precede the start of any thread, because threads inherit the signal mask.
    let received = ReceivedSignals()
    self.received = received
    signals = try SignalSource([SIGTERM, SIGINT, SIGHUP], on: loop) { received.body($0.number) }
    var options = HostOptions(owner: getuid())
    options.pamService = configuration.pamService
    options.pamDirectory = configuration.pamDirectory
    options.conversationLimit = configuration.pamLimit
    options.authenticators = configuration.authenticators
    options.limits = configuration.limits
    options.quota = configuration.quota
    options.socket = configuration.paths.socket
    if configuration.isSystem {
      options.isForEverybody = true
      options.administration = configuration.administration
      options.journal = configuration.journal
      options.pam = .socket(configuration.pamSocket)
      options.hubs = .socket(configuration.syncSocket)
      options.authenticatorSockets = configuration.authenticatorSockets
      options.conversationsPerAskerMax = 4
    } else {
      options.pam = Installation.pamWorker.map(PAMSource.program) ?? .none
      options.hubs = Installation.syncWorker.map(HubSource.program) ?? .none
    }
    options.userPolicies = Installation.userPolicies
    options.userEntitlements = Installation.userEntitlements
    host = try Host(directory: configuration.paths.home, on: loop, options: options)
    for warning in host.warnings { Log.error(warning) }
    if let socket = passed {
      listener = try Listener(adopting: socket)
    } else if let ownSocket {
      listener = ownSocket
    } else {
      _ = try PrivateDirectory(opening: configuration.paths.socketDirectory)
      listener = try Listener(path: configuration.paths.socket)
      sayWhereToConnect()
    }
  }

  /// Lets clients find this daemon whose environment leads to another socket.
  private func sayWhereToConnect() {
    do {
      let directory = try PrivateDirectory(opening: configuration.paths.home)
      try ListeningFile.write(configuration.paths.socket, in: directory)
    } catch {
      Log.error("clients find this daemon at \(configuration.paths.socket) only: \(error)")
    }
  }

  func run() throws {
    try listener.start(on: loop) { [unowned self] socket, peer in
      stopWaiting()
      host.accept(socket, peer)
    }
    received.body = { [unowned self] in act(on: $0) }
    host.whenWarned { Log.error($0) }
    host.whenStopped { [unowned self] in endInOrder() }
    host.whenIdle { [unowned self] in waitForNobody() }
    try sayReady()
    sayAlive()
    waitForNobody()
    try loop.run()
    try? notifier?.notify(.stopping)
    listener.stop()
    host.shutDown()
  }

  /// Receives signals from before the host exists.
  private final class ReceivedSignals {
    var body: (Int32) -> Void = { _ in }
  }

  private func act(on signal: Int32) {
    guard signal == SIGHUP else { return loop.stop() }
    host.reload()
    Log.notice("the configuration was read anew")
  }

  /// Ends once those who are asked or wait have their answers; a signal ends it at once.
  private func endInOrder() {
    guard !isEnding else { return }
    isEnding = true
    host.beginShutDown()
    awaitRest(until: SystemClock.bootNow() + Self.restLimit)
  }

  private func awaitRest(until limit: BootInstant) {
    let now = SystemClock.bootNow()
    guard !host.isAtRest, now < limit else { return loop.stop() }
    restTimer = loop.schedule(at: now + Self.restStep) { [unowned self] in awaitRest(until: limit) }
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

  /// Tells a service manager that asks for it that the loop turns: it starts a daemon anew that hangs.
  private func sayAlive() {
    guard let notifier, let interval = notifier.watchdogInterval else { return }
    try? notifier.notify(.watchdog)
    _ = loop.schedule(at: SystemClock.bootNow() + interval / 2) { [unowned self] in sayAlive() }
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
    guard let directory = try? PrivateDirectory(opening: configuration.paths.home),
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
