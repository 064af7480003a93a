import LocalAuthCore
import LocalAuthHub
import LocalAuthSecret
import LocalAuthSync
import LocalAuthUnix

/// One hub for one daemon: does what the daemon asks, stays connected, and says when there is news.
///
/// It has one thread, and runs until the daemon closes the connection.
struct SyncWorker: ~Copyable {
  private let daemon: DaemonChannel
  private let patience: HubPatience
  private var schedule = HubSchedule(SystemRandomNumberGenerator())
  private var address: HubAddress?
  private var password = Secret(capacity: 0)
  private var client: HubClient?
  /// The connection's socket, to wait for news on.
  private var hubSocket: Int32?
  /// Why there is no connection, for whoever asks meanwhile.
  private var lastError = HubError.unreachable("no hub was named yet")
  private var lastHeads: HubHeads?

  init(_ daemon: consuming DaemonChannel) {
    patience = HubPatience(asker: daemon.descriptor)
    self.daemon = daemon
  }

  /// Runs until the daemon has gone.
  ///
  /// - Throws: ``DaemonChannel/Failure``.
  mutating func run() throws(DaemonChannel.Failure) {
    while true {
      let ready = wait()
      if ready.contains(daemon.descriptor) { try serve() }
      // News can have come with an answer, which leaves nothing on the socket.
      try takeNews()
      switch schedule.due(at: Self.now()) {
      case .connect: try reconnect()
      case .tell: try tell()
      case .look: try look()
      case nil: continue
      }
    }
  }

  private func wait() -> [Int32] {
    let descriptors = [daemon.descriptor] + (hubSocket.map { [$0] } ?? [])
    let deadline = schedule.next.map { Deadline.after(max(.zero, $0 - Self.now())) }
    return (try? DescriptorWait.readable(among: descriptors, until: deadline)) ?? []
  }

  // MARK: Requests

  private mutating func serve() throws(DaemonChannel.Failure) {
    let call = try daemon.receive()
    let (number, request) = (call.number, call.request)
    if case .connect(let address) = request {
      // One process speaks to one hub, in one role.
      guard self.address == nil else { throw .malformed }
      self.address = address
      password = call.password
      schedule.asked(at: Self.now())
      let isConnected = connect()
      return try daemon.send(isConnected ? .done : .failed(lastError), number: number)
    }
    try daemon.send(reply(to: request), number: number)
  }

  private mutating func reply(to request: HubRequest) -> HubReply {
    // Whoever asks waits for an answer, and not for the next attempt that is due.
    guard client != nil || connect() else { return .failed(lastError) }
    if request == .tell {
      schedule.wantsTelling(at: Self.now())
      return .done
    }
    return ask { (client) throws(HubError) in try client.reply(to: request) }
  }

  /// Asks the hub, and gives the connection up if it broke.
  private mutating func ask(
    _ body: (borrowing HubClient) throws(HubError) -> HubReply
  ) -> HubReply {
    guard let client = client.take() else { return .failed(lastError) }
    do throws(HubError) {
      let reply = try body(client)
      self.client = consume client
      schedule.answered(at: Self.now())
      if case .heads(let heads) = reply { lastHeads = heads }
      return reply
    } catch {
      switch error {
      // What is not understood may be half of something else: what follows would be no better.
      case .unreachable, .denied, .unexpected, .schema: lost(error)
      case .refused:
        self.client = consume client
        schedule.answered(at: Self.now())
      }
      return .failed(error)
    }
  }

  // MARK: The connection

  /// How long connecting may compute, in seconds of the processor: a server says how often a password is hashed.
  ///
  /// Whatever looks at the clock ends before.
  private static let computingMax = 22

  private mutating func connect() -> Bool {
    guard let address else { return false }
    do throws(HubError) {
      let client = HubClient(try Self.connection(to: address, password, patience))
      try client.begin()
      hubSocket = client.socket
      self.client = consume client
      schedule.connected(at: Self.now())
      return true
    } catch {
      lost(error)
      return false
    }
  }

  private static func connection(
    to address: HubAddress,
    _ password: borrowing Secret,
    _ patience: HubPatience
  ) throws(HubError) -> HubConnection {
    do throws(SystemError) { try ProcessHardening.limitComputing(to: computingMax) } catch {
      throw .unreachable("\(error)")
    }
    defer { try? ProcessHardening.limitComputing(to: 0) }
    return try HubConnection(to: address, password: password, patience: patience)
  }

  /// Connects again, and has the daemon look what came meanwhile.
  private mutating func reconnect() throws(DaemonChannel.Failure) {
    let notice: HubNotice = connect() ? .news : .failed(lastError)
    try daemon.send(notice)
  }

  private mutating func lost(_ error: HubError) {
    client = nil
    hubSocket = nil
    lastError = error
    schedule.lost(at: Self.now())
  }

  // MARK: News

  private mutating func takeNews() throws(DaemonChannel.Failure) {
    guard let client = client.take() else { return }
    let hasNews: Bool
    do throws(HubError) {
      hasNews = try client.takeNews()
    } catch {
      lost(error)
      return try daemon.send(.failed(error))
    }
    self.client = consume client
    if hasNews { try daemon.send(.news) }
  }

  /// Looks where everything ends, and says so: a person is told when the hub was heard.
  ///
  /// A notification can be lost with a connection, or by whoever connects devices to the hub.
  private mutating func look() throws(DaemonChannel.Failure) {
    let before = lastHeads
    switch ask({ (client) throws(HubError) in .heads(try client.heads()) }) {
    case .heads(let heads):
      try daemon.send(.looked(heads))
      // After a look that failed the next one has a round follow, which finds nothing wrong any more.
      if heads.circle != before?.circle || heads.zones != before?.zones { try daemon.send(.news) }
    case .failed(let error):
      lastHeads = nil
      try daemon.send(.failed(error))
    default: return
    }
  }

  private mutating func tell() throws(DaemonChannel.Failure) {
    let reply = ask { (client) throws(HubError) in
      try client.tell()
      return .done
    }
    // After a refusal, too: it would be tried again at once and without end, and the others look within a minute or so.
    schedule.told(at: Self.now())
    if case .failed(let error) = reply { try daemon.send(.failed(error)) }
  }

  private static func now() -> Duration { .nanoseconds(SystemClock.bootNow().nanoseconds) }
}
