/// A message from the daemon to a worker.
public enum WorkerRequest: Equatable, Sendable {
  /// Authenticate an account; a worker has one conversation at a time.
  case start(conversation: UInt64, PAMRequest)
  /// The answer to the open prompt is in this range of the body, and is not copied.
  case respond(conversation: UInt64, answer: Range<Int>)
  /// The daemon no longer waits for the conversation.
  case abort(conversation: UInt64)

  private static let startKind: UInt8 = 1
  private static let respondKind: UInt8 = 2
  private static let abortKind: UInt8 = 3

  /// Reads the body of a frame.
  public init(body: borrowing Span<UInt8>) throws(WorkerMessageError) {
    var reader = BodyReader()
    let kind = UInt8(try reader.integer(body, size: 1))
    let conversation = try reader.integer(body, size: 8)
    switch kind {
    case Self.startKind: self = .start(conversation: conversation, try reader.request(body))
    case Self.respondKind:
      self = .respond(conversation: conversation, answer: try reader.answer(body))
    case Self.abortKind: self = .abort(conversation: conversation)
    default: throw .unknownKind(kind)
    }
    guard reader.offset == body.count else { throw .trailingBytes }
  }

  /// The frame that starts a conversation.
  public static func startFrame(conversation: UInt64, _ request: PAMRequest) -> [UInt8] {
    var writer = FrameWriter(kind: startKind, conversation: conversation)
    writer.append(request.service)
    writer.append(request.user)
    writer.append(request.configurationDirectory)
    writer.append(request.remoteUser)
    writer.append(request.terminal)
    return writer.frame
  }

  /// The frame that ends a conversation that the daemon no longer waits for.
  public static func abortFrame(conversation: UInt64) -> [UInt8] {
    FrameWriter(kind: abortKind, conversation: conversation).frame
  }

  /// Writes the frame that carries an answer to the start of `buffer` and returns its size in
  /// bytes.
  ///
  /// The caller owns both buffers, so the answer never has to leave wiped memory. `buffer` needs
  /// ``WorkerMessage/responseOverhead`` bytes more than the answer.
  public static func writeResponse(
    _ answer: borrowing Span<UInt8>,
    conversation: UInt64,
    to buffer: inout MutableSpan<UInt8>
  ) throws(WorkerMessageError) -> Int {
    guard answer.count <= WorkerMessage.answerLimit else { throw .tooLong }
    let header = FrameWriter(
      kind: respondKind,
      conversation: conversation,
      answerSize: answer.count
    ).frame
    guard buffer.count >= header.count + answer.count else { throw .noRoom }
    for index in answer.indices {
      guard answer[index] != 0 else { throw .answerHoldsNUL }
      buffer[header.count + index] = answer[index]
    }
    for index in header.indices { buffer[index] = header[index] }
    return header.count + answer.count
  }
}
