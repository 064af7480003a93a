import Glibc
import Synchronization
import Testing

@testable import LocalAuthUnix

@Suite struct SignalSourceTests {
  /// Runs `body` on a thread of its own, where every signal is blocked.
  ///
  /// A signal sent to that very
  /// thread stays with it, so the threads of other tests are not disturbed.
  private func onBlockedThread(_ body: @escaping @Sendable () throws -> Void) throws {
    let failure = Mutex<String?>(nil)
    try SystemThread(name: "signals") {
      do { try body() } catch { failure.withLock { $0 = "\(error)" } }
    }.join()
    #expect(failure.withLock { $0 } == nil)
  }

  @Test func signalsArriveAsEventsWithTheirSender() throws {
    let seen = Mutex<[SignalSource.Signal]>([])
    try onBlockedThread {
      let loop = try EventLoop()
      let source = try SignalSource([SIGUSR1, SIGUSR2], on: loop) { signal in
        seen.withLock { $0.append(signal) }
      }
      pthread_kill(pthread_self(), SIGUSR2)
      pthread_kill(pthread_self(), SIGUSR1)
      try loop.run { seen.withLock { $0.count } == 2 }
      source.stop()
    }
    let signals = seen.withLock { $0 }
    #expect(Set(signals.map(\.number)) == [SIGUSR1, SIGUSR2])
    #expect(signals.allSatisfy { $0.senderProcessID == getpid() && $0.senderUserID == getuid() })
  }

  @Test func aStoppedSourceHearsNothing() throws {
    let count = Atomic(0)
    try onBlockedThread {
      let loop = try EventLoop()
      let source = try SignalSource([SIGUSR1], on: loop) { _ in
        count.add(1, ordering: .relaxed)
      }
      source.stop()
      pthread_kill(pthread_self(), SIGUSR1)
      try loop.settle()
    }
    #expect(count.load(ordering: .relaxed) == 0)
  }

  @Test func aHandlerMayStopItsSource() throws {
    let count = Atomic(0)
    try onBlockedThread {
      let loop = try EventLoop()
      var source: SignalSource?
      source = try SignalSource([SIGUSR1, SIGUSR2], on: loop) { _ in
        count.add(1, ordering: .relaxed)
        source?.stop()
      }
      pthread_kill(pthread_self(), SIGUSR1)
      pthread_kill(pthread_self(), SIGUSR2)
      try loop.run { count.load(ordering: .relaxed) > 0 }
      try loop.settle()
      source = nil
    }
    #expect(count.load(ordering: .relaxed) == 1)
  }

  @Test func aNumberThatIsNoSignalIsRefused() throws {
    let loop = try EventLoop()
    #expect(throws: SystemError("signalfd", code: EINVAL)) {
      try SignalSource([10_000], on: loop) { _ in }
    }
  }
}
