import LocalAuthClient
import LocalAuthCore
public import LocalAuthEmbedded
import LocalAuthWire

/// The clock of a test device, which moves only when advanced.
public struct TestClock: Sendable {
  let link: DeviceLink

  /// Moves the clock forward; everything that falls due happens before this returns.
  ///
  /// - Parameter duration: not negative, ten years at most; fractions of a millisecond are dropped.
  /// - Throws: `DeviceError.invalid(_:)` for a duration that is out of range.
  public func advance(by duration: Duration) throws(DeviceError) {
    var call = DeviceMessages.AdvanceClockCall()
    call.device = link.name
    call.milliseconds = duration.wholeNanoseconds / 1_000_000
    _ = try link.call(Methods.advanceClock, call)
  }
}
