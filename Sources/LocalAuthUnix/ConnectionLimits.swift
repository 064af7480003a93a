/// What one peer may ask of a ``Connection``.
public struct ConnectionLimits: Hashable, Sendable {
  /// The longest frame that is accepted, in bytes without its NUL.
  public var frameSize: Int
  /// How many bytes may wait for a peer that does not read.
  public var outputSize: Int
  /// How many frames are handled before other descriptors get their turn.
  public var framesPerTurn: Int
  /// How long a peer may take over one frame.
  public var frameTime: Duration
  /// How long a peer may take to read the last answers of a connection that is closing.
  public var flushTime: Duration

  /// The limits, by default those of the daemon.
  public init(
    frameSize: Int = 65_536,
    outputSize: Int = 1 << 20,
    framesPerTurn: Int = 16,
    frameTime: Duration = .seconds(10),
    flushTime: Duration = .seconds(10)
  ) {
    self.frameSize = frameSize
    self.outputSize = outputSize
    self.framesPerTurn = framesPerTurn
    self.frameTime = frameTime
    self.flushTime = flushTime
  }
}

/// Why a ``Connection`` ended.
public enum CloseReason: Hashable, Sendable {
  /// The peer closed it between two frames.
  case peerClosed
  /// The peer closed it in the middle of a frame.
  case frameIncomplete
  /// A frame is longer than the limit.
  case frameTooLarge
  /// A frame took longer than the limit.
  case frameTooSlow
  /// More bytes wait for the peer than the limit, because it does not read.
  case outputTooLarge
  /// The peer did not read the last answers in time.
  case outputTooSlow
  /// We closed it.
  case closedHere
  /// A system call failed.
  case failed(SystemError)
}
