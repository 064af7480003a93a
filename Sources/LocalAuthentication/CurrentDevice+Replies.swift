import LocalAuth
import LocalAuthEmbedded

extension CurrentDevice {
  /// The current device; if there is none, one on which everything fails.
  static var meant: CurrentDevice {
    do throws(DeviceError) {
      return try get()
    } catch {
      let none = Device(unusable: .internalError("\(error)"))
      return CurrentDevice(none, prompter: .nobody)
    }
  }

  /// Runs `body` with this as the current device, so that callbacks use their caller's device.
  func use<Value>(_ body: () -> Value) -> Value {
    Self.$ofTask.withValue(self, operation: body)
  }

  /// As ``use(_:)``, but on a dedicated thread, where `body` may wait.
  func useOnOwnThread(_ body: @escaping @Sendable () -> Void) {
    AuthContext.onOwnThread { self.use(body) }
  }

  /// Runs `body` on a dedicated thread, where it may wait, and returns its result.
  func perform<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      useOnOwnThread { continuation.resume(with: Result(catching: body)) }
    }
  }

  /// Calls `completion` on a dedicated thread with what `body` returns or throws.
  func reply<Value: Sendable>(
    _ completion: @escaping @Sendable (Value?, (any Error)?) -> Void,
    after body: @escaping @Sendable () async throws -> Value
  ) {
    // The task inherits the current device.
    use {
      _ = Task {
        do {
          let value = try await body()
          useOnOwnThread { completion(value, nil) }
        } catch {
          useOnOwnThread { completion(nil, error) }
        }
      }
    }
  }
}
