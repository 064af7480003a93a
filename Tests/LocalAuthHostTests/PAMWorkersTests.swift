import Glibc
import LocalAuthSecret
import LocalAuthService
import LocalAuthTestSupport
import LocalAuthUnix
import Testing

@testable import LocalAuthCore
@testable import LocalAuthHost

/// Which worker judges what, with a program of the test's that behaves as its service is called.
@Suite struct PAMWorkersTests {
  private let scratch = ScratchDirectory()
  private let loop: EventLoop
  private let workers: PAMWorkers

  /// Serves one call after the other, as the real one does, and notes that it was started.
  private static let program = #"""
    #!/usr/bin/python3
    import json, os, select, signal, socket, sys

    service, log = sys.argv[2], os.path.join(sys.argv[4], "started")
    with open(log, "a") as file:
        file.write(f"{service}:{os.getpid()}\n")
    listener = socket.socket(fileno=3)

    def call(connection):
        text = b""
        while not text.endswith(b"\0"):
            text += connection.recv(4096) or b"\0"
        return json.loads(text[:-1])

    def say(connection, parameters, continues=False):
        message = {"parameters": parameters, "continues": continues}
        try:
            connection.sendall(json.dumps(message).encode() + b"\0")
        except OSError:
            pass

    def judge(connection, attempt):
        say(connection, {"armed": True}, True)
        if service == "hang":
            open(os.path.join(sys.argv[4], "hangs"), "w").close()
            signal.pause()
        if service == "die":
            os._exit(1)
        match = True
        if service in ("ask", "again"):
            say(connection, {"question": {"text": "Password: ", "echoes": False}}, True)
            if connection in select.select([connection, listener], [], [])[0]:
                return
            answer, _ = listener.accept()
            match = call(answer)["parameters"]["answer"] == "right"
            say(answer, {})
            if service == "again":
                select.select([connection], [], [])
                return
        say(connection, {"verdict": {"attempt": attempt, "match": match}})

