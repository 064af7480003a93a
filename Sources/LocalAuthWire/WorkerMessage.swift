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

/// What the daemon asks of PAM: who is to be authenticated, by which service.
public struct PAMRequest: Equatable, Sendable {
  /// The name of the service file: lowercase letters, digits, `_`, `-` and `.`, at most 64 bytes.
  public let service: String
  /// The account to authenticate, at most 256 bytes.
  public let user: String
  /// The absolute path of a folder to read service files from instead of `/etc/pam.d`.
  public let configurationDirectory: String?
  /// Who asks (PAM_RUSER).
  public let remoteUser: String?
  /// The terminal of who asks (PAM_TTY).
  public let terminal: String?

  /// Checks each field; none may be empty or hold control characters.
  public init(
    service: String,
    user: String,
    configurationDirectory: String? = nil,
    remoteUser: String? = nil,
    terminal: String? = nil
  ) throws(WorkerMessageError) {
    // libpam takes the service as part of a path, and folds its letters to lowercase.
    let isPlain = service.utf8.allSatisfy { byte in
      (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte)
        || [0x2D, 0x2E, 0x5F].contains(byte)
    }
    guard isPlain, !service.hasPrefix(".") else { throw .malformedString }
    if let configurationDirectory {
      guard configurationDirectory.hasPrefix("/") else { throw .malformedString }
    }
    self.service = try Self.checked(service, limit: 64)
    self.user = try Self.checked(user, limit: 256)
    self.configurationDirectory = try Self.checked(configurationDirectory, limit: 4095)
    self.remoteUser = try Self.checked(remoteUser, limit: 256)
    self.terminal = try Self.checked(terminal, limit: 256)
  }

  private static func checked(_ text: String, limit: Int) throws(WorkerMessageError) -> String {
    guard text.utf8.count <= limit else { throw .tooLong }
    let isClean = text.utf8.allSatisfy { byte in byte >= 0x20 && byte != 0x7F }
    guard !text.isEmpty, isClean else { throw .malformedString }
    return text
  }

  private static func checked(_ text: String?, limit: Int) throws(WorkerMessageError) -> String? {
    guard let text else { return nil }
    return try checked(text, limit: limit) as String
  }
}

/// What the daemon tells a worker.
public enum WorkerRequest: Equatable, Sendable {
  /// Authenticate somebody. A worker holds one conversation at a time.
  case start(conversation: UInt64, PAMRequest)
  /// The answer to the prompt that is open lies in this range of the body; it stays where it is.
  case respond(conversation: UInt64, answer: Range<Int>)
  /// Nobody waits for the conversation any more.
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

  /// The frame that ends a conversation nobody waits for.
  public static func abortFrame(conversation: UInt64) -> [UInt8] {
    FrameWriter(kind: abortKind, conversation: conversation).frame
  }

  /// Writes the frame that carries an answer to the start of `buffer`, and says how long it is.
  ///
  /// The caller owns both pieces of memory, so that the answer need never leave wiped memory; the
  /// buffer needs ``WorkerMessage/responseOverhead`` bytes more than the answer has.
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

/// What a worker tells the daemon.
public enum WorkerReply: Equatable, Sendable {
  /// The worker waits for a conversation.
  case ready
  /// A module asks the user for something; `echo` says whether the answer may be seen.
  case prompt(conversation: UInt64, echo: Bool, text: String)
  /// A module informs the user.
  case info(conversation: UInt64, text: String)
  /// A module tells the user what is wrong.
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

/// What came of a conversation with PAM.
public struct PAMJudgement: Equatable, Sendable {
  /// What PAM decided, or why it could not.
  public let verdict: PAMVerdict
  /// Whom PAM holds the user to be now; the verdict is about the requested one only.
  public let user: String?
  /// The verdict in PAM's words, for logs and people.
  public let message: String

