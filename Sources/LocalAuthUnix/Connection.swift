import CLocalAuthLinux
import Glibc
public import LocalAuthCore

/// A stream of NUL-terminated frames with one peer.
///
/// It belongs to the loop's thread. Frames are lent to the handler and wiped when it returns. An
/// idle connection holds no buffer: it reads into the loop's memory, and only a frame that arrives
/// in parts gets memory of its own. The loop keeps the connection alive from
/// ``start(onFrame:onClose:)`` to the close.
public final class Connection {
  /// Called for each frame, without its NUL; the bytes are wiped when it returns.
  public typealias FrameHandler = (Connection, Span<UInt8>) -> Void
  /// Called once, in the turn after the connection closed.
  public typealias CloseHandler = (Connection, CloseReason) -> Void

  /// The identity of the process at the other end.
  public let peer: PeerIdentity
  /// The limits for the peer.
  public let limits: ConnectionLimits
  /// When the pending partial frame began to arrive; nil between frames and while paused.
  public internal(set) var partialSince: BootInstant?
  /// Whether a process other than the one that connected has sent input, or the sender is unknown.
  ///
  /// A descriptor can be passed on or inherited. A reused process id is not detected; see
  /// ``holdPeerProcess()``.
  public internal(set) var hasStrangersInput = false

  enum State {
    case idle
    case open
    /// The peer will send nothing more, but may still read.
    case inputEnded
    /// We will send nothing more; the queued output is still being written.
    case flushing
    case closed
  }

  /// Unowned, because the loop owns its connections.
  unowned let loop: EventLoop
  private var socket: FileDescriptor?
  let descriptor: Int32
  var state = State.idle
  var isPaused = false
  /// Whether a frame handler runs, which borrows bytes of `input` or of the loop's memory.
  var isDelivering = false
  /// Whether the next turn is scheduled to deliver frames that have arrived already.
  var isContinuing = false
  /// A partial frame, or frames left over by a pause or beyond a turn's share.
  var input = ByteQueue()
  /// The length of the prefix of `input` that is known to hold no NUL.
  var scanned = 0
  var output = ByteQueue()
  var deadline: TimerToken?
  /// Asked whether so many bytes more may be kept, of frames in parts and of output; otherwise the connection closes.
  public var mayKeep: (Int) -> Bool = { _ in true }
  var onFrame: FrameHandler?
  private var onClose: CloseHandler?

  /// Wraps a non-blocking `socket`; nothing is read before ``start(onFrame:onClose:)``.
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
    // Without SO_PASSCRED every sender would count as a stranger.
    _ = la_socket_tell_senders(descriptor)
  }

  /// Starts reading.
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

  /// Takes a reference to the process at the other end, to recognise it later.
  ///
  /// It is taken on demand, because it costs a second descriptor that most connections never need.
  /// Nil if the connection is closed, or if the process has ended or is not visible.
  public func holdPeerProcess() -> ProcessReference? {
    guard state != .closed else { return nil }
    return ProcessReference(peerOf: descriptor, processID: peer.processID)
  }

  /// The peer's identity with a reference to its process, if one can be taken.
  public func holdPeer() -> PeerIdentity {
    PeerIdentity(
      processID: peer.processID,
      userID: peer.userID,
      groupID: peer.groupID,
      process: holdPeerProcess()
    )
  }

  /// The number of bytes queued for the peer.
  public var outputCount: Int { output.count }

  /// The number of bytes kept for the peer: queued ones, and those of frames that are not handled yet.
  public var keptCount: Int { input.count + output.count }

  /// Sends a message, which must contain no NUL, and the NUL that ends it.
  ///
  /// Queues what the socket does not take at once, up to the limit. Returns false if the connection
  /// is closing or closed, also if this message closed it.
  @discardableResult
  public func send(_ message: Span<UInt8>) -> Bool {
    guard isOpen else { return false }
    // SAFETY: the bytes stay in place for the call, and are copied if they are queued.
    return unsafe message.withUnsafeBytes { bytes in unsafe transmit(bytes) }
  }

  /// Sends a message that contains no secret: an array cannot be wiped.
  @discardableResult
  public func send(_ message: [UInt8]) -> Bool { send(message.span) }

  /// Stops reading: the kernel blocks the peer, and its time limit for a frame is suspended.
  ///
  /// A frame handler that pauses gets no further frame. A peer that hangs up is still noticed.
  public func pauseReading() {
    isPaused = true
    clearPartial()
  }

  /// Resumes reading, starting in the next turn with what has arrived already.
  public func resumeReading() {
    guard isPaused else { return }
    isPaused = false
    updateInterest()
    if !input.isEmpty { continueNextTurn() }
  }

  /// Closes now or, with `afterFlush`, once the queued output is sent or the flush time is over.
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
        // Deliver waiting frames first; the kernel reports this readiness again.
        return
      }
      if isPaused {
        // A hang-up is reported unasked; after it there is no peer to resume for.
        if isGone { return finish(.peerClosed) }
        // Most peers send nothing during a pause, so read interest is dropped only once one does.
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
    // After the close the descriptor number may belong to another connection.
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
    // A frame handler up the stack may still borrow the input; it is wiped when that returns.
    if !isDelivering { input.removeAll() }
    onFrame = nil
    mayKeep = { _ in true }
    guard let onClose else { return }
    self.onClose = nil
    // Deferred, because the caller may be in the middle of a change.
    loop.onNextTurn { [self] in onClose(self, reason) }
  }
}
