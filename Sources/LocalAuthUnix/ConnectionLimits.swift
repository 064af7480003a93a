/// The limits of one ``Connection``.
public struct ConnectionLimits: Hashable, Sendable {
  /// The longest accepted frame, in bytes without its NUL.
  public var frameSize: Int
  /// How many bytes may be queued for a peer that does not read.
  public var outputSize: Int
  /// How many frames to handle before other descriptors get their turn.
  public var framesPerTurn: Int
  /// How long a peer may take to send one frame.
  public var frameTime: Duration
  /// How long a peer may take to read the queued output of a closing connection.
  public var flushTime: Duration

  /// Creates limits; the defaults are those of the daemon.
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
  /// A frame exceeded the size limit.
  case frameTooLarge
  /// A frame exceeded the time limit.
  case frameTooSlow
  /// The peer does not read, and its queued output exceeded the limit.
  case outputTooLarge
  /// Nobody has memory to spare for what the connection keeps; see ``Connection/mayKeep``.
  case noRoom
  /// The peer did not read the queued output of a closing connection in time.
  case outputTooSlow
  /// We closed it.
  case closedHere
  /// A system call failed.
  case failed(SystemError)
}
