/// Writes one frame without its answer, which is only counted: the caller appends it.
struct FrameWriter {
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

  /// Appends a module's text of any length, cut to the limit.
  mutating func append(cutting text: String) {
    guard text.utf8.count > WorkerMessage.textLimit else { return append(text) }
    var end = text.utf8.index(text.startIndex, offsetBy: WorkerMessage.textLimit)
    // Cut between characters, never inside one's bytes.
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

/// Reads one body field by field.
struct BodyReader {
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
