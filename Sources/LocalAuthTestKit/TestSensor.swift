import LocalAuth
import LocalAuthClient
public import LocalAuthCore
public import LocalAuthEmbedded
import LocalAuthSecret
import LocalAuthUnix
import LocalAuthWire

/// Drives the simulated sensor of a test device.
///
/// ``script(_:times:)``, ``match(_:)`` and ``miss(times:)`` queue events for the next evaluations;
/// each evaluation takes one script, in the order in which they were queued. All other calls act at
/// once. docs/sensor.md lists every event.
public struct TestSensor: Sendable {
  let link: DeviceLink
  let state: TestDeviceState

  // MARK: Before an evaluation

  /// Queues events for the next evaluation, or for the next `times`.
  ///
  /// - Parameters:
  ///   - events: the events, such as `miss, match:right-index`, `fallback, passcode:1234` or
  ///     `cancel`.
  ///   - times: the number of evaluations that play them, one after the other; 0 for all later
  ///     ones.
  /// - Throws: `DeviceError.invalid(_:)`, which names the invalid event.
  public func script(_ events: String, times: Int = 1) throws(DeviceError) {
    try DeviceLink.lending(Secret(testing: events)) { (secret) throws(DeviceError) in
      var call = SensorMessages.ScriptCall()
      call.device = link.name
      call.events = secret
      call.times = Int64(times)
      _ = try link.call(Methods.script, call)
    }
  }

  /// Queues a touch with `finger`, or with the first enrolled one, for the next evaluation.
  ///
  /// A finger that is not enrolled misses.
  public func match(_ finger: Finger? = nil) throws(DeviceError) {
    try script(finger.map { "match:\($0.rawValue)" } ?? "match")
  }

  /// Queues `times` misses of a finger that is not enrolled for the next evaluation.
  public func miss(times: Int = 1) throws(DeviceError) {
    try script(Array(repeating: "miss", count: times).joined(separator: ","))
  }

  // MARK: During an evaluation

  /// Waits until a prompt asks for a finger, touches the sensor with `finger`, and returns the
  /// effect: `match`, `miss`, or another word of docs/sensor.md.
  ///
  /// No thread of Swift concurrency's waits. The device's clock is stopped, so only a prompt ends
  /// the wait, or `patience` of real time. The default is two hours, because the task that
  /// triggers the prompt may wait for its turn behind every other test of a large suite.
  ///
  /// - Throws: `DeviceError.notArmed` if no prompt came.
  @discardableResult
  public func touch(
    _ finger: Finger,
    patience: Duration = .seconds(7200)
  ) async throws(DeviceError) -> String {
    var call = SensorMessages.TouchCall()
    call.device = link.name
    call.finger = finger.rawValue
    call.wait = true
    let link = link
    let result = await Self.onOwnThread { [call] in link.touch(call, patience) }
    return try result.get()
  }

  /// Performs one event now, and returns its effect.
  ///
  /// - Throws: `DeviceError.notArmed` for a touch while no prompt asks for a finger.
  @discardableResult
  public func present(_ event: String) throws(DeviceError) -> String {
    try DeviceLink.lending(Secret(testing: event)) { (secret) throws(DeviceError) in
      var call = SensorMessages.PresentCall()
      call.device = link.name
      call.event = secret
      return try link.call(Methods.present, call).effect
    }
  }

  /// Disconnects the sensor.
  public func unplug() throws(DeviceError) { try present("unplug") }

  /// Connects it again.
  public func plug() throws(DeviceError) { try present("plug") }

  /// Changes a setting, such as `latency` or `strength`.
  public func set(_ key: String, _ value: String) throws(DeviceError) {
    var call = SensorMessages.SetCall()
    call.device = link.name
    call.key = key
    call.value = value
    _ = try link.call(Methods.setSetting, call)
  }

  // MARK: Fingers

  /// Enrols a finger, all stages at once.
  public func enroll(_ finger: Finger) throws(DeviceError) {
    try DeviceLink.lending(state.secret) { (passcode) throws(DeviceError) in
      var call = SensorMessages.EnrollCall()
      call.device = link.name
      call.finger = finger.rawValue
      call.passcode = passcode
      _ = try link.call(Methods.enrollFinger, call)
    }
  }

  /// Removes a finger, or all of them.
  public func remove(_ finger: Finger?) throws(DeviceError) {
    try DeviceLink.lending(state.secret) { (passcode) throws(DeviceError) in
      var call = SensorMessages.RemoveCall()
      call.device = link.name
      call.finger = finger?.rawValue
      call.passcode = passcode
      _ = try link.call(Methods.removeFinger, call)
    }
  }

  private static func onOwnThread(
    _ body: @escaping @Sendable () -> Result<String, DeviceError>
  ) async -> Result<String, DeviceError> {
    await withCheckedContinuation { continuation in
      do throws(SystemError) {
        // The thread is not joined; it ends after resuming.
        _ = try SystemThread(name: "localauth-touch") { continuation.resume(returning: body()) }
      } catch {
        continuation.resume(returning: .failure(.engine("\(error)")))
      }
    }
  }
}

extension DeviceLink {
  fileprivate func touch(
    _ call: SensorMessages.TouchCall,
    _ patience: Duration
  ) -> Result<String, DeviceError> {
    do throws(ClientError) {
      var connection = try source.connect()
      return .success(try connection.call(Methods.touch, call, within: patience).effect)
    } catch {
      if case .unreachable = error { return .failure(.notArmed) }
      return .failure(DeviceError(error))
    }
  }
}
