import LocalAuthUnix
import Synchronization
import Testing

@Suite struct LoopBoundTests {
  private final class Counter {
    var value = 0
  }

  @Test func carriesAValueThroughAWorkerAndBack() throws {
    let loop = try EventLoop()
    let handle = loop.handle
    let counter = Counter()
    let bound = LoopBound(counter, to: loop)
    let thread = try SystemThread(name: "worker") {
      handle.post { bound.value.value += 1 }
    }
    try loop.run { counter.value == 1 }
    thread.join()
  }

  @Test func anotherThreadCannotOpenIt() async {
    await #expect(processExitsWith: .failure) {
      let loop = try EventLoop()
      _ = try loop.runOnce(timeout: .zero)
      let bound = LoopBound(1, to: loop)
      try SystemThread(name: "thief") { _ = bound.value }.join()
    }
  }
}
