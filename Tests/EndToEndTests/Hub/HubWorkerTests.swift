import Glibc
import LocalAuthCrypto
import LocalAuthHub
import LocalAuthKeychain
import LocalAuthSync
import LocalAuthTestSupport
import LocalAuthUnix
import Testing

/// `localauth-sync` between a daemon and a real PostgreSQL.
@Suite(.enabled(if: PostgreSQLServer.isPossible, "needs root and PostgreSQL 15"))
struct HubWorkerTests {
  private let hub: HubDevice

  init() throws { hub = try HubDevice() }

  private static let entry = HubDevice.entry([HubDevice.change(1, to: [7])], batch: 1)
  private static let place = entry.place(MessageHash())
  private static let push = HubRequest.zonePush(entry, [HubDevice.name(1): [7]])

  @Test func itDoesWhatTheDaemonAsks() throws {
    let worker = try hub.worker()
    #expect(try worker.ask(Self.push) == .pushed(.accepted(Self.place)))
    let pulled = try worker.ask(.zonePull(.items, after: 0, limit: 256))
    let page = ZonePage(entries: [Self.entry], bodies: [HubDevice.name(1): [7]], head: Self.place)
    #expect(pulled == .zone(page))
    #expect(try worker.ask(.circlePull(after: 0)) == .circle([]))
    #expect(try worker.ask(.checkpoint(.items)) == .checkpoint(nil, parts: 0))
    #expect(try worker.ask(.offer) == .letter(nil))
    #expect(try worker.ask(.heartbeats(after: nil)) == .heartbeats([], isLast: true))
    let refused = try worker.ask(.invite(hub.role, verifier: "none", offer: []))
    guard case .failed(.refused("22023", _)) = refused else {
      Issue.record("\(refused)")
      return
    }
    worker.hangUp()
    #expect(try worker.program.waitForExit() == .status(0))
  }

  @Test func whatOneDeviceTellsAnotherHears() throws {
    let (one, two) = (try hub.worker(), try hub.worker())
    #expect(try one.ask(Self.push) == .pushed(.accepted(Self.place)))
    #expect(try one.ask(.tell) == .done)
    try two.waitForNews()
    #expect(try one.ask(.circlePull(after: 0)) == .circle([]), "it does not hear itself")
  }

  @Test func aHubThatRefusesToTellIsNotAskedAgainWithoutEnd() throws {
    let server = try PostgreSQLServer(["log_min_messages=error"])
    let worker = try HubDevice(server).worker()
    try server.administrator().runScript("drop function localauth.tell()")
    #expect(try worker.ask(.tell) == .done, "it is told later")
    let notice = try worker.waitForNotice { $0 != .news }
    guard case .failed(.refused) = notice else {
      Issue.record("\(notice)")
      return
    }
    for _ in 0..<5 { _ = try worker.ask(.heads) }
    let refusals = server.log.split(separator: "\n").count {
      $0.contains("localauth.tell() does not exist")
    }
    #expect(refusals == 1)
  }

  /// The library takes it in with the answer, so nothing is left on the socket to wake up by.
  @Test func whatAnotherTellsWhileTheHubIsAskedIsHeardAfterwards() throws {
    let (one, two) = (try hub.worker(), try hub.worker())
    #expect(try one.ask(Self.push) == .pushed(.accepted(Self.place)))
    let holder = try hub.server.administrator()
    let watcher = try hub.server.administrator()
    try holder.runScript("begin; select from localauth.zone for update")
    let next = HubDevice.entry([HubDevice.change(2, to: [8])], after: Self.place, batch: 2)
    try two.send(.zonePush(next, [HubDevice.name(2): [8]]))
    let waiting = "select count(*)::text from pg_stat_activity where wait_event_type = 'Lock'"
    while try watcher.text(waiting) != "1" { sched_yield() }
    #expect(try one.ask(.tell) == .done)
    let told =
      "select count(*)::text from pg_stat_activity where query like '%tell()%' and state = 'idle'"
    while try watcher.text(told) != "1" { sched_yield() }
    try holder.runScript("commit")
    #expect(try two.receive() == .pushed(.accepted(next.place(MessageHash()))))
    try two.waitForNews()
  }

