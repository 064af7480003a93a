import Glibc
import LocalAuthCore
import LocalAuthPolicies
import LocalAuthPolicyFiles
import LocalAuthUnix
import LocalAuthWire

/// Where the programs of authenticators run.
enum ProgramPlace {
  /// In processes that the host starts.
  case children(of: StateDirectoryHolder)
  /// In units that root starts, each behind a socket of the authenticator's name in this directory.
  case sockets(String)
}

/// The program of one authenticator: whether it runs, what it says of itself, and what its accounts
/// have enrolled.
///
/// | event                          | starting | ready    | resting  |
/// |--------------------------------|----------|----------|----------|
/// | describes itself as it may     | ready    | -        | -        |
/// | says otherwise, or nothing     | resting  | -        | -        |
/// | ends, or breaks a rule         | resting  | resting  | -        |
/// | has rested                     | -        | -        | starting |
///
/// It rests for a second after the first failure, twice as long after each further one, and never
/// longer than half a minute. It belongs to the loop's thread.
final class AuthenticatorProgram {
  private enum State {
    case starting
    case ready
    case resting
    case closed
  }

  let entry: AuthenticatorFiles.Entry
  /// Called when anything that counts for an attempt changed.
  var onChange: () -> Void = {}
  private(set) var description: AuthenticatorDescription
  /// Whether nothing can be enrolled at it unnoticed.
  private(set) var isExclusive = false
  /// Why it cannot be asked; nil if it can.
  private(set) var message: String? = "It is being started."
  private let place: ProgramPlace
  /// The host ends its programs before it releases the loop.
  unowned let loop: EventLoop
  private var state = State.resting
  private var child: ListeningProgram?
  private var watch: ProgramCall?
  /// The calls that are under way, and when to give them up.
  var asked: [String: (call: ProgramCall, limit: TimerToken, giveUp: () -> Void)] = [:]
  /// Why the last call could not begin; nil if all of this start could.
  private var unreachable: SystemError?
  /// What its accounts have enrolled, as far as it is known.
  var enrolments: [String: Enrolment] = [:]
  var users: Set<String> = []
  /// The accounts of which it reported a change while it was asked what they have enrolled.
  var changedMeanwhile: Set<String> = []
  /// What it said last of whether it can judge.
  private var report = AuthenticatorState.gone
  /// How many replies to `Watch` came since the minute began.
  private var reports = (count: 0, since: BootInstant(nanoseconds: 0))
  private var backoff = Backoff()
  private var readySince: BootInstant?
  private var timer: TimerToken?
  private var waiting: [() -> Void] = []

  /// How long a reply may take that needs no person.
  private static let patience = Duration.seconds(5)
  /// The most replies to `Watch` in a minute: each has every account asked for anew.
  private static let reportsMax = 120
  /// How long it must run for earlier failures to be forgotten.
  private static let probation = Duration.seconds(60)

  init(_ entry: AuthenticatorFiles.Entry, at place: ProgramPlace, on loop: EventLoop) {
    self.entry = entry
    self.place = place
    self.loop = loop
    description = entry.manifest.description(reportsPresence: false)
  }

  var manifest: AuthenticatorManifest { entry.manifest }

  // MARK: What it can

  /// Whether it runs and has described itself.
  var isRunning: Bool { state == .ready }

  /// Whether it can judge now for the account named `user`.
  func isReady(for user: String) -> Bool {
    guard isRunning, report == .available, asked[user] == nil else { return false }
    return enrolments[user]?.labels.isEmpty == false
  }

  /// Whether a finger can be asked for, where it judges fingers.
  var presence: SensorPresence {
    guard isRunning else { return .unplugged }
    if let hindrance = report.hindrance { return .hindered(hindrance) }
    return report == .available ? .ready(manifest.strength) : .unplugged
  }

  /// The number of things that the account has enrolled; nil if that is not known.
  func enrolled(by user: String) -> Int? { enrolments[user]?.labels.count }

