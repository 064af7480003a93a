public import LocalAuthSecret
import LocalAuthUnix
import LocalAuthWire

/// Between devices.
extension DaemonConnection {
  /// Opens an invitation on `device`, and returns the code to show.
  ///
  /// - Throws: ``ClientError``.
  public mutating func inviteDevice(on device: DeviceChoice) throws(ClientError) -> SecretBox {
    var call = SyncMessages.DeviceCall()
    call.device = device.name
    call.allowSimulated = device.allowsSimulated
    return try ask(Methods.inviteDevice, call) { (reply, parameters) throws(WireError) in
      try parameters.data(reply.code)
    }
  }
}
