import Glibc
import LocalAuthUnix
import Synchronization

/// The one thread that starts programs: they are killed when it ends, which is when we end.
final class ProgramStarter: Sendable {
  static let shared = ProgramStarter()

  private struct State: ~Copyable {
    var request: SpawnRequest?
    var result: ChildProcess?
    var failure: SystemError?
  }

  private let turn = Mutex<Void>(())
  private let state = Mutex(State())
  private let wakeUp = Signal()
  private let done = Signal()

  private init() {
    do {
      _ = try SystemThread(name: "starter") { [self] in
        while true {
          wakeUp.wait()
          serve()
          done.raise()
        }
      }
    } catch {
      fatalError("\(error)")
    }
  }

  func start(_ request: SpawnRequest) throws -> ChildProcess {
    var request = request
    request.diesWithParent = true
    return try turn.withLock { _ in
      state.withLock { state in state.request = request }
      wakeUp.raise()
      done.wait()
      return try state.withLock { state in
        guard let child = state.result.take() else {
          throw state.failure ?? SystemError("spawn", code: EINVAL)
        }
        return child
      }
    }
  }

  private func serve() {
    state.withLock { state in
      guard let request = state.request.take() else { return }
      state.failure = nil
      do throws(SystemError) {
        state.result = try ChildProcess.spawn(request)
      } catch {
        state.failure = error
      }
    }
  }
}