  @Test func largestPushGoesThrough() throws {
    let body = [UInt8](repeating: 7, count: 1 << 20)
    let names = (0..<8).map { UInt8($0) }
    let entry = HubDevice.entry(names.map { HubDevice.change($0, to: body) }, batch: 2)
    let bodies = Dictionary(uniqueKeysWithValues: names.map { (HubDevice.name($0), body) })
    let worker = try hub.worker()
    let pushed = try worker.ask(.zonePush(entry, bodies))
    #expect(pushed == .pushed(.accepted(entry.place(MessageHash()))))
    let page = ZonePage(entries: [entry], bodies: bodies, head: entry.place(MessageHash()))
    #expect(try worker.ask(.zonePull(.items, after: 0, limit: 9)) == .zone(page))
  }

  @Test func nothingIsDoneBeforeAHubIsNamedAndOneHubIsEnough() throws {
    let worker = try HubWorker()
    #expect(try worker.ask(.heads) == .failed(.unreachable("no hub was named yet")))
    #expect(try worker.connect(hub.address(), hub.password.text) == .done)
    try worker.send(.connect(hub.address()))
    #expect(try worker.program.waitForExit() == .status(EX_PROTOCOL))
  }

  @Test func wrongPasswordAndAnotherSchemaAreSaid() throws {
    let worker = try HubWorker()
    let reply = try worker.connect(hub.address(), HubPassword.generate().text)
    guard case .failed(.denied(let reason)) = reply else {
      Issue.record("\(reply)")
      return
    }
    #expect(reason.contains("FATAL: password authentication failed"), "the code is no part of it")
    let administrator = try hub.server.administrator()
    try administrator.runScript("insert into localauth.migration values (99, 'of the future')")
    let other = try HubWorker()
    let newer = try other.connect(hub.address(), hub.password.text)
    #expect(newer == .failed(.schema(found: 99, wanted: HubSchema.newest)))
    try administrator.runScript("drop schema localauth cascade")
    let third = try HubWorker()
    let none = try third.connect(hub.address(), hub.password.text)
    #expect(none == .failed(.schema(found: nil, wanted: HubSchema.newest)))
  }

  // MARK: A daemon that is none

  @Test(arguments: [
    [0, 0, 0, 0], [255, 255, 255, 255], HubFrame.header(HubFrame.messageMax + 1),
    HubFrame.header(3) + [1, 2, 3], HubFrame.header(1) + [0],
  ])
  func garbageEndsIt(_ bytes: [UInt8]) throws {
    let worker = try HubWorker()
    try worker.write(bytes)
    #expect(try worker.program.waitForExit() == .status(EX_PROTOCOL))
    #expect(worker.complaints == "localauth-sync: the daemon sent what is no request\n")
  }

  @Test func passwordThatIsTooLongEndsIt() throws {
    let worker = try HubWorker()
    try worker.send(.connect(hub.address()))
    try worker.write(HubFrame.header(HubFrame.passwordMax + 1))
    #expect(try worker.program.waitForExit() == .status(EX_PROTOCOL))
  }

  @Test func randomBytesEndItOrAreIgnored() throws {
    var random = SeededGenerator.ofThisRun
    for _ in 0..<20 {
      let worker = try HubWorker()
      let body = (0..<64).map { _ in UInt8.random(in: 0...255, using: &random) }
      try worker.write(HubFrame.header(body.count) + body)
      #expect(try worker.program.waitForExit() == .status(EX_PROTOCOL), "SEED=\(random.seed)")
    }
  }

  @Test func strangerIsNotListenedTo() throws {
    let worker = try HubWorker(arguments: ["--daemon", "nobody"])
    #expect(try worker.program.waitForExit() == .status(EX_NOPERM))
    let unknown = try HubWorker(arguments: ["--daemon", "no-such-account"])
    #expect(try unknown.program.waitForExit() == .status(EX_USAGE))
    let alone = try RunningProgram.run(Machine.localauthSync)
    #expect(alone.status == EX_USAGE && alone.errors.contains("descriptor 3"))
  }

