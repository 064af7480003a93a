import CLocalAuthLinux
import Glibc
public import LocalAuthCore

/// The event loop of the one thread that owns all state: it runs one handler at a time.
///
/// Everything but ``handle`` may be used only on the thread that runs the loop. A handler may add
/// and remove descriptors and timers, its own included; it must not block and must not run the
/// loop.
public final class EventLoop {
  /// The part of the loop that other threads may use.
  public let handle: LoopHandle

  private struct Registration {
    let generation: UInt32
    var interest: Readiness
    let handler: (Readiness) -> Void
  }

  private let epoll: FileDescriptor
  private let timer: FileDescriptor
  /// Handlers by descriptor number; the kernel hands out small, dense numbers.
  private var registrations: [Registration?] = []
  private var lastGeneration: UInt32 = 0
  private var timers = TimerQueue()
  private var armedDeadline: BootInstant?
  private var nextTurn: [() -> Void] = []
  private var isStopping = false
  private var isInTurn = false
  /// Memory that all connections read into, so that an idle one needs no buffer.
  let scratch: WipedMemory

  /// Creates an empty loop; another thread than this one may run it.
  public init() throws(SystemError) {
    handle = try LoopHandle()
    epoll = FileDescriptor(owning: try SystemError.check(la_epoll_create(), "epoll_create1"))
    timer = FileDescriptor(owning: try SystemError.check(la_timer_create(), "timerfd_create"))
    scratch = try WipedMemory(capacity: 65_536)
    try add(handle.counter.rawValue, interest: .readable) { [unowned self] _ in collectPosted() }
    try add(timer.rawValue, interest: .readable) { [unowned self] _ in runTimers() }
  }

  deinit { handle.close() }

  /// Runs until ``stop()``; the last turn still handles everything that was ready.
  public func run() throws(SystemError) {
    while !isStopping { _ = try runOnce(timeout: nil) }
    isStopping = false
  }

  /// Makes ``run()`` return after this turn.
  public func stop() { isStopping = true }

  /// Runs one turn: waits up to `timeout` (nil: forever) for events and handles them.
  ///
  /// Returns the number of ready descriptors plus the ``onNextTurn(_:)`` bodies run; 0 means that
  /// the time was over or that a signal interrupted the wait.
  public func runOnce(timeout: Duration?) throws(SystemError) -> Int {
    precondition(!isInTurn, "a handler runs the loop that called it")
    isInTurn = true
    defer { isInTurn = false }
    handle.becomeCurrent()
    try armTimer()
    let wait = nextTurn.isEmpty ? Self.milliseconds(timeout) : 0
    return try unsafe withUnsafeTemporaryAllocation(
      of: la_event.self,
      capacity: Int(LA_EVENTS_MAX)
    ) { events throws(SystemError) in
      guard let start = events.baseAddress else { return 0 }
      let count = try unsafe SystemError.check(
        la_epoll_wait(epoll.rawValue, start, wait),
        "epoll_wait"
      )
      // SAFETY: the shim filled the first `count` of LA_EVENTS_MAX events.
      for index in 0..<Int(count) { unsafe dispatch(events[index]) }
      return Int(count) + runNextTurn()
    }
  }

  /// Watches `descriptor` and calls `handler` whenever it is ready for something in `interest`.
  ///
  /// Remove the descriptor before closing it.
  public func add(
    _ descriptor: Int32,
    interest: Readiness,
    handler: @escaping (Readiness) -> Void
  ) throws(SystemError) {
    precondition(
      registration(descriptor) == nil,
      "descriptor \(descriptor) is watched already"
    )
    lastGeneration &+= 1
    let token = Self.token(descriptor, lastGeneration)
    _ = try SystemError.check(
      la_epoll_add(epoll.rawValue, descriptor, interest.rawValue, token),
      "epoll_ctl"
    )
    let index = Int(descriptor)
    if index >= registrations.count {
      let missing = max(index + 1, 2 * registrations.count) - registrations.count
      registrations.append(contentsOf: repeatElement(nil, count: missing))
    }
    registrations[index] = Registration(
      generation: lastGeneration,
      interest: interest,
      handler: handler
    )
  }