  /// States what came of a conversation.
  public init(verdict: PAMVerdict, user: String?, message: String) {
    self.verdict = verdict
    self.user = user
    self.message = message
  }
}

/// How a conversation with PAM ended.
///
/// An attempt is charged when its answer is submitted. Whether the charge stays:
///
/// | verdict | PAM code | proof | judged miss |
/// |---|---|---|---|
/// | `success` | SUCCESS of authentication and account | yes | no |
/// | `wrongCredential` | AUTH_ERR | no | yes |
/// | `userUnknown` | USER_UNKNOWN | no | yes |
/// | `permissionDenied` | PERM_DENIED, and a stack in which no module decided | no | yes |
/// | `maxTries` | MAXTRIES, or more prompts or texts than our limits | no | yes |
/// | `accountExpired` | ACCT_EXPIRED | no | no: the credential was right |
/// | `credentialExpired` | AUTHTOK_EXPIRED, CRED_EXPIRED | no | no: it was right |
/// | `passwordChangeRequired` | NEW_AUTHTOK_REQD | no | no: it was right |
/// | `authInfoUnavailable` | AUTHINFO_UNAVAIL, CRED_INSUFFICIENT, OPEN_ERR, SYMBOL_ERR, SERVICE_ERR, SYSTEM_ERR, BUF_ERR, ABORT, MODULE_UNKNOWN, and a missing service file | no | no: nothing was judged |
/// | `aborted` | the daemon ended the conversation | no | only after an answer: a module may have judged it and asked again |
/// | `userChanged` | PAM_USER is not the one asked for | no | yes |
/// | `other` | everything else, unknown codes and IGNORE included | no | yes |
public enum PAMVerdict: Equatable, Sendable {
  /// The user is who they say they are, and may use the account.
  case success
  /// The credential does not fit.
  case wrongCredential
  /// There is no such user.
  case userUnknown
  /// A module refuses, whatever the credential is.
  case permissionDenied
  /// No further try is allowed.
  case maxTries
  /// The account has expired.
  case accountExpired
  /// The credential has expired.
  case credentialExpired
  /// The password must be changed before it counts.
  case passwordChangeRequired
  /// The system cannot judge: a part of it is missing or broken.
  case authInfoUnavailable
  /// The daemon ended the conversation, or went away.
  case aborted(afterAnswer: Bool)
  /// A module authenticated somebody else.
  case userChanged
  /// PAM refused with a code that has no name here.
  case other(code: Int32)

  /// Whether this is a success, the only verdict that proves anything.
  public var isProof: Bool { self == .success }

  /// Whether the attempt counts against the user, by the table above.
  public var countsAsMiss: Bool {
    switch self {
    case .wrongCredential, .userUnknown, .permissionDenied, .maxTries, .userChanged, .other: true
    case .aborted(let afterAnswer): afterAnswer
    case .success, .accountExpired, .credentialExpired, .passwordChangeRequired,
      .authInfoUnavailable:
      false
    }
  }

  fileprivate init(number: UInt8, detail: UInt32) throws(WorkerMessageError) {
    switch number {
    case 0: self = .success
    case 1: self = .wrongCredential
    case 2: self = .userUnknown
    case 3: self = .permissionDenied
    case 4: self = .maxTries
    case 5: self = .accountExpired
    case 6: self = .credentialExpired
    case 7: self = .passwordChangeRequired
    case 8: self = .authInfoUnavailable
    case 9: self = .aborted(afterAnswer: detail != 0)
    case 10: self = .userChanged
    case 11: self = .other(code: Int32(bitPattern: detail))
    default: throw .unknownVerdict(number)
    }
  }

  fileprivate var encoded: (number: UInt8, detail: UInt32) {
    switch self {
    case .success: (0, 0)
    case .wrongCredential: (1, 0)
    case .userUnknown: (2, 0)
    case .permissionDenied: (3, 0)
    case .maxTries: (4, 0)
    case .accountExpired: (5, 0)
    case .credentialExpired: (6, 0)
    case .passwordChangeRequired: (7, 0)
    case .authInfoUnavailable: (8, 0)
    case .aborted(let afterAnswer): (9, afterAnswer ? 1 : 0)
    case .userChanged: (10, 0)
    case .other(let code): (11, UInt32(bitPattern: code))
    }
  }
}

/// Writes one frame, in which an answer is only counted: the caller puts it behind the rest.
private struct FrameWriter {
  private var bytes: [UInt8] = [0, 0, 0, 0]
  private let answerSize: Int

