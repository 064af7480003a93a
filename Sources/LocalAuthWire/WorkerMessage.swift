/// Limits and framing of what the daemon and a PAM worker say to each other.
///
/// A frame is a little-endian u32 that counts the bytes after it (the body), a kind byte, the id of
/// the conversation (u64) and the payload. The id lets both sides drop what comes too late. A string
/// is a u16 count and that many bytes of UTF-8; an absent one has the count 0xFFFF.
public enum WorkerMessage {
  /// Bytes of the count before each body.
  public static let lengthSize = 4
  /// The most bytes a body may have.
  public static let bodyLimit = 65_536
  /// Bytes of a frame that carries an answer, without the answer.
  public static let responseOverhead = lengthSize + headerSize
  /// The most bytes of a text shown to the user (PAM_MAX_MSG_SIZE); longer texts are cut.
  public static let textLimit = 512
  /// The most bytes of an answer: PAM_MAX_RESP_SIZE without the NUL that C adds.
  public static let answerLimit = 511
  /// The most prompts in one conversation.
  public static let promptLimit = 32
  /// The most informational and error texts in one conversation.
  public static let noticeLimit = 64

  /// Bytes of the kind and the conversation's id, with which each body begins.
  static let headerSize = 9
  /// The count of a string that is absent.
  static let absent: UInt64 = 0xFFFF

  /// How many bytes the body of a frame has, from the count before it.
  public static func bodySize(length: UInt32) throws(WorkerMessageError) -> Int {
    guard length >= headerSize else { throw .truncated }
    guard length <= bodyLimit else { throw .tooLong }
    return Int(length)
  }

  /// How many bytes the frame at the start of `received` has in all; nil until its count is there.
  public static func frameSize(_ received: borrowing Span<UInt8>) throws(WorkerMessageError) -> Int?
  {
    guard received.count >= lengthSize else { return nil }
    var reader = BodyReader()
    let length = UInt32(try reader.integer(received, size: lengthSize))
    return try lengthSize + bodySize(length: length)
  }
}

/// Why bytes are not a message between daemon and worker, or cannot become one.
public enum WorkerMessageError: Error, Equatable, Sendable {
  /// The bytes end before the message does.
  case truncated
  /// There are bytes after the message.
  case trailingBytes
  /// A frame or a string is longer than its limit.
  case tooLong
  /// No message of this direction has this kind.
  case unknownKind(UInt8)
  /// No verdict has this number.
  case unknownVerdict(UInt8)
  /// A string is not UTF-8, holds control characters, or is not what its field allows.
  case malformedString
  /// An answer holds a NUL byte, after which PAM would see nothing.
  case answerHoldsNUL
  /// The buffer for a frame is too small.
  case noRoom
}