  /// What it comes from: its manifest, and the set that the account has enrolled.
  ///
  /// Prints are told apart by the device itself, see ``prints(of:)``.
  func provenance(for user: String) -> String {
    let manifest = entry.manifest
    let claims = [
      manifest.kind.name, manifest.asking.rawValue, manifest.reference ?? "",
      "\(manifest.isSimulated)", "\(manifest.reportsPresence)", manifest.instruction ?? "",
    ]
    let parts =
      [manifest.name, manifest.summary, manifest.program] + manifest.arguments + claims
      + [manifest.kind == .fingerprint ? "" : enrolments[user]?.setToken ?? ""]
    return parts.joined(separator: "\u{0}")
  }

  /// The state in one word.
  var word: String {
    switch state {
    case .starting: "starting"
    case .ready: report == .available ? "ready" : "unavailable"
    case .resting, .closed: "unusable"
    }
  }

  /// Calls `body` when it is known whether the account named `user` can be judged.
  func whenSettled(for user: String, _ body: @escaping () -> Void) {
    learn(user)
    guard !isSettled else { return body() }
    waiting.append(body)
  }

  private var isSettled: Bool {
    switch state {
    case .starting: false
    case .ready: asked.isEmpty
    case .resting, .closed: true
    }
  }

  func changed() {
    settle()
    onChange()
  }

  /// Tells whoever waits, once nothing is asked any more.
  private func settle() {
    guard isSettled else { return }
    let bodies = waiting
    waiting = []
    for body in bodies { body() }
  }

  // MARK: Start and end

  /// Starts the program, or connects to its unit.
  func start() {
    guard case .resting = state else { return }
    timer = nil
    state = .starting
    reports.count = 0
    unreachable = nil
    message = "It is being started."
    do throws(SystemError) {
      if case .children(let home) = place { child = try launch(in: home) }
      if let pidfd = child?.pidfd {
        try loop.add(pidfd, interest: .readable) { [unowned self] _ in fail("has ended") }
      }
    } catch {
      return fail("cannot be started: \(error)")
    }
    ask(Methods.describeProgram, ServiceMessages.Empty(), as: "") { [self] reply in
      guard let reply else {
        return fail(unreachable.map { "cannot be reached: \($0)" } ?? "did not describe itself")
      }
      let claim = manifest.contradiction(
        kind: reply.kind,
        asks: reply.asks,
        reportsPresence: reply.reportsPresence,
        isSimulated: reply.simulated,
        isExclusive: reply.exclusive ?? false
      )
      if let claim { return fail(claim) }
      description = manifest.description(reportsPresence: reply.reportsPresence)
      isExclusive = reply.exclusive ?? false
      beginWatch()
    }
  }

  /// The program broke a rule or cannot be reached, and is started anew after a rest.
  func fail(_ why: String) {
    switch state {
    case .resting, .closed: return
    case .starting, .ready: break
    }
    let now = SystemClock.bootNow()
    if let readySince, now - readySince > Self.probation { backoff.reset() }
    let rest = backoff.next()
    stop(as: .resting)
    message = "The program \(why); it is tried again after \(rest.components.seconds) s."
    timer = loop.schedule(at: now + rest) { [weak self] in self?.start() }
    changed()
  }

  /// Ends the program for good.
  func close() {
    stop(as: .closed)
    changed()
  }

  private func stop(as next: State) {
    state = next
    // A limit of the program that ends must not meet the next one.
    if let timer { loop.cancel(timer) }
    timer = nil
    report = .gone
    readySince = nil
    watch?.cancel()
    watch = nil
    let calls = asked.values
    asked = [:]
    for call in calls {
      call.call.cancel()
      loop.cancel(call.limit)
    }
    if let pidfd = child?.pidfd { loop.remove(pidfd) }
    child?.kill()
    // Dropping it reaps the process.
    child = nil
    // Whoever waits for a reply hears that there is none.
    for call in calls { call.giveUp() }
  }

