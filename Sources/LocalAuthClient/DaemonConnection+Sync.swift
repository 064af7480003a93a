public import LocalAuthSecret
import LocalAuthUnix
public import LocalAuthWire

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

  /// Makes a recovery key on `device`, and returns it to be printed.
  ///
  /// - Throws: ``ClientError``.
  public mutating func makeRecoveryKey(
    on device: DeviceChoice,
    passcode: WireSecret?
  ) throws(ClientError) -> SecretBox {
    var call = SyncMessages.ProvenCall()
    call.device = device.name
    call.allowSimulated = device.allowsSimulated
    call.passcode = passcode
    return try ask(Methods.makeRecoveryKey, call) { (reply, parameters) throws(WireError) in
      try parameters.data(reply.code)
    }
  }
}