    while True:
        connection, _ = listener.accept()
        request = call(connection)
        if request["method"].endswith("Arm"):
            judge(connection, request["parameters"]["attempt"])
        else:
            say(connection, {"version": "1", "kind": "password", "asks": "text", "reportsPresence": False,
                             "simulated": False})
        connection.close()
    """#

  init() throws {
    loop = try EventLoop()
    scratch.write(Self.program, to: "worker", mode: 0o700)
    workers = PAMWorkers(
      loop: loop,
      source: .program(scratch.file("worker")),
      places: PAMPlaces(ofOne: 2, ofStrangers: 2, ofAll: 3),
      home: nil
    )
  }

  /// What one conversation said.
  private final class Heard {
    var events: [AuthenticatorEvent] = []
    var judgment: (any Judgment)?
    var isAsked: Bool {
      events.contains { if case .prompt = $0 { true } else { false } }
    }
    var verdict: Verdict? {
      for case .ended(let verdict) in events { return verdict }
      return nil
    }
  }

  private func converse(
    _ service: String,
    from origin: Origin = .owner,
    limit: Duration = .seconds(60)
  ) -> Heard {
    let heard = Heard()
    heard.judgment = workers.converse(
      uid: getuid(),
      from: origin,
      service: service,
      directory: scratch.path,
      limit: limit,
      for: DurableCharge(AttemptID(EvaluationID(high: 1, low: 2), .passcode))
    ) { heard.events.append($0) }
    return heard
  }

  /// Runs the loop until `isTrue`.
  private func run(until isTrue: () throws -> Bool) throws {
    let deadline = Deadline.after(.seconds(60))
    while try !isTrue() {
      try #require(!deadline.hasPassed)
      _ = try loop.runOnce(timeout: .milliseconds(20))
    }
  }

  private func judge(_ service: String) throws -> Verdict? {
    let heard = converse(service)
    try run { heard.verdict != nil }
    return heard.verdict
  }

  /// The workers that were started, each with its service.
  private func started() throws -> [(service: String, process: Int32)] {
    let text = String(decoding: scratch.read("started") ?? [], as: UTF8.self)
    return text.split(separator: "\n").compactMap { line in
      let words = line.split(separator: ":")
      return Int32(words[1]).map { (String(words[0]), $0) }
    }
  }

  /// Whether the process is there, and not only to be reaped.
  private func isRunning(_ process: Int32) -> Bool {
    guard let file = unsafe fopen("/proc/\(process)/stat", "r") else { return false }
    defer { unsafe fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 512)
    let count = unsafe fread(&bytes, 1, bytes.count, file)
    let rest = bytes[..<count].split(separator: UInt8(ascii: ")")).last ?? []
    return count > 0 && !rest.starts(with: Array(" Z".utf8))
  }

  @Test func aWorkerIsUsedAgainForItsServiceAndForNoOther() throws {
    #expect(try judge("permit") == .proven(finger: nil, generation: nil))
    #expect(try judge("permit") == .proven(finger: nil, generation: nil))
    #expect(try started().count == 1)
    #expect(try judge("other") == .proven(finger: nil, generation: nil))
    #expect(try started().map(\.service) == ["permit", "other"])
    let first = try started()[0].process
    try run { !isRunning(first) }
    workers.shutDown()
  }

  @Test func aWorkerWhoseAttemptWasBrokenOffIsUsedAgainOnceItIsIdle() throws {
    let heard = converse("ask")
    try run { heard.isAsked }
    heard.judgment?.abort()
    try run { heard.verdict != nil }
    #expect(heard.verdict == .unjudged(ConversationFailure.aborted.outcome))
    // Until it has said so it is busy.
    let second = converse("ask")
    try run { second.isAsked }
    #expect(try started().count == 2)
    var secret = Secret(capacity: 8)
    for byte in "right".utf8 { _ = secret.append(byte) }
    second.judgment?.respond(SecretBox(secret))
    try run { second.verdict != nil }
    #expect(second.verdict == .proven(finger: nil, generation: nil))
    let third = converse("ask")
    try run { third.isAsked }
    #expect(try started().count == 2)
    workers.shutDown()
    try run { third.verdict != nil }
  }

  @Test func aWorkerThatGoesOnWithABrokenOffAttemptIsKilled() throws {
    let heard = converse("hang")
    // One that was never armed is idle.
    try run { scratch.read("hangs") != nil }
    let process = try started()[0].process
    heard.judgment?.abort()
    try run { heard.verdict != nil }
    #expect(heard.verdict == .unjudged(ConversationFailure.aborted.outcome))
    try run { !isRunning(process) }
    #expect(try judge("permit") == .proven(finger: nil, generation: nil))
    workers.shutDown()
  }

  @Test func oneUserHasSoManyConversationsAndNoMore() throws {
    let open = [converse("ask"), converse("ask")]
    try run { open.allSatisfy(\.isAsked) }
    #expect(try judge("ask") == .unjudged(ConversationFailure.tooMany.outcome))
    open[0].judgment?.abort()
    try run { open[0].verdict != nil }
    // It counts until the worker is known to be idle.
    let next = converse("ask")
    if next.verdict == nil { try run { next.isAsked || next.verdict != nil } }
    workers.shutDown()
    try run { open[1].verdict != nil }
  }

  @Test func aStrangersQuestionGivesWayToTheOwnerAndItsWorkerIsGone() throws {
    let strangers = [converse("ask", from: .user(54_420)), converse("ask", from: .user(54_420))]
    let owner = converse("ask")
    try run { (strangers + [owner]).allSatisfy(\.isAsked) }
    // In the order in which they came to run, which is not always that of the calls.
    let workersBefore = try started().map(\.process)
    #expect(workersBefore.count == 3)
    let second = converse("ask")
    // At once, and not only when the other one is known to be idle.
    try run { second.isAsked && strangers[0].verdict != nil }
    #expect(strangers[0].verdict == .unjudged(ConversationFailure.gaveWay.outcome))
    #expect(strangers[1].verdict == nil && owner.verdict == nil)
    try run { workersBefore.count(where: isRunning) == 2 }
    // The owner has as many as one may have.
    let third = converse("ask")
    try run { third.verdict != nil }
    #expect(third.verdict == .unjudged(ConversationFailure.tooMany.outcome))
    workers.shutDown()
    try run { second.verdict != nil && owner.verdict != nil && strangers[1].verdict != nil }
  }

  @Test func whatWasTypedIsJudgedWhoeverWaits() throws {
    // One that goes on after its first answer.
    let strangers = [
      converse("again", from: .user(54_420)), converse("again", from: .user(54_421)),
    ]
    let owner = converse("ask")
    try run { (strangers + [owner]).allSatisfy(\.isAsked) }
    for stranger in strangers {
      var secret = Secret(capacity: 8)
      for byte in "guess".utf8 { _ = secret.append(byte) }
      stranger.judgment?.respond(SecretBox(secret))
    }
    let second = converse("ask")
    try run { second.verdict != nil }
    #expect(second.verdict == .unjudged(ConversationFailure.tooMany.outcome))
    #expect(strangers.allSatisfy { $0.verdict == nil })
    // Broken off it holds its worker for a while, which whoever comes first need not wait for.
    strangers[1].judgment?.abort()
    let third = converse("ask")
    try run { third.isAsked && strangers[1].verdict != nil }
    #expect(strangers[1].verdict == .miss)
    workers.shutDown()
    try run { third.verdict != nil && owner.verdict != nil && strangers[0].verdict != nil }
  }

  @Test func strangersShareTheirPlacesAmongThemselves() throws {
    let greedy = [converse("ask", from: .host("a")), converse("ask", from: .host("a"))]
    try run { greedy.allSatisfy(\.isAsked) }
    let other = converse("ask", from: .host("b"))
    try run { other.isAsked && greedy[0].verdict != nil }
    #expect(greedy[0].verdict == .unjudged(ConversationFailure.gaveWay.outcome))
    // Now each has one.
    let more = converse("ask", from: .host("c"))
    try run { more.verdict != nil }
    #expect(more.verdict == .unjudged(ConversationFailure.tooMany.outcome))
    workers.shutDown()
    try run { other.verdict != nil && greedy[1].verdict != nil }
  }

  @Test func aWorkerThatEndsTakesNothingAlong() throws {
    #expect(try judge("die") == .unjudged(ConversationFailure.workerDied.outcome))
    #expect(try judge("permit") == .proven(finger: nil, generation: nil))
    let spare = try #require(try started().last).process
    kill(spare, SIGKILL)
    try run { !isRunning(spare) }
    // The loop hears of it before anything is asked.
    _ = try loop.runOnce(timeout: .zero)
    #expect(try judge("permit") == .proven(finger: nil, generation: nil))
    workers.shutDown()
  }

  @Test func aWorkerThatTakesTooLongIsKilled() throws {
    let heard = converse("hang", limit: .milliseconds(300))
    try run { heard.verdict != nil }
    #expect(heard.verdict == .unjudged(ConversationFailure.timedOut.outcome))
    workers.shutDown()
  }

  @Test(arguments: ["", "../x", "Upper"]) func aServiceThatCannotBeOneIsRefused(
    name: String
  ) throws {
    #expect(try judge(name) == .unjudged(ConversationFailure.badService.outcome))
    #expect(
      workers.obstacle(service: name, directory: scratch.path)
        == ConversationFailure.badService.outcome
    )
  }
}
