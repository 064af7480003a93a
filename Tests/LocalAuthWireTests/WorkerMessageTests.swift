import Glibc
import LocalAuthTestSupport
import LocalAuthWire
import Testing

@Suite struct WorkerMessageTests {
  /// SEED replays a run.
  private static let seed: UInt64 =
    unsafe getenv("SEED")
    .flatMap { text in unsafe UInt64(String(cString: text)) } ?? .random(in: 0 ... .max)

  private static let judgements = verdicts.map { verdict in
    PAMJudgement(verdict: verdict, user: "anna", message: "Erfolg: ü")
  }
  private static let verdicts: [PAMVerdict] = [
    .success, .wrongCredential, .userUnknown, .permissionDenied, .maxTries, .accountExpired,
    .credentialExpired, .passwordChangeRequired, .authInfoUnavailable,
    .aborted(afterAnswer: false), .aborted(afterAnswer: true), .userChanged, .other(code: 25),
    .other(code: .min),
  ]

  private static let replies: [WorkerReply] =
    [
      .ready, .prompt(conversation: 7, echo: false, text: "Password: "),
      .prompt(conversation: .max, echo: true, text: ""), .info(conversation: 0, text: "ü"),
      .error(conversation: 1, text: "no"),
      .finished(
        conversation: 3,
        PAMJudgement(verdict: .userChanged, user: nil, message: "")
      ),
    ]
    + judgements.map { judgement in .finished(conversation: 4, judgement) }

  private static func requests() throws -> [PAMRequest] {
    [
      try PAMRequest(service: "localauth", user: "anna"),
      try PAMRequest(
        service: "a-b_c.9",
        user: "rené",
        configurationDirectory: "/tmp/x",
        remoteUser: "bert",
        terminal: "/dev/pts/3"
      ),
      try PAMRequest(
        service: "s",
        user: String(repeating: "u", count: 256),
        configurationDirectory: "/" + String(repeating: "d", count: 4094)
      ),
    ]
  }

  // MARK: What is written is read

  @Test(arguments: replies) func repliesSurviveTheWire(reply: WorkerReply) throws {
    let frame = reply.frame
    #expect(try WorkerMessage.frameSize(frame.span) == frame.count)
    #expect(try WorkerReply(body: body(frame).span) == reply)
  }

  @Test func requestsSurviveTheWire() throws {
    for request in try Self.requests() {
      let frame = WorkerRequest.startFrame(conversation: 5, request)
      #expect(try WorkerMessage.frameSize(frame.span) == frame.count)
      #expect(try WorkerRequest(body: body(frame).span) == .start(conversation: 5, request))
    }
    let abort = WorkerRequest.abortFrame(conversation: .max)
    #expect(try WorkerRequest(body: body(abort).span) == .abort(conversation: .max))
  }

  @Test func answersStayWhereTheyAre() throws {
    for text in ["", "a", "correct horse", String(repeating: "ü", count: 255)] {
      let answer = Array(text.utf8)
      let frame = try responseFrame(answer, room: answer.count + WorkerMessage.responseOverhead)
      let body = body(frame)
      guard case .respond(8, let range) = try WorkerRequest(body: body.span) else {
        Issue.record("not an answer")
        return
      }
      #expect(Array(body[range]) == answer)
    }
  }

  @Test func responseTouchesNothingBehindItself() throws {
    var buffer = [UInt8](repeating: 0xEE, count: 40)
    let answer: [UInt8] = [1, 2, 3]
    var span = buffer.mutableSpan
    let count = try WorkerRequest.writeResponse(answer.span, conversation: 8, to: &span)
    #expect(count == 3 + WorkerMessage.responseOverhead)
    #expect(buffer[count...].allSatisfy { byte in byte == 0xEE })
  }

  // MARK: Limits