  @Test func daemonsEndEndsItWhileTheHubIsSilent() throws {
    let worker = try hub.worker()
    hub.server.stop()
    defer { hub.server.resume() }
    try worker.send(.heads)
    worker.hangUp()
    #expect(try worker.program.waitForExit(within: .seconds(10)) == .status(0))
  }

  // MARK: A hub that ends

  @Test func hubThatIsStartedAgainIsFoundAgain() throws {
    let worker = try hub.worker()
    hub.server.kill()
    guard case .failed(.unreachable) = try worker.ask(.heads) else {
      Issue.record("there is no hub")
      return
    }
    try hub.server.start()
    try worker.waitForNews()
    #expect(try worker.ask(Self.push) == .pushed(.accepted(Self.place)))
  }

  @Test func whoAsksNothingIsToldThatTheHubIsLost() throws {
    let worker = try hub.worker()
    hub.server.kill()
    let notice = try worker.waitForNotice { $0 != .news }
    guard case .failed(.unreachable) = notice else {
      Issue.record("\(notice)")
      return
    }
    try hub.server.start()
    try worker.waitForNews()
  }

  @Test func whoAsksAfterTheHubCameBackIsAnsweredAtOnce() throws {
    let worker = try hub.worker()
    hub.server.kill()
    for _ in 0..<4 {
      guard case .failed(.unreachable) = try worker.ask(.heads) else {
        Issue.record("there is no hub")
        return
      }
    }
    try hub.server.start()
    #expect(try worker.ask(Self.push) == .pushed(.accepted(Self.place)))
  }