  private func launch(in home: StateDirectoryHolder) throws(SystemError) -> ListeningProgram {
    do throws(ConfigurationFileError) {
      // Whoever can write the program runs what they like as this user.
      _ = try ConfigurationFile.check(manifest.program)
    } catch {
      throw SystemError("execve", code: EPERM, subject: "\(error)")
    }
    let path = home.directory.path(of: "\(StateDirectory.authenticatorsName)/\(manifest.name)")
    do throws(PrivateDirectoryError) {
      _ = try PrivateDirectory(opening: path)
    } catch {
      throw SystemError("mkdir", code: EACCES, subject: "\(error)")
    }
    return try ListeningProgram(
      manifest.program,
      arguments: manifest.arguments,
      environment: ["STATE_DIRECTORY=\(path)"],
      socketIn: home.directory.directory
    )
  }

  // MARK: Calls

  /// Calls the program; the call belongs to the caller.
  func call<Parameters: WireObject, Reply: WireObject>(
    _ method: Method<Parameters, Reply>,
    _ parameters: Parameters,
    onReply: @escaping (Result<(reply: Reply, continues: Bool), ProgramFailure>) -> Void
  ) throws(SystemError) -> ProgramCall {
    try ProgramCall(method, parameters, over: try connect(), on: loop, onReply: onReply)
  }

  /// A connection of its own for one call.
  func connect() throws(SystemError) -> FileDescriptor {
    switch place {
    case .children:
      guard let socket = try child?.connect() else {
        throw SystemError("connect", code: ECONNREFUSED, subject: manifest.name)
      }
      return socket
    case .sockets(let directory):
      let path = "\(directory)/\(manifest.name)"
      do throws(ConnectError) {
        return try ClientSocket.descriptor(connectedTo: path, trusting: .root)
      } catch {
        throw SystemError("connect", code: ECONNREFUSED, subject: "\(path): \(error)")
      }
    }
  }

  /// Calls a method with one reply that needs no person; nil if there is none within the patience.
  func ask<Parameters: WireObject, Reply: WireObject>(
    _ method: Method<Parameters, Reply>,
    _ parameters: Parameters,
    as name: String,
    then heard: @escaping (Reply?) -> Void
  ) {
    // Who waits is told also where the answer changed nothing.
    let body = { [weak self] (reply: Reply?) in
      heard(reply)
      self?.settle()
    }
    do throws(SystemError) {
      let call = try call(method, parameters) { [weak self] result in
        guard let self, let known = asked.removeValue(forKey: name) else { return }
        loop.cancel(known.limit)
        body(try? result.get().reply)
      }
      let limit = loop.schedule(at: SystemClock.bootNow() + Self.patience) { [weak self] in
        self?.asked.removeValue(forKey: name)?.call.cancel()
        body(nil)
      }
      asked[name] = (call, limit, { body(nil) })
    } catch {
      unreachable = error
      body(nil)
    }
  }

  private func beginWatch() {
    do throws(SystemError) {
      watch = try call(Methods.watchProgram, ServiceMessages.Empty()) { [weak self] result in
        self?.watched(result)
      }
    } catch {
      return fail("cannot be reached: \(error)")
    }
    timer = loop.schedule(at: SystemClock.bootNow() + Self.patience) { [weak self] in
      self?.fail("did not answer Watch in time")
    }
  }

  private func watched(
    _ result: Result<(reply: AuthenticatorMessages.WatchReply, continues: Bool), ProgramFailure>
  ) {
    switch result {
    case .success(let (reply, continues)):
      guard continues, let report = AuthenticatorState(rawValue: reply.state) else {
        return fail("answered Watch with something else")
      }
      guard mayReport() else { return fail("said too often whether it can judge") }
      self.report = report
      message = report.message
      becomeReady()
    case .failure(.refused(let error, _)): fail("answered Watch with \(error)")
    case .failure(.gone): fail("has ended")
    case .failure(.malformed): fail("answered Watch with something else")
    }
  }

  private func mayReport() -> Bool {
    let now = SystemClock.bootNow()
    if now - reports.since >= .seconds(60) { reports = (0, now) }
    reports.count += 1
    return reports.count <= Self.reportsMax
  }

  private func becomeReady() {
    if case .starting = state {
      state = .ready
      readySince = SystemClock.bootNow()
      if let timer { loop.cancel(timer) }
      timer = nil
    }
    for user in users { askEnrolled(user) }
    changed()
  }
}
