// swift-format-ignore-file: AmbiguousTrailingClosureOverload
// `use` takes an asynchronous or a synchronous body, as the standard library's `withValue` does.

import LocalAuthEmbedded

/// For code that cannot take a device: Apple's functions, and code built on them.
extension TestDevice {
  /// Runs `body` with this device as the one that Apple's functions use, in this task and the tasks
  /// it starts.
  ///
  /// ```swift
  /// let device = try TestDevice(fingers: [.rightIndex], passcode: "1234")
  /// try await device.use { … }
  /// ```
  ///
  /// Tests that run in parallel should each use their own device. A thread or a queue started by
  /// `body` is not part of the task; use ``useForProcess()`` for those.
  ///
  /// - Throws: what `body` throws.
  public func use<Value, Failure: Error>(
    _ body: () async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let result = await CurrentDevice.$ofTask.withValue(current) {
      () async -> Result<Value, Failure> in
      do throws(Failure) {
        return .success(try await body())
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  /// Runs a synchronous `body` with this device as the one that Apple's functions use.
  ///
  /// - Throws: what `body` throws.
  public func use<Value, Failure: Error>(
    _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    let result = CurrentDevice.$ofTask.withValue(current) { () -> Result<Value, Failure> in
      do throws(Failure) {
        return .success(try body())
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  /// Makes this device the one that Apple's functions use in the whole process, until another is
  /// set.
  public func useForProcess() { CurrentDevice.setOfProcess(current) }

  private var current: CurrentDevice { CurrentDevice(device, prompter: prompter) }
}
