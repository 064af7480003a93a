import LocalAuthClient
import LocalAuthWire

/// How a device stands with the person's other devices, at one moment.
///
/// It says what comes and goes; what is on the device can be read and written as its lock lets it.
public struct SyncStatus: Hashable, Sendable {
  /// How far a device has come.
  public enum Stage: String, Hashable, Sendable {
    /// It founds a circle, and its hub has not answered yet.
    case founding
    /// It waits to be let into a circle.
    case joining
    /// It is in a circle.
    case member
    /// Another device removed it from its circle.
    case removed
    /// What it kept of its circle was changed, or an older state was put back.
    case stateWasChanged
  }

  /// How far the device has come.
  public let stage: Stage
  /// What the hub did that is not believed, such as showing an older copy, a sentence each with the part of the device's
  /// data before it.
  ///
  /// While there is any, nothing is sent or taken there.
  public let alarms: [String]
  /// Why nothing came or went when the hub was tried last, such as "it cannot be reached: …"; nil if it did.
  public let failure: String?

  /// Creates a status, for tests of what a program makes of one.
  public init(stage: Stage, alarms: [String] = [], failure: String? = nil) {
    self.stage = stage
    self.alarms = alarms
    self.failure = failure
  }

  init?(_ reply: SyncMessages.StatusReply) {
    guard let stage = Stage(rawValue: reply.stage) else { return nil }
    let zones = reply.zones.compactMap { zone in zone.alarm.map { "\(zone.name): \($0)" } }
    let circle = reply.circleAlarm.map { ["the circle: \($0)"] } ?? []
    self.init(stage: stage, alarms: circle + zones, failure: reply.failure)
  }
}

extension Device {
  /// Reads how the device stands with the person's other devices; blocks for one exchange with the service, which asks
  /// no hub for it.
  ///
  /// - Returns: the status; nil for a device that is in no circle.
  /// - Throws: `AuthError`, such as `simulatedNotAllowed` for a simulated device that only the environment chose.
  public func syncStatus() throws(AuthError) -> SyncStatus? {
    let (choice, source) = try resolved()
    do throws(ClientError) {
      var connection = try source.connect()
      var call = SyncMessages.DeviceCall()
      call.device = choice.name
      call.allowSimulated = choice.allowsSimulated
      let reply = try connection.call(Methods.syncStatus, call)
      guard let status = SyncStatus(reply) else {
        throw .protocolError("a stage that nobody knows")
      }
      return status
    } catch {
      if case .remote(_, let parameters) = error, parameters.code == "notMember" { return nil }
      throw AuthError(error)
    }
  }
}