  @Test func deviceThatIsRemovedWhileItIsConnectedIsOut() throws {
    let sponsor = try hub.worker()
    let role = HubDevice.role(2)
    let password = HubPassword.generate()
    #expect(try sponsor.ask(.invite(role, verifier: password.verifier(), offer: [1])) == .done)
    let joiner = try HubWorker()
    #expect(
      try joiner.connect(hub.address(role: role), password.text)
        == .done
    )
    #expect(try joiner.ask(.ask([2])) == .done)
    #expect(try sponsor.ask(.requests) == .requests([role: [2]]))
    #expect(try sponsor.ask(.admit(role, answer: [3], entry: nil)) == .done)
    #expect(try joiner.ask(.answer) == .letter([3]))
    #expect(try joiner.ask(Self.push) == .pushed(.accepted(Self.place)))
    let idle = try HubWorker()
    #expect(try idle.connect(hub.address(role: role), password.text) == .done)
    let removal = HubDevice.removal(of: [ZoneHead(.items, Self.place)])
    let removed = try sponsor.ask(.circlePush(removal, removing: HubRemoval(entry: 2, role: role)))
    #expect(removed == .pushed(.accepted(removal.place(MessageHash()))))
    // It depends on whether the worker has noticed yet that it was disconnected.
    switch try joiner.ask(.zonePull(.items, after: 0, limit: 1)) {
    case .failed(.unreachable), .failed(.denied): break
    case let reply: Issue.record("\(reply)")
    }
    // It was disconnected, and is told why it cannot come back.
    _ = try idle.waitForNotice { if case .failed(.denied) = $0 { true } else { false } }
  }

  /// After an answer that nobody got, the same batch is sent again.
  @Test func killedHubAndTheBatchSentAgainGiveOneEntry() throws {
    var random = SeededGenerator.ofThisRun
    let body = [UInt8](repeating: 7, count: RecordFormat.bodyMax)
    var place = ChainPlace.beginning
    for batch in 1...3 {
      let entry = HubDevice.entry(
        [HubDevice.change(1, to: body)],
        after: place,
        batch: UInt64(batch)
      )
      let request = HubRequest.zonePush(entry, [HubDevice.name(1): body])
      let worker = try hub.worker()
      try worker.send(request)
      // Anywhere between a push that has not come and one that was answered.
      for _ in 0..<Int.random(in: 0...20_000, using: &random) { sched_yield() }
      hub.server.kill()
      _ = try worker.receive()
      try hub.server.start()
      try worker.waitForNews()
      place = entry.place(MessageHash())
      #expect(try worker.ask(request) == .pushed(.accepted(place)), "SEED=\(random.seed)")
    }
    let client = try hub.client()
    #expect(try client.pull(.items, after: 0).entries.count == 3)
  }

  @Test func killedWorkerLeavesNothingHalfDone() throws {
    var random = SeededGenerator.ofThisRun
    let body = [UInt8](repeating: 7, count: RecordFormat.bodyMax)
    let entry = HubDevice.entry([HubDevice.change(1, to: body)], batch: 1)
    let role = HubDevice.role(2)
    let verifier = HubPassword.generate().verifier()
    let steps: [HubRequest] = [
      .zonePush(entry, [HubDevice.name(1): body]), .putShares([HubDevice.share(to: 7)]),
      .putHeartbeat(try #require(HubDevice.heartbeat(1))), .tell, .heads,
      .circlePush(HubDevice.removal(of: []), removing: nil), .setVerifier(hub.password.verifier()),
      .invite(role, verifier: verifier, offer: [1]),
    ]
    for step in steps {
      let killed = try hub.worker()
      try killed.send(step)
      for _ in 0..<Int.random(in: 0...2000, using: &random) { sched_yield() }
      try killed.program.end(SIGKILL)
      let reply = try hub.worker().ask(step)
      switch reply {
      // An invitation is the one thing that is not sent again: its sponsor makes another.
      case .failed(.refused("42710", _)):
        guard case .invite = step else {
          Issue.record("\(reply)")
          break
        }
      case .failed, .pushed(.refused): Issue.record("\(step): \(reply), SEED=\(random.seed)")
      default: break
      }
    }
    #expect(try hub.client().pull(.items, after: 0).entries == [entry])
  }

  /// Whoever administers the hub can have its functions say anything.
  @Test(arguments: [
    (
      HubRequest.offer, "offer() returns bytea language sql",
      "select decode(repeat('00', 5000), 'hex')"
    ),
    (.offer, "offer() returns bytea language sql", "select decode(repeat('00', 20000000), 'hex')"),
    (.answer, "reply() returns bytea language sql", "select null::bytea"),
    (
      .heads,
      "heads() returns table (zone text, number bigint, digest bytea, milliseconds bigint) language sql",
      "select 'items', 1::bigint, sha256('a'), 1::bigint union all select 'items', 2::bigint, sha256('b'), 1::bigint"
    ),
    (
      .heads,
      "heads() returns table (zone text, number bigint, digest bytea, milliseconds bigint) language sql",
      "select repeat('z', 500), -1::bigint, 'short'::bytea, 1::bigint"
    ),
    (
      .zonePull(.items, after: 0, limit: 1),
      "zone_pull(of_zone text, after bigint, most integer) returns table (kind text, number bigint, name bytea, body bytea) language sql",
      "select 'record', 1::bigint, 'n'::bytea, decode(repeat('00', 3000000), 'hex') from generate_series(1, 9)"
    ),
  ])
  func answersThatKeepNoRulesAreNotPassedOn(
    _ request: HubRequest,
    _ function: String,
    _ body: String
  ) throws {
    let administrator = try hub.server.administrator()
    let name = function.prefix { $0 != "(" }
    try administrator.runScript(
      """
      drop function localauth.\(name);
      create function localauth.\(function) as $$ \(body) $$;
      """
    )
    let worker = try hub.worker()
    switch try worker.ask(request) {
    case .failed(.unexpected), .letter(nil): break
    case let reply: Issue.record("\(reply)")
    }
    #expect(worker.program.isRunning)
  }

  /// What it asks, by the server's log: two questions and LISTEN to begin, and then one for each request.
  @Test func itAsksNoMoreThanItIsAsked() throws {
    let server = try PostgreSQLServer(["log_statement=all", "log_min_messages=log"])
    let logged = try HubDevice(server)
    let worker = try logged.worker()
    let before = Self.statements(server)
    for _ in 0..<5 { _ = try worker.ask(.heads) }
    let after = Self.statements(server)
    #expect(before == 3 && after == 8, "\(server.log.suffix(2000))")
  }

  private static func statements(_ server: PostgreSQLServer) -> Int {
    server.log.split(separator: "\n").count {
      $0.contains("localauth.schema_version()") || $0.contains("localauth.channel()")
        || $0.contains("listen localauth_") || $0.contains("localauth.heads()")
    }
  }
}
