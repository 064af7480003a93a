/// A message from a worker to the daemon.
public enum WorkerReply: Equatable, Sendable {
  /// The worker is ready for a conversation.
  case ready
  /// A module asks the user for something; `echo` says whether the answer may be visible.
  case prompt(conversation: UInt64, echo: Bool, text: String)
  /// A module informs the user.
  case info(conversation: UInt64, text: String)
  /// A module reports an error to the user.
  case error(conversation: UInt64, text: String)
  /// The conversation is over.
  case finished(conversation: UInt64, PAMJudgement)

  private static let readyKind: UInt8 = 16
  private static let promptKind: UInt8 = 17
  private static let infoKind: UInt8 = 18
  private static let errorKind: UInt8 = 19
  private static let finishedKind: UInt8 = 20

  /// Reads the body of a frame.
  public init(body: borrowing Span<UInt8>) throws(WorkerMessageError) {
    var reader = BodyReader()
    let kind = UInt8(try reader.integer(body, size: 1))
    let id = try reader.integer(body, size: 8)
    switch kind {
    case Self.readyKind: self = .ready
    case Self.promptKind:
      let echo = try reader.integer(body, size: 1) != 0
      self = .prompt(conversation: id, echo: echo, text: try reader.text(body))
    case Self.infoKind: self = .info(conversation: id, text: try reader.text(body))
    case Self.errorKind: self = .error(conversation: id, text: try reader.text(body))
    case Self.finishedKind: self = .finished(conversation: id, try reader.judgement(body))
    default: throw .unknownKind(kind)
    }
    guard reader.offset == body.count else { throw .trailingBytes }
  }

  /// The frame of this message; texts are cut to ``WorkerMessage/textLimit``.
  public var frame: [UInt8] {
    var writer: FrameWriter
    switch self {
    case .ready: writer = FrameWriter(kind: Self.readyKind, conversation: 0)
    case .prompt(let conversation, let echo, let text):
      writer = FrameWriter(kind: Self.promptKind, conversation: conversation)
      writer.append(echo ? 1 : 0, size: 1)
      writer.append(cutting: text)
    case .info(let conversation, let text):
      writer = FrameWriter(kind: Self.infoKind, conversation: conversation)
      writer.append(cutting: text)
    case .error(let conversation, let text):
      writer = FrameWriter(kind: Self.errorKind, conversation: conversation)
      writer.append(cutting: text)
    case .finished(let conversation, let judgement):
      writer = FrameWriter(kind: Self.finishedKind, conversation: conversation)
      let (number, detail) = judgement.verdict.encoded
      writer.append(UInt64(number), size: 1)
      writer.append(UInt64(detail), size: 4)
      if let user = judgement.user { writer.append(cutting: user) } else { writer.append(nil) }
      writer.append(cutting: judgement.message)
    }
    return writer.frame
  }
}
