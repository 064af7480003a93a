import LocalAuthClient
import LocalAuthKeychain
import LocalAuthTestSupport
import LocalAuthUnix
import Synchronization
import Testing

@testable import LocalAuthFiles

/// What becomes of open files, and who is told, when a service says this or that, or ends.
@Suite struct AvailabilityWatchTests {
  /// An open file that says when its key is taken, and when it is looked at.
  private final class Lease: LeasedFile {
    private let wanted: FileProtection
    let looks = AsyncStream<Void>.makeStream()
    let taken = AsyncStream<Void>.makeStream()

    init(_ wanted: FileProtection) { self.wanted = wanted }

    var protection: FileProtection {
      looks.continuation.yield()
      return wanted
    }

    func takeKey() { taken.continuation.yield() }
  }

  /// A service that says of its device what a test has it say, on one connection.
  private final class Service: Sendable {
    private let daemon: FakeDaemon
    let watch: AvailabilityWatch
    private let listener: Listener
    private let news = AsyncStream<Void>.makeStream()

    init() throws {
      daemon = FakeDaemon { daemon, request in
        guard request.connection == 0 else { return daemon.close(request.connection) }
        daemon.reply(Self.frame("unlocked"), to: request)
      }
      let address = DaemonAddress(
        paths: try RuntimePaths(
          home: daemon.directory,
          socket: daemon.path,
          environment: ProcessEnvironment(variables: [:])
        ),
        startsDaemon: false
      )
      let (listener, news) = (Listener(), news.continuation)
      self.listener = listener
      watch = try AvailabilityWatch(DeviceChoice(named: "sim"), address) { availability in
        listener.add(availability)
        news.yield()
      }
    }

    deinit { daemon.end() }

    private final class Listener: Sendable {
      let words = Mutex<[String]>([])

      func add(_ availability: DataAvailability) {
        let word = if case .ending = availability { "ending" } else { "\(availability)" }
        words.withLock { $0.append(word) }
      }
    }

    /// What the observer heard.
    var words: [String] { listener.words.withLock { $0 } }

    /// Waits until the observer has heard so much.
    func waitForWords(_ count: Int) async {
      if words.count >= count { return }
      for await _ in news.stream where words.count >= count { return }
    }

    private static func frame(_ state: String) -> String {
      let lost = state == "locking" ? ",\"lostInMilliseconds\":0" : ""
      return "{\"parameters\":{\"state\":\"\(state)\"\(lost)},\"continues\":true}"
    }

    func say(_ state: String) { daemon.send(Self.frame(state), on: 0) }

    func end() { daemon.close(0) }
  }

  private func next(_ stream: AsyncStream<Void>) async {
    for await _ in stream { return }
  }

  @Test(arguments: [FileProtection.complete, .afterFirstUnlock])
  func serviceThatEndsAndStaysAwayTakesTheKeys(_ protection: FileProtection) async throws {
    let service = try Service()
    let lease = Lease(protection)
    service.watch.add(lease)
    await next(lease.looks.stream)
    service.end()
    await next(lease.taken.stream)
    await service.waitForWords(1)
    #expect(service.words == ["unknown"])
  }

  @Test func sameNewsTwiceIsOneNews() async throws {
    let service = try Service()
    for state in ["unlocked", "locked", "locked", "unlocked"] { service.say(state) }
    await service.waitForWords(2)
    #expect(service.words == ["locked", "available"])
  }

  @Test func endOfTheGraceIsToldOnceForEachLock() async throws {
    let service = try Service()
    for lock in 1...2 {
      service.say("locking")
      await service.waitForWords(lock * 3 - 1)
      let lease = Lease(.always)
      service.watch.add(lease)
      await next(lease.looks.stream)
      service.say("unlocked")
      await service.waitForWords(lock * 3)
    }
    let once = ["ending", "locked", "available"]
    #expect(service.words == once + once)
  }

  @Test func fileThatComesTooLateIsTakenAndTheObserverHearsOfItAgain() async throws {
    let service = try Service()
    service.say("locked")
    await service.waitForWords(1)
    let lease = Lease(.complete)
    service.watch.add(lease)
    await next(lease.taken.stream)
    await service.waitForWords(2)
    #expect(service.words == ["locked", "locked"])
  }
}
