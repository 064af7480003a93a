import Glibc
import Synchronization
import Testing

@testable import LocalAuthUnix

@Suite struct SystemThreadTests {
  @Test func joinWaitsForTheBody() throws {
    let done = Atomic(false)
    let thread = try SystemThread(name: "a name longer than fits") {
      done.store(true, ordering: .releasing)
    }
    thread.join()
    let isDone = done.load(ordering: .acquiring)
    #expect(isDone)
    thread.join()
  }

  @Test func everySignalIsBlockedOnIt() throws {
    let blocked = Mutex<[Int32]>([])
    try SystemThread(name: "signals") {
      var mask = sigset_t()
      unsafe pthread_sigmask(SIG_BLOCK, nil, &mask)
      let wanted = [SIGTERM, SIGINT, SIGHUP, SIGCHLD, SIGUSR1]
      let found = wanted.filter { unsafe sigismember(&mask, $0) == 1 }
      blocked.withLock { $0 = found }
    }.join()
    #expect(blocked.withLock { $0 } == [SIGTERM, SIGINT, SIGHUP, SIGCHLD, SIGUSR1])
  }

  @Test func aStackThatIsTooSmallIsAnError() {
    #expect(throws: SystemError("pthread_create", code: EINVAL)) {
      try SystemThread(name: "tiny", stackSize: 1) {}
    }
  }
}
