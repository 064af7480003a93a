// swift-format-ignore-file: AmbiguousTrailingClosureOverload
// `use` takes a body that waits and one that does not, as the standard library's `withValue` does.

import LocalAuthEmbedded

/// Code that takes no device: Apple's functions, and what is built on them.
extension TestDevice {
  /// Runs `body` with this device as the one that Apple's names mean, for this task and those that it
  /// starts.
  ///
  /// ```swift
  /// let device = try TestDevice(fingers: [.rightIndex], passcode: "1234")
  /// try await device.use { … }
  /// ```
  ///
  /// Tests that run in parallel each use a device of their own. A thread or a queue that `body` starts
  /// is no part of the task; ``useForProcess()`` is for those.
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

  /// The same for a body that waits for nothing.
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

  /// Makes this device the one that Apple's names mean everywhere in the process, until another is.
  public func useForProcess() { CurrentDevice.setOfProcess(current) }

  private var current: CurrentDevice { CurrentDevice(device, prompter: prompter) }
}
