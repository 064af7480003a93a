import CLocalAuthLinux
import Glibc
public import LocalAuthCore

/// A stream of NUL-terminated frames with one peer.
///
/// It belongs to the loop's thread. Frames arrive as borrowed bytes that are wiped when the handler returns. An idle connection
/// holds no buffer: the loop lends one for reading, and only a frame that arrives in pieces gets
/// memory of its own. From ``start(onFrame:onClose:)`` to the close the loop keeps it alive.
public final class Connection {
  /// Called for each frame, without its NUL; the bytes are wiped when it returns.
  public typealias FrameHandler = (Connection, Span<UInt8>) -> Void
  /// Called once, a turn after the connection has closed.
  public typealias CloseHandler = (Connection, CloseReason) -> Void

  /// Who is at the other end.
  public let peer: PeerIdentity
  /// What the peer may ask for.
  public let limits: ConnectionLimits
  /// Since when a frame is arriving whose end has not; nil between frames and while paused.
  public internal(set) var partialSince: BootInstant?
  /// Whether another process than the one that connected has sent something here.
  ///
  /// A descriptor can be handed on and inherited. A number that was used again is not told apart: see
  /// ``holdPeerProcess()``.
  public internal(set) var hasStrangersInput = false

  enum State {
    case idle
    case open
    /// The peer will send nothing more, but may still read.
    case inputEnded
    /// We will send nothing more; the rest of the output is on its way.
    case flushing
    case closed
  }

  /// The loop holds on to its connections, so they cannot hold on to it.
  unowned let loop: EventLoop
  private var socket: FileDescriptor?
  let descriptor: Int32
  var state = State.idle
  var isPaused = false
  /// Whether a frame handler runs, which borrows bytes of `input` or of the loop.
  var isDelivering = false
  /// Whether the next turn goes on with frames that have arrived already.
  var isContinuing = false
  /// A frame without its end, or frames beyond a turn's share or a pause.
  var input = ByteQueue()
  /// How far `input` is known to hold no NUL.
  var scanned = 0
  var output = ByteQueue()
  var deadline: TimerToken?
  var onFrame: FrameHandler?
  private var onClose: CloseHandler?

  /// A connection over `socket`, which never blocks; nothing is read before it is started.
  public init(
    _ socket: consuming FileDescriptor,
    peer: PeerIdentity,
    on loop: EventLoop,
    limits: ConnectionLimits = ConnectionLimits()
  ) {
    descriptor = socket.rawValue
    self.socket = consume socket
    self.peer = peer
    self.loop = loop
    self.limits = limits
    // Without it every sender would be a stranger.
    _ = la_socket_tell_senders(descriptor)
  }

  /// Begins to read.
  public func start(
    onFrame: @escaping FrameHandler,
    onClose: @escaping CloseHandler
  ) throws(SystemError) {
    precondition(state == .idle, "a connection is started once")
    try loop.add(descriptor, interest: .readable) { [self] ready in handle(ready) }
    self.onFrame = onFrame
    self.onClose = onClose
    state = .open
  }

  /// Whether messages can still be sent.
  public var isOpen: Bool {
    switch state {
    case .open, .inputEnded: true
    case .idle, .flushing, .closed: false
    }
  }

  /// Holds on to the process at the other end, for a caller that has to recognise it again.
  ///
  /// It is asked for when it is needed, because most connections need it never and would hold a second
  /// descriptor. Nil when the connection is closed, or when the process is gone or cannot be seen.
  public func holdPeerProcess() -> ProcessReference? {
    guard state != .closed else { return nil }
    return ProcessReference(peerOf: descriptor, processID: peer.processID)
  }

  /// The peer together with a hold on its process, where one can be had.
  public func holdPeer() -> PeerIdentity {
    PeerIdentity(
      processID: peer.processID,
      userID: peer.userID,
      groupID: peer.groupID,
      process: holdPeerProcess()
    )
  }

  /// How many bytes wait for the peer to read.
  public var outputCount: Int { output.count }

  /// Sends a message, which holds no NUL, and the NUL that ends it.
  ///
  /// What the socket does not take at once is queued, up to the limit. False when the connection is
  /// closing or closed, also when this very message closed it.
  @discardableResult
  public func send(_ message: Span<UInt8>) -> Bool {
    guard isOpen else { return false }
    // SAFETY: the bytes stay where they are for the call, and are copied when they are queued.
    return unsafe message.withUnsafeBytes { bytes in unsafe transmit(bytes) }
  }

  /// Sends a message of bytes that are no secret: an array cannot be wiped.
  @discardableResult
  public func send(_ message: [UInt8]) -> Bool { send(message.span) }

  /// Stops reading: the peer is held back by the kernel, and its time for a frame stands still.
  ///
  /// A frame handler that pauses gets no further frame. A peer that closes is noticed all the same.
  public func pauseReading() {
    isPaused = true
    clearPartial()
  }

  /// Reads again, beginning in the next turn with what has arrived.
  public func resumeReading() {
    guard isPaused else { return }
    isPaused = false
    updateInterest()
    if !input.isEmpty { continueNextTurn() }
  }

  /// Closes; with `afterFlush` once the socket has taken what waits, in the time of the limits.
  public func close(afterFlush: Bool = false) {
    guard afterFlush, isOpen, !output.isEmpty else { return finish(.closedHere) }
    state = .flushing
    clearPartial()
    updateInterest()
    schedule(limits.flushTime, .outputTooSlow)
  }

  private func handle(_ ready: Readiness) {
    if ready.contains(.writable) { flush() }
    let isGone = !ready.isDisjoint(with: [.hungUp, .failed])
    switch state {
    case .open:
      if isContinuing {
        // The frames that wait come first; what the kernel reports now, it reports again.
        return
      }
      if isPaused {
        // The kernel reports this without being asked; nobody is left to resume for.
        if isGone { return finish(.peerClosed) }
        // Most peers send nothing during a pause: the kernel is told only about those that do.
        if ready.contains(.readable) { updateInterest() }
      } else if ready.contains(.readable) {
        receive()
      } else if isGone {
        finish(.peerClosed)
      }
    case .inputEnded, .flushing: if isGone { finish(.peerClosed) }
    case .idle, .closed: break
    }
  }

  func updateInterest() {
    // The number of a closed one may be another connection's already.
    guard state != .closed else { return }
    var interest: Readiness = []
    if state == .open, !isPaused { interest.insert(.readable) }
    if !output.isEmpty { interest.insert(.writable) }
    do throws(SystemError) {
      try loop.modify(descriptor, interest: interest)
    } catch {
      finish(.failed(error))
    }
  }

  func schedule(_ time: Duration, _ reason: CloseReason) {
    deadline = loop.schedule(at: SystemClock.bootNow() + time) { [weak self] in
      self?.deadline = nil
      self?.finish(reason)
    }
  }

  func finish(_ reason: CloseReason) {
    guard state != .closed else { return }
    let wasStarted = state != .idle
    state = .closed
    clearPartial()
    if wasStarted { loop.remove(descriptor) }
    socket = nil
    output.removeAll()
    // A frame handler further up still borrows the input, which is then wiped when it returns.
    if !isDelivering { input.removeAll() }
    onFrame = nil
    guard let onClose else { return }
    self.onClose = nil
    // Not now: whoever called us is in the middle of something.
    loop.onNextTurn { [self] in onClose(self, reason) }
  }
}
