/// Limits and framing of the messages between the daemon and a PAM worker.
///
/// A frame is a little-endian u32 that counts the bytes after it (the body), a kind byte, the id of
/// the conversation (u64) and the payload. The id lets both sides drop messages that arrive too
/// late. A string is a u16 count and that many bytes of UTF-8; an absent one has the count 0xFFFF.
public enum WorkerMessage {
  /// The size in bytes of the count before each body.
  public static let lengthSize = 4
  /// The maximum size of a body, in bytes.
  public static let bodyLimit = 65_536
  /// The size in bytes of a frame that carries an answer, without the answer.
  public static let responseOverhead = lengthSize + headerSize
  /// The maximum size in bytes of a text shown to the user (PAM_MAX_MSG_SIZE); longer texts are
  /// cut.
  public static let textLimit = 512
  /// The maximum size of an answer in bytes: PAM_MAX_RESP_SIZE without the NUL that C adds.
  public static let answerLimit = 511
  /// The maximum number of prompts in one conversation.
  public static let promptLimit = 32
  /// The maximum number of informational and error texts in one conversation.
  public static let noticeLimit = 64

  /// The size in bytes of the kind and the conversation's id, which begin each body.
  static let headerSize = 9
  /// The count of a string that is absent.
  static let absent: UInt64 = 0xFFFF

  /// Returns the size in bytes of a frame's body, from the count before it.
  public static func bodySize(length: UInt32) throws(WorkerMessageError) -> Int {
    guard length >= headerSize else { throw .truncated }
    guard length <= bodyLimit else { throw .tooLong }
    return Int(length)
  }

  /// Returns the total size in bytes of the frame at the start of `received`; nil if its count is
  /// incomplete.
  public static func frameSize(_ received: borrowing Span<UInt8>) throws(WorkerMessageError) -> Int?
  {
    guard received.count >= lengthSize else { return nil }
    var reader = BodyReader()
    let length = UInt32(try reader.integer(received, size: lengthSize))
    return try lengthSize + bodySize(length: length)
  }
}

/// Why bytes are not a message between the daemon and a worker, or cannot become one.
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
  /// An answer holds a NUL byte, at which PAM would cut it off.
  case answerHoldsNUL
  /// The buffer for a frame is too small.
  case noRoom
}
