import Glibc
import LocalAuthCore
import LocalAuthUnix
import LocalAuthWire

/// Where conversations with PAM run.
public enum PAMSource: Sendable {
  /// Nowhere: there is no PAM.
  case none
  /// In processes of the program at this path, which the host starts.
  case program(String)
  /// In processes that root starts, one for each connection to the socket at this path.
  case socket(String)
}

/// One `localauth-pam-worker`, which judges by one service.
final class PAMWorkerProcess {
  /// The service that it asks.
  let service: PAMService
  private(set) var isAlive = true
  private let loop: EventLoop
  /// The process; nil if root started it.
  private var child: ListeningProgram?
  /// What leads to a process of root's, and the connection with which its listener ends it.
  private var roots: NamelessPlace?
  private var lifeline: FileDescriptor?
  private var probe: (call: ProgramCall, limit: TimerToken, body: (_ isIdle: Bool) -> Void)?

  /// How long a worker may take to stop with an attempt that was broken off.
  private static let stopLimit = Duration.seconds(2)

  /// Has root start a worker, which asks the service that root names, on a socket of ours.
  ///
  /// Passwords are sent to it, so the owner of root's socket is checked before ours is passed.
  init(
    rootsAt path: String,
    for service: PAMService,
    _ listener: consuming NamelessListener,
    loop: EventLoop
  ) throws(ConnectError) {
    self.service = service
    self.loop = loop
    let lifeline = try ClientSocket.descriptor(connectedTo: path, trusting: .root)
    do throws(SystemError) {
      roots = try listener.pass(over: lifeline)
    } catch {
      throw .system(error)
    }
    self.lifeline = consume lifeline
  }

  /// Starts a worker as a child process.
  init(
    executable: String,
    for service: PAMService,
    _ listener: consuming NamelessListener,
    loop: EventLoop
  ) throws(SystemError) {
    self.service = service
    self.loop = loop
    let program = try ListeningProgram(
      executable,
      arguments: service.arguments,
      serving: listener
    )
    let pidfd = program.pidfd
    child = consume program
    try loop.add(pidfd, interest: .readable) { [unowned self] _ in stop() }
  }

  // Runs before the descriptors close, because the loop's handler must not outlive this object.
  deinit { stop() }

  /// A connection for one call.
  func connect() throws(SystemError) -> FileDescriptor {
    if let socket = try child?.connect() { return socket }
    if let socket = try roots?.connect() { return socket }
    throw SystemError("connect", code: ECONNREFUSED, subject: service.name)
  }

  /// Calls `body` once the worker is idle; with false if it ends first, or takes too long.
  func whenIdle(_ body: @escaping (_ isIdle: Bool) -> Void) {
    do throws(SystemError) {
      let call = try ProgramCall(
        Methods.describeProgram,
        ServiceMessages.Empty(),
        over: connect(),
        on: loop
      ) { [weak self] result in
        if case .success = result { self?.probed(true) } else { self?.probed(false) }
      }
      let limit = loop.schedule(at: SystemClock.bootNow() + Self.stopLimit) { [weak self] in
        self?.probed(false)
      }
      probe = (call, limit, body)
    } catch {
      body(false)
    }
  }

  private func probed(_ isIdle: Bool) {
    guard let probe else { return }
    self.probe = nil
    probe.call.cancel()
    loop.cancel(probe.limit)
    probe.body(isIdle)
  }

  /// Kills the worker and everything it started.
  func stop() {
    guard isAlive else { return }
    isAlive = false
    defer { probed(false) }
    if let pidfd = child?.pidfd { loop.remove(pidfd) }
    child?.kill()
    // The descriptor closes with this object, which may still be referenced.
    lifeline?.shutDown()
  }
}