  @Test func longTextsAreCutBetweenCharacters() throws {
    for (text, kept) in [
      (String(repeating: "x", count: 513), 512), (String(repeating: "ü", count: 400), 512),
      ("x" + String(repeating: "ü", count: 400), 511),
      (String(repeating: "\u{1F511}", count: 200), 512),
      ("xyz" + String(repeating: "\u{1F511}", count: 200), 511),
      ("e" + String(repeating: "\u{301}", count: 600), 511),
    ] {
      let frame = WorkerReply.info(conversation: 1, text: text).frame
      guard case .info(1, let read) = try WorkerReply(body: body(frame).span) else {
        Issue.record("not a text")
        return
      }
      #expect(read.utf8.count == kept)
      #expect(text.unicodeScalars.starts(with: read.unicodeScalars))
    }
  }

  @Test func longTextsOfPeersAreRefused() {
    var frame = WorkerReply.info(conversation: 1, text: String(repeating: "x", count: 512)).frame
    frame[13] = 1
    frame.append(0x78)
    #expect(throws: WorkerMessageError.tooLong) {
      try WorkerReply(body: body(frame).span)
    }
  }

  @Test func answersPAMWouldNotSeeWholeAreRefused() {
    let long = [UInt8](repeating: 0x61, count: WorkerMessage.answerLimit + 1)
    #expect(throws: WorkerMessageError.tooLong) { try responseFrame(long, room: 1000) }
    #expect(throws: WorkerMessageError.answerHoldsNUL) {
      try responseFrame([0x61, 0, 0x62], room: 1000)
    }
    #expect(throws: WorkerMessageError.noRoom) { try responseFrame([0x61], room: 13) }
    #expect(throws: WorkerMessageError.noRoom) { try responseFrame([], room: 0) }
    let header: [UInt8] = [2, 1, 0, 0, 0, 0, 0, 0, 0]
    #expect(throws: WorkerMessageError.tooLong) {
      try WorkerRequest(body: (header + long).span)
    }
    #expect(throws: WorkerMessageError.answerHoldsNUL) {
      try WorkerRequest(body: (header + [0x61, 0]).span)
    }
  }

  @Test func framesOutsideTheLimitsAreRefusedByTheirCount() throws {
    for bytes: [UInt8] in [[], [9], [9, 0, 0]] {
      #expect(try WorkerMessage.frameSize(bytes.span) == nil)
    }
    #expect(try WorkerMessage.bodySize(length: 65_536) == 65_536)
    for (length, error) in [
      (UInt32(0), WorkerMessageError.truncated), (8, .truncated), (65_537, .tooLong),
      (.max, .tooLong),
    ] {
      #expect(throws: error) { try WorkerMessage.bodySize(length: length) }
    }
  }

  // MARK: Hostile bytes

  @Test func everyPrefixOfAMessageIsRefused() throws {
    for reply in Self.replies {
      let body = body(reply.frame)
      for count in 0..<body.count {
        #expect(throws: WorkerMessageError.self) {
          try WorkerReply(body: Array(body[..<count]).span)
        }
      }
    }
    for request in try Self.requests() {
      let body = body(WorkerRequest.startFrame(conversation: 5, request))
      for count in 0..<min(body.count, 400) {
        #expect(throws: WorkerMessageError.truncated) {
          try WorkerRequest(body: Array(body[..<count]).span)
        }
      }
    }
  }

  @Test func bytesBehindAMessageAreRefused() throws {
    for reply in Self.replies {
      #expect(throws: WorkerMessageError.trailingBytes) {
        try WorkerReply(body: (body(reply.frame) + [0]).span)
      }
    }
    let abort = body(WorkerRequest.abortFrame(conversation: 1))
    #expect(throws: WorkerMessageError.trailingBytes) {
      try WorkerRequest(body: (abort + [0]).span)
    }
  }

  @Test func messagesOfTheOtherDirectionAreRefused() throws {
    for reply in Self.replies {
      let body = body(reply.frame)
      #expect(throws: WorkerMessageError.unknownKind(body[0])) {
        try WorkerRequest(body: body.span)
      }
    }
    for request in try Self.requests() {
      let body = body(WorkerRequest.startFrame(conversation: 5, request))
      #expect(throws: WorkerMessageError.unknownKind(body[0])) { try WorkerReply(body: body.span) }
    }
  }

  @Test func unknownVerdictsAreNoSuccess() {
    var body = body(
      WorkerReply.finished(
        conversation: 1,
        PAMJudgement(verdict: .success, user: nil, message: "")
      ).frame
    )
    for number in UInt8(12)...255 {
      body[9] = number
      #expect(throws: WorkerMessageError.unknownVerdict(number)) {
        try WorkerReply(body: body.span)
      }
    }
  }

  @Test func textsThatAreNotUTF8AreRefused() {
    var body = body(WorkerReply.info(conversation: 1, text: "abc").frame)
    body[12] = 0xFF
    #expect(throws: WorkerMessageError.malformedString) { try WorkerReply(body: body.span) }
  }

  @Test(
    arguments: [
      ("", "anna", nil), (".hidden", "anna", nil), ("../passwd", "anna", nil), ("a/b", "anna", nil),
      ("Local", "anna", nil), ("with space", "anna", nil), ("nul\0", "anna", nil),
      ("ü", "anna", nil),
      ("s", "", nil), ("s", "root\0x", nil), ("s", "a\nb", nil), ("s", "a\u{7F}", nil),
      ("s", "anna", ""), ("s", "anna", "relative/folder"), ("s", "anna", "/nul\0"),
    ] as [(String, String, String?)]
  )
  func refusesNamesThatMeanSomethingElse(service: String, user: String, folder: String?) {
    #expect(throws: WorkerMessageError.malformedString) {
      try PAMRequest(service: service, user: user, configurationDirectory: folder)
    }
  }

  @Test func refusesLongNames() {
    let long = String(repeating: "x", count: 257)
    #expect(throws: WorkerMessageError.tooLong) { try PAMRequest(service: "s", user: long) }
    #expect(throws: WorkerMessageError.tooLong) { try PAMRequest(service: long, user: "u") }
    #expect(throws: WorkerMessageError.tooLong) {
      try PAMRequest(service: "s", user: "u", remoteUser: long)
    }
    #expect(throws: WorkerMessageError.tooLong) {
      try PAMRequest(service: "s", user: "u", terminal: long)
    }
    #expect(throws: WorkerMessageError.tooLong) {
      let folder = "/" + String(repeating: "x", count: 4095)
      _ = try PAMRequest(service: "s", user: "u", configurationDirectory: folder)
    }
  }

  @Test func damagedMessagesAreReadOrRefusedAndNeverTrap() throws {
    var generator = SeededGenerator(seed: Self.seed)
    var bodies = Self.replies.map { reply in body(reply.frame) }
    for request in try Self.requests().prefix(2) {
      bodies.append(body(WorkerRequest.startFrame(conversation: 5, request)))
    }
    for round in 0..<20_000 {
      var damaged = bodies[round % bodies.count]
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        let index = Int.random(in: damaged.indices, using: &generator)
        damaged[index] = UInt8.random(in: 0...255, using: &generator)
      }
      if Bool.random(using: &generator) {
        damaged.removeLast(Int.random(in: 0..<damaged.count, using: &generator))
      }
      // What is accepted keeps its meaning on another trip.
      if let reply = try? WorkerReply(body: damaged.span) {
        let again = try WorkerReply(body: body(reply.frame).span)
        #expect(again == reply, "seed \(Self.seed)")
      }
      _ = try? WorkerRequest(body: damaged.span)
    }
  }

  // MARK: Bytes

  private func body(_ frame: [UInt8]) -> [UInt8] { Array(frame[WorkerMessage.lengthSize...]) }

  private func responseFrame(_ answer: [UInt8], room: Int) throws -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: room)
    var span = buffer.mutableSpan
    let count = try WorkerRequest.writeResponse(answer.span, conversation: 8, to: &span)
    return Array(buffer[..<count])
  }
}