  /// Changes the interest in a watched descriptor; an empty one leaves hang-up and errors.
  public func modify(_ descriptor: Int32, interest: Readiness) throws(SystemError) {
    guard let old = registration(descriptor), old.interest != interest else { return }
    let token = Self.token(descriptor, old.generation)
    _ = try SystemError.check(
      la_epoll_modify(epoll.rawValue, descriptor, interest.rawValue, token),
      "epoll_ctl"
    )
    registrations[Int(descriptor)]?.interest = interest
  }

  /// Stops watching a descriptor; its handler is not called again, even for events already
  /// reported.
  public func remove(_ descriptor: Int32) {
    guard registration(descriptor) != nil else { return }
    registrations[Int(descriptor)] = nil
    _ = la_epoll_remove(epoll.rawValue, descriptor)
  }

  /// Runs `body` once `deadline` has passed on the boot-time clock.
  public func schedule(at deadline: BootInstant, _ body: @escaping () -> Void) -> TimerToken {
    timers.schedule(at: deadline, body)
  }

  /// Cancels a timer; cancelling one that has already fired is allowed.
  public func cancel(_ token: TimerToken) { timers.cancel(token) }

  /// The number of pending timers.
  public var timerCount: Int { timers.count }

  /// Runs `body` after the handlers of this turn, so that it sees none of their changes half done.
  public func onNextTurn(_ body: @escaping () -> Void) { nextTurn.append(body) }

  private func registration(_ descriptor: Int32) -> Registration? {
    let index = Int(descriptor)
    return registrations.indices.contains(index) ? registrations[index] : nil
  }

  private func dispatch(_ event: la_event) {
    let descriptor = Int32(truncatingIfNeeded: event.token & 0xFFFF_FFFF)
    // An event of this batch may belong to an earlier use of the number; the generation tells.
    guard let registration = registration(descriptor),
      registration.generation == UInt32(truncatingIfNeeded: event.token >> 32)
    else { return }
    registration.handler(Readiness(rawValue: event.readiness))
  }

  private func runNextTurn() -> Int {
    guard !nextTurn.isEmpty else { return 0 }
    // Bodies added by these bodies run a turn later, so that ready descriptors are not starved.
    var bodies: [() -> Void] = []
    swap(&bodies, &nextTurn)
    for body in bodies { body() }
    return bodies.count
  }

  private func collectPosted() {
    let posted = handle.collect()
    if posted.wantsStop { isStopping = true }
    for body in posted.bodies { body() }
  }

  private func runTimers() {
    _ = la_counter_read(timer.rawValue)
    armedDeadline = nil
    let now = SystemClock.bootNow()
    let newest = timers.newest
    while let body = timers.takeDue(at: now, through: newest) { body() }
  }

  /// Arms the kernel's timer if a deadline is due before it would fire.
  ///
  /// A cancelled timer leaves it armed: a needless wake-up is cheaper than rearming each time.
  private func armTimer() throws(SystemError) {
    guard let next = timers.nextDeadline() else { return }
    if let armedDeadline, armedDeadline <= next { return }
    _ = try SystemError.check(la_timer_set(timer.rawValue, next.nanoseconds), "timerfd_settime")
    armedDeadline = next
  }

  private static func token(_ descriptor: Int32, _ generation: UInt32) -> UInt64 {
    UInt64(generation) << 32 | UInt64(UInt32(bitPattern: descriptor))
  }

  /// The timeout in milliseconds, rounded up so that a wait is never shorter than asked for.
  private static func milliseconds(_ timeout: Duration?) -> Int32 {
    guard let timeout else { return -1 }
    let (seconds, attoseconds) = timeout.components
    guard seconds >= 0 else { return 0 }
    let rest = (max(attoseconds, 0) + 999_999_999_999_999) / 1_000_000_000_000_000
    return Int32(clamping: min(seconds, 1_000_000) * 1000 + rest)
  }
}
