public import LocalAuthKeychain
public import LocalAuthSecret
import LocalAuthUnix
import LocalAuthWire

/// The keys of protected files.
extension DaemonConnection {
  /// Makes the key of a new protected file on `device`.
  ///
  /// - Throws: ``ClientError``.
  public mutating func makeFileKey(
    _ protection: FileProtection,
    on device: DeviceChoice
  ) throws(ClientError) -> (key: SecretBox, wrapped: WrappedFileKey) {
    var call = FileMessages.MakeKeyCall()
    call.device = device.name
    call.allowSimulated = device.allowsSimulated
    call.protection = protection.name
    return try ask(Methods.makeFileKey, call) { (reply, parameters) throws(WireError) in
      guard
        let wrapped = WrappedFileKey(
          protection,
          identifier: reply.identifier.bytes,
          bytes: reply.wrappedKey.bytes
        )
      else { throw .invalidParameter("identifier") }
      return (try parameters.data(reply.key), wrapped)
    }
  }

  /// Opens the key of a protected file of `device`.
  ///
  /// - Throws: ``ClientError``.
  public mutating func openFileKey(
    _ wrapped: WrappedFileKey,
    on device: DeviceChoice
  ) throws(ClientError) -> SecretBox {
    var call = FileMessages.OpenKeyCall()
    call.device = device.name
    call.allowSimulated = device.allowsSimulated
    call.protection = wrapped.protection.name
    call.identifier = WireBytes(wrapped.identifier)
    call.wrappedKey = WireBytes(wrapped.bytes)
    return try ask(Methods.openFileKey, call) { (reply, parameters) throws(WireError) in
      try parameters.data(reply.key)
    }
  }

  /// Calls a method whose one reply carries a secret.
  mutating func ask<Call: WireObject, Reply: WireObject, Value>(
    _ method: RemoteMethod<Call, Reply>,
    _ call: Call,
    _ take: (Reply, ReplyParameters) throws(WireError) -> Value
  ) throws(ClientError) -> Value {
    try begin(method, call, more: false)
    let (value, continues) = try next(until: .after(Self.standardPatience), take)
    guard !continues else { throw .protocolError("more replies than were asked for") }
    return value
  }
}
