import Glibc
import LocalAuthCore
import Synchronization
import Testing

@testable import LocalAuthStore

@Suite struct StorageThreadTests {
  private final class Log: Sendable {
    private let entries = Mutex<[String]>([])
    func add(_ entry: String) { entries.withLock { $0.append(entry) } }
    var all: [String] { entries.withLock { $0 } }
  }

  @Test func jobsRunInOrderAndTheEndComesLast() throws {
    let log = Log()
    let thread = try StorageThread(afterwards: {}, atEnd: { log.add("end") })
    for number in 0..<100 { #expect(thread.run { log.add("\(number)") }) }
    thread.close()
    #expect(log.all == (0..<100).map(String.init) + ["end"])
    #expect(!thread.run {})
  }

  @Test func jobsOfOneThreadNeverOverlap() throws {
    let running = Atomic(0)
    let most = Mutex(0)
    let thread = try StorageThread(afterwards: {}, atEnd: {})
    for _ in 0..<200 {
      _ = thread.run {
        let now = running.add(1, ordering: .sequentiallyConsistent).newValue
        most.withLock { $0 = max($0, now) }
        running.subtract(1, ordering: .sequentiallyConsistent)
      }
    }
    thread.close()
    #expect(most.withLock { $0 } == 1)
  }

  @Test func housekeepingFollowsWork() throws {
    let isTidied = Semaphore()
    let thread = try StorageThread(afterwards: { isTidied.signal() }, atEnd: {})
    _ = thread.run {}
    isTidied.wait()
    thread.close()
  }

  @Test func theThreadTakesNoSignals() throws {
    let isBlocked = Mutex(false)
    let thread = try StorageThread(afterwards: {}, atEnd: {})
    _ = thread.run {
      var mask = sigset_t()
      // SAFETY: the set outlives the calls.
      unsafe pthread_sigmask(SIG_BLOCK, nil, &mask)
      let isMember = unsafe sigismember(&mask, SIGTERM) == 1
      isBlocked.withLock { $0 = isMember }
    }
    thread.close()
    #expect(isBlocked.withLock { $0 })
  }

  @Test func aSemaphoreThatIsNotSignaledTimesOut() {
    let semaphore = Semaphore()
    #expect(!semaphore.wait(milliseconds: 1))
    semaphore.signal()
    #expect(semaphore.wait(milliseconds: 1000))
  }
}
