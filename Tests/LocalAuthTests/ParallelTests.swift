import Glibc
import LocalAuth
import LocalAuthTestKit
import Synchronization
import Testing

/// A hundred tests that block their thread, each with a device of its own.
@Suite
struct ParallelTests {
  @Test(arguments: 1...100)
  func blockingEvaluationFinishes(_ number: Int) throws {
    let device = try TestDevice(fingers: [.rightIndex], passcode: "\(number)")
    try device.sensor.script("miss, fallback, passcode:0, passcode:\(number)")
    let evaluation = try Blocking.evaluate(.deviceOwner, in: device.context())
    #expect(evaluation.methods == [.passcode])
    #expect(evaluation.attempts == 3)
  }

  @Test func hundredBlockingEvaluationsAtOnceFinish() async throws {
    let succeeded = try await withThrowingTaskGroup(of: Bool.self) { group in
      for _ in 1...100 {
        group.addTask {
          let device = try TestDevice(fingers: [.rightIndex])
          try device.sensor.match()
          return try Blocking.evaluate(.biometrics, in: device.context()).isSimulated
        }
      }
      return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
    #expect(succeeded == 100)
  }

  @Test func hundredOpenPromptsAtOnceAreAllAnswered() async throws {
    let devices = try (1...100).map { _ in try TestDevice(fingers: [.rightIndex]) }
    let succeeded = try await withThrowingTaskGroup(of: Bool.self) { group in
      for device in devices {
        group.addTask {
          try await device.context().evaluate(.biometrics, reason: "wait").attempts == 1
        }
        group.addTask { try await device.sensor.touch(.rightIndex) == "match" }
      }
      return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
    #expect(succeeded == 200)
  }
}

/// Evaluates as code does that knows no concurrency: the calling thread waits.
enum Blocking {
  private final class Reply: Sendable {
    private let result = Mutex<Result<Evaluation, AuthError>?>(nil)
    private let done: UnsafeSemaphore

    init() { done = UnsafeSemaphore() }

    func set(_ result: Result<Evaluation, AuthError>) {
      self.result.withLock { $0 = result }
      done.signal()
    }

    func wait() -> Result<Evaluation, AuthError>? {
      done.wait()
      return result.withLock { $0 }
    }
  }

  static func evaluate(_ policy: PolicyName, in context: AuthContext) throws -> Evaluation {
    let reply = Reply()
    try context.begin(policy, reason: "block") { reply.set($0) }
    return try #require(reply.wait()).get()
  }
}

/// A semaphore of the C library.
@safe
final class UnsafeSemaphore: @unchecked Sendable {
  // @unchecked: the C library's semaphore is made for any number of threads.
  private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

  init() { unsafe sem_init(semaphore, 0, 0) }

  deinit {
    unsafe sem_destroy(semaphore)
    unsafe semaphore.deallocate()
  }

  func signal() { unsafe sem_post(semaphore) }

  func wait() {
    while unsafe sem_wait(semaphore) != 0 {}
  }
}
