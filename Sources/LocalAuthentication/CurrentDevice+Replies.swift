import LocalAuth
import LocalAuthEmbedded

extension CurrentDevice {
  /// The device that is meant here; where there is none, one on which everything fails.
  static var meant: CurrentDevice {
    do throws(DeviceError) {
      return try get()
    } catch {
      let none = Device(unusable: .internalError("\(error)"))
      return CurrentDevice(none, prompter: .nobody)
    }
  }

  /// Runs `body` with this as the device that is meant: code that is called back goes on where it began.
  func use<Value>(_ body: () -> Value) -> Value {
    Self.$ofTask.withValue(self, operation: body)
  }

  /// The same on a thread where `body` may wait.
  func useOnOwnThread(_ body: @escaping @Sendable () -> Void) {
    AuthContext.onOwnThread { self.use(body) }
  }

  /// What `body` gives, which may wait: it runs on a thread of its own.
  func perform<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      useOnOwnThread { continuation.resume(with: Result(catching: body)) }
    }
  }

  /// Calls `completion` on a thread of its own with what `body` gives or throws.
  func reply<Value: Sendable>(
    _ completion: @escaping @Sendable (Value?, (any Error)?) -> Void,
    after body: @escaping @Sendable () async throws -> Value
  ) {
    // The task means the same device, as tasks do that are started where it is meant.
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
