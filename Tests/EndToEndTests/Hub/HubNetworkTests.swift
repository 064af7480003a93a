import LocalAuthCrypto
import LocalAuthHub
import LocalAuthKeychain
import LocalAuthSync
import LocalAuthUnix
import Testing

/// Somebody between `localauth-sync` and its hub.
@Suite(.enabled(if: PostgreSQLServer.isPossible, "needs root and PostgreSQL 15"))
struct HubNetworkTests {
  private let hub: HubDevice
  private let proxy: HubProxy
  private let worker: HubWorker

  init() throws {
    hub = try HubDevice()
    proxy = try HubProxy(before: hub.server)
    worker = try HubWorker()
  }

  private func connect() throws -> HubReply {
    try worker.connect(hub.address(proxy.directory), hub.password.text)
  }

  private static let body = [UInt8](repeating: 7, count: 1 << 16)
  private static let entry = HubDevice.entry([HubDevice.change(1, to: body)], batch: 1)
  private static let push = HubRequest.zonePush(entry, [HubDevice.name(1): body])
  private static let accepted = HubReply.pushed(.accepted(entry.place(MessageHash())))
  private static let pull = HubRequest.zonePull(.items, after: 0, limit: 9)
  private static let page = HubReply.zone(
    ZonePage(
      entries: [entry],
      bodies: [HubDevice.name(1): body],
      head: entry.place(MessageHash())
    )
  )

  /// Asks until the hub answers, as a daemon does.
  private func persist(_ request: HubRequest) throws -> HubReply {
    for _ in 0..<20 {
      let reply = try worker.ask(request)
      switch reply {
      case .failed(.unreachable), .failed(.unexpected): try worker.waitForNews()
      default: return reply
      }
    }
    throw HubWorker.NoReply(what: "anything but failures")
  }

  @Test func singleBytesAreAsGoodAsMany() throws {
    proxy.begin(.dribble)
    #expect(try connect() == .done)
    #expect(try worker.ask(Self.push) == Self.accepted)
    #expect(try worker.ask(Self.pull) == Self.page)
  }

  @Test(arguments: [0, 1, 10, 100, 300, 1000, 5000, 40_000])
  func connectionThatIsCutIsMadeAnewAndNothingIsDoneTwice(_ count: Int) throws {
    #expect(try connect() == .done)
    // All connections together end after so many bytes, until the first reply was lost.
    proxy.begin(.cut(after: count))
    let first = try worker.ask(Self.push)
    proxy.begin(.none)
    if first != Self.accepted { #expect(try persist(Self.push) == Self.accepted) }
    #expect(try persist(Self.pull) == Self.page)
    #expect(try hub.client().pull(.items, after: 0).entries == [Self.entry])
  }

  @Test func whatTheHubSaysTwiceIsNoAnswer() throws {
    #expect(try connect() == .done)
    proxy.begin(.stutter)
    _ = try worker.ask(Self.push)
    proxy.begin(.none)
    #expect(try persist(Self.push) == Self.accepted)
    #expect(try persist(Self.pull) == Self.page)
  }

  @Test func changedBytesBringNothingThatLooksLikeAnotherAnswer() throws {
    #expect(try connect() == .done)
    #expect(try worker.ask(Self.push) == Self.accepted)
    for round in 0..<10 {
      proxy.begin(.flip(oneIn: 1 << (round + 2)))
      // What it says is for the daemon to verify; it answers, and it lives.
      try worker.send(Self.pull)
      // A size that was changed has it wait for bytes that do not come.
      if (try? worker.receive(within: .seconds(1))) == nil {
        proxy.cut()
        _ = try worker.receive()
      }
      proxy.begin(.none)
      #expect(worker.program.isRunning, "SEED=\(proxy.seed)")
      let again = try persist(.heads)
      guard case .heads = again else {
        Issue.record("\(again), SEED=\(proxy.seed)")
        return
      }
    }
    #expect(try persist(Self.pull) == Self.page)
  }

  @Test func daemonsEndEndsItWhileTheNetworkIsSilent() throws {
    #expect(try connect() == .done)
    proxy.begin(.silence)
    try worker.send(.heads)
    worker.hangUp()
    #expect(try worker.program.waitForExit(within: .seconds(10)) == .status(0))
  }
}
