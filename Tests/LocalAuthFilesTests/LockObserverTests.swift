import LocalAuthTestKit
import LocalAuthTestSupport
import Synchronization
import Testing

@testable import LocalAuthFiles

/// What a file system hears of the lock, on the thread that takes keys.
@Suite struct LockObserverTests {
  /// What was heard, and whether a file could be read then.
  private final class Heard: Sendable {
    struct Word: Equatable {
      let availability: DataAvailability
      let isReadable: Bool
    }

    let file = Mutex<ProtectedFile?>(nil)
    let words = Mutex<[Word]>([])
    let news = AsyncStream<DataAvailability>.makeStream()

    func hear(_ availability: DataAvailability) {
      let file = file.withLock { $0 }
      let isReadable = (try? file?.length) != nil
      words.withLock { $0.append(Word(availability: availability, isReadable: isReadable)) }
      news.continuation.yield(availability)
    }
  }

  private let device: TestDevice
  private let files: ProtectedFiles
  private let heard = Heard()
  private let scratch = ScratchDirectory()

  init() throws {
    device = try TestDevice(passcode: "2468")
    let heard = heard
    files = try ProtectedFiles(on: device.device) { heard.hear($0) }
    let file = try files.create(scratch.file("a"), .complete)
    heard.file.withLock { $0 = file }
  }

  @Test func observerHearsOfTheLockOnceKeysAreGoneAndBeforeAnybodyElse() async throws {
    try device.lock()
    try device.clock.advance(by: .seconds(11))
    for await availability in files.changes where availability == .locked { break }
    let words = heard.words.withLock { $0 }
    guard words.count == 2, case .ending = words[0].availability else {
      Issue.record("\(words)")
      return
    }
    #expect(words[1] == Heard.Word(availability: .locked, isReadable: false))
  }

  /// The clock of the service stands still, so that it does not say that the time is over.
  @Test func observerHearsOfAnEndThatTheServiceDoesNotTell() async throws {
    try device.lock()
    for await availability in heard.news.stream where availability == .locked { break }
    let last = heard.words.withLock { $0.last }
    #expect(last == Heard.Word(availability: .locked, isReadable: false))
    guard case .ending = files.availability else {
      Issue.record("the service has told")
      return
    }
  }
}