  init(kind: UInt8, conversation: UInt64, answerSize: Int = 0) {
    self.answerSize = answerSize
    bytes.append(kind)
    append(conversation, size: 8)
  }

  mutating func append(_ integer: UInt64, size: Int) {
    for index in 0..<size { bytes.append(UInt8(truncatingIfNeeded: integer >> (8 * index))) }
  }

  mutating func append(_ text: String?) {
    append(text.map { UInt64($0.utf8.count) } ?? WorkerMessage.absent, size: 2)
    bytes.append(contentsOf: (text ?? "").utf8)
  }

  /// Appends what a module wrote, which may be of any length.
  mutating func append(cutting text: String) {
    guard text.utf8.count > WorkerMessage.textLimit else { return append(text) }
    var end = text.utf8.index(text.startIndex, offsetBy: WorkerMessage.textLimit)
    // Cut before a character, never inside its bytes.
    while end.samePosition(in: text.unicodeScalars) == nil { end = text.utf8.index(before: end) }
    append(String(text[..<end]))
  }

  var frame: [UInt8] {
    var frame = bytes
    let length = UInt32(bytes.count - WorkerMessage.lengthSize + answerSize)
    for index in 0..<4 { frame[index] = UInt8(truncatingIfNeeded: length >> (8 * index)) }
    return frame
  }
}

/// Reads one body, piece by piece.
private struct BodyReader {
  private(set) var offset = 0

  mutating func integer(
    _ body: borrowing Span<UInt8>,
    size: Int
  ) throws(WorkerMessageError) -> UInt64 {
    guard body.count - offset >= size else { throw .truncated }
    var value: UInt64 = 0
    for index in 0..<size { value |= UInt64(body[offset + index]) << (8 * index) }
    offset += size
    return value
  }

  mutating func optionalString(
    _ body: borrowing Span<UInt8>,
    limit: Int
  ) throws(WorkerMessageError) -> String? {
    let count = try integer(body, size: 2)
    guard count != WorkerMessage.absent else { return nil }
    guard count <= limit else { throw .tooLong }
    guard body.count - offset >= Int(count) else { throw .truncated }
    let range = offset..<offset + Int(count)
    offset = range.upperBound
    do {
      return String(copying: try UTF8Span(validating: body.extracting(range)))
    } catch {
      throw .malformedString
    }
  }

  mutating func string(
    _ body: borrowing Span<UInt8>,
    limit: Int
  ) throws(WorkerMessageError) -> String {
    guard let text = try optionalString(body, limit: limit) else { throw .malformedString }
    return text
  }

  mutating func text(_ body: borrowing Span<UInt8>) throws(WorkerMessageError) -> String {
    try string(body, limit: WorkerMessage.textLimit)
  }

  mutating func request(_ body: borrowing Span<UInt8>) throws(WorkerMessageError) -> PAMRequest {
    let limit = WorkerMessage.bodyLimit
    return try PAMRequest(
      service: string(body, limit: limit),
      user: string(body, limit: limit),
      configurationDirectory: optionalString(body, limit: limit),
      remoteUser: optionalString(body, limit: limit),
      terminal: optionalString(body, limit: limit)
    )
  }

  mutating func answer(_ body: borrowing Span<UInt8>) throws(WorkerMessageError) -> Range<Int> {
    let range = offset..<body.count
    guard range.count <= WorkerMessage.answerLimit else { throw .tooLong }
    for index in range where body[index] == 0 { throw .answerHoldsNUL }
    offset = body.count
    return range
  }

  mutating func judgement(_ body: borrowing Span<UInt8>) throws(WorkerMessageError) -> PAMJudgement
  {
    let number = UInt8(try integer(body, size: 1))
    let detail = UInt32(try integer(body, size: 4))
    return PAMJudgement(
      verdict: try PAMVerdict(number: number, detail: detail),
      user: try optionalString(body, limit: WorkerMessage.textLimit),
      message: try text(body)
    )
  }
}
