import Glibc
import LocalAuthTestSupport
import LocalAuthUnix
import Testing

@Suite struct FileLockTests {
  private let scratch = ScratchDirectory()

  private func isHeld() -> Bool {
    guard let directory = try? PrivateDirectory(opening: scratch.path) else { return false }
    do throws(FileLockError) {
      _ = try FileLock(acquiring: "lock", in: directory)
      return false
    } catch {
      if case .held = error { return true }
      return false
    }
  }

  @Test func excludesOthersUntilItIsGone() throws {
    let directory = try PrivateDirectory(opening: scratch.path)
    do {
      let lock = try FileLock(acquiring: "lock", in: directory)
      #expect(isHeld())
      _ = consume lock
    }
    #expect(!isHeld())
  }

  @Test func namesItsOwnerInTheFile() throws {
    scratch.write("some longer leftover of an earlier owner", to: "lock")
    let directory = try PrivateDirectory(opening: scratch.path)
    let lock = try FileLock(acquiring: "lock", in: directory)
    #expect(scratch.read("lock") == Array("\(getpid())\n".utf8))
    _ = consume lock
  }

  @Test func onlyOneOfManyThreadsGetsIt() throws {
    let scratch = scratch
    let winners = Counter()
    let arrived = Counter()
    onThreads(8) { _ in
      guard let directory = try? PrivateDirectory(opening: scratch.path) else { return }
      let lock = try? FileLock(acquiring: "lock", in: directory)
      if lock != nil { winners.increment() }
      arrived.increment()
      // Nobody lets go before everybody has tried.
      while arrived.value < 8 { sched_yield() }
      _ = consume lock
    }
    #expect(winners.value == 1)
  }

  @Test func unreadableOwnerIsUnknown() throws {
    let directory = try PrivateDirectory(opening: scratch.path)
    let lock = try FileLock(acquiring: "lock", in: directory)
    scratch.write("no number", to: "lock")
    #expect {
      _ = try FileLock(acquiring: "lock", in: directory)
    } throws: { error in
      guard case FileLockError.held(by: nil) = error else { return false }
      return true
    }
    _ = consume lock
  }
}
