import LocalAuthClient
import LocalAuthCore
import LocalAuthTerminal
import LocalAuthUnix
import LocalAuthWire

/// Runs the panel: passes it what the daemon tells and the person presses, does what it says, and
/// draws it.
///
/// Belongs to one thread. Dropping it gives the terminal back.
struct PanelRun: ~Copyable {
  /// How a panel ended.
  enum End {
    /// The person has seen enough.
    case closed
    /// A signal arrived; the terminal is given back, and the caller has to ``reraise(_:)``.
    case interrupted(TerminalSignal)
  }

  /// How long to wait between looks for the next daemon.
  private static let pause = Duration.seconds(1)

  private var panel: Panel
  private var screen: ScreenSession
  /// The daemon; nil while none answers.
  private var feed: PanelFeed?
  private let hasColor: Bool
  private let context: VerbContext
  private let address: DaemonAddress
  private var names = AccountNames()
  /// When to look for the next daemon, while there is none.
  private var looksAt = Deadline.after(.zero)
  /// When a key that may go on is one by itself.
  private var keyEndsAt: Deadline?

  /// Shows `panel` on `terminal`, fed by `feed`.
  init(
    _ panel: Panel,
    fedBy feed: consuming PanelFeed,
    on terminal: consuming Terminal,
    _ context: VerbContext
  ) throws(Failure) {
    let address = try context.address()
    screen = try Self.screen(on: terminal)
    self.address = address
    self.panel = panel
    self.feed = .some(feed)
    self.context = context
    hasColor = context.promptStyle.hasColor
  }

  private static func screen(on terminal: consuming Terminal) throws(Failure) -> ScreenSession {
    do throws(TerminalError) {
      return try ScreenSession(terminal: terminal)
    } catch {
      throw Failure(error)
    }
  }

  /// Runs until the person or a signal ends it, or the device cannot be shown any more.
  mutating func run() throws(Failure) -> End {
    do throws(Failure) {
      while true {
        if let end = try step() {
          screen.end()
          return end
        }
      }
    } catch {
      screen.end()
      throw error
    }
  }

  /// Raises a signal again with its old effect, which by default ends the process.
  mutating func reraise(_ signal: TerminalSignal) { screen.reraise(signal) }

  // MARK: What happens

  private mutating func step() throws(Failure) -> End? {
    try draw()
    let readable = try waitForSomething()
    if readable.contains(screen.signalDescriptor) {
      if case .interrupted(let signal) = try signals() { return .interrupted(signal) }
    }
    for key in try keys(readable) where try perform(panel.pressed(key)) { return .closed }
    try hear(readable)
    return nil
  }

  private mutating func waitForSomething() throws(Failure) -> [Int32] {
    let persons = [screen.signalDescriptor, screen.terminalDescriptor]
    let descriptors = persons + (feed?.descriptors ?? [])
    let deadline = feed?.wakesAt ?? looksAt
    do throws(SystemError) {
      return try DescriptorWait.readable(
        among: descriptors,
        until: keyEndsAt.map { min($0, deadline) } ?? deadline
      )
    } catch {
      throw Failure(.internalError, "The panel cannot wait: \(error).")
    }
  }

  private mutating func draw() throws(Failure) {
    do throws(TerminalError) {
      try screen.draw(PanelView.lines(of: panel, size: screen.size, hasColor: hasColor))
    } catch {
      throw Failure(error)
    }
  }

  private mutating func signals() throws(Failure) -> ScreenEvent {
    do throws(TerminalError) { return try screen.signalIsPending() } catch { throw Failure(error) }
  }

  private mutating func keys(_ readable: [Int32]) throws(Failure) -> [Key] {
    guard readable.contains(screen.terminalDescriptor) else {
      guard let keyEndsAt, keyEndsAt.hasPassed else { return [] }
      self.keyEndsAt = nil
      return [screen.escapeTimedOut()]
    }
    do throws(TerminalError) {
      let keys = try screen.keys()
      let limit = Duration.milliseconds(Int64(KeyReader.escapeTimeoutMilliseconds))
      keyEndsAt = screen.isWaiting ? .after(limit) : nil
      return keys
    } catch {
      throw Failure(error)
    }
  }

  // MARK: The daemon

  private mutating func hear(_ readable: [Int32]) throws(Failure) {
    guard feed != nil else { return try lookForDaemon() }
    try reaching { (feed) throws(ClientError) in try feed.events(readable) }
  }

  /// Does what the panel says; returns whether that is to end.
  private mutating func perform(_ action: Panel.Action) throws(Failure) -> Bool {
    switch action {
    case .nothing: break
    case .end: return true
    case .perform(let act):
      try reaching { (feed) throws(ClientError) in
        try feed.perform(act)
        return []
      }
    }
    return false
  }

  /// Runs `body` on the feed and takes its events; the feed is gone if the daemon is.
  private mutating func reaching(
    _ body: (inout PanelFeed) throws(ClientError) -> [PanelFeed.Event]
  ) throws(Failure) {
    guard var taken = feed.take() else { return }
    let events: [PanelFeed.Event]
    do throws(ClientError) {
      events = try body(&taken)
    } catch {
      guard case .unreachable = error else { throw Failure(error, typed: context.typed()) }
      panel.disconnected()
      looksAt = .after(Self.pause)
      return
    }
    feed = consume taken
    for event in events { try take(event) }
  }

  private mutating func take(_ event: PanelFeed.Event) throws(Failure) {
    switch event {
    case .lines(let lines): panel.told(lines)
    case .status(let reply): panel.described(reply, accounts: accounts(in: reply))
    case .sensor(let reply): panel.described(reply)
    case .ended(let effect): _ = try perform(panel.ended(effect))
    case .refused(let error): _ = try perform(panel.failed(text(of: error)))
    }
  }

  private func text(of error: ClientError) -> String {
    error.isNotArmed
      ? "No prompt waits for a finger. A passcode is typed where it is asked for."
      : Failure(error, typed: context.typed()).message
  }

  private mutating func accounts(in reply: DeviceMessages.StatusReply) -> [Int64: String] {
    var accounts: [Int64: String] = [:]
    for asked in reply.asked { accounts[asked.uid] = names[asked.uid] }
    return accounts
  }

  /// Listens to the next daemon, if there is one; starts none, because somebody may have ended the
  /// last one on purpose.
  private mutating func lookForDaemon() throws(Failure) {
    guard looksAt.hasPassed else { return }
    looksAt = .after(Self.pause)
    let address = address
    do throws(ClientError) {
      feed = try PanelFeed(of: panel.device.name) { () throws(ClientError) in
        try address.connectToRunning()
      }
      panel.connected()
    } catch {
      guard case .unreachable = error else { throw Failure(error, typed: context.typed()) }
    }
  }
}
