import LocalAuthKeychain
import LocalAuthSecret
import LocalAuthService
import LocalAuthWire

/// The methods of `io.localauth.Files`.
enum FileMethods {
  static let handlers = [
    Handler(Methods.makeFileKey, makeKey),
    Handler(Methods.openFileKey, openKey),
  ]

  private static func makeKey(
    _ parameters: FileMessages.MakeKeyCall,
    _ call: borrowing Call
  ) throws(WireError) {
    let protection = try protection(parameters.protection)
    do throws(EngineError) {
      let made = try call.engine.makeFileKey(
        protection,
        on: parameters.device,
        allowsSimulated: parameters.allowSimulated ?? false,
        caller: call.caller
      )
      call.responder.reply(with: made.key) { key in
        var reply = FileMessages.MakeKeyReply()
        reply.identifier = WireBytes(made.wrapped.identifier)
        reply.wrappedKey = WireBytes(made.wrapped.bytes)
        reply.key = key
        return reply
      }
    } catch { call.responder.fail(error) }
  }

  private static func openKey(
    _ parameters: FileMessages.OpenKeyCall,
    _ call: borrowing Call
  ) throws(WireError) {
    guard
      let wrapped = WrappedFileKey(
        try protection(parameters.protection),
        identifier: parameters.identifier.bytes,
        bytes: parameters.wrappedKey.bytes
      )
    else { throw .invalidParameter("identifier") }
    do throws(EngineError) {
      let key = try call.engine.openFileKey(
        wrapped,
        on: parameters.device,
        allowsSimulated: parameters.allowSimulated ?? false,
        caller: call.caller
      )
      call.responder.reply(with: key) { key in
        var reply = FileMessages.OpenKeyReply()
        reply.key = key
        return reply
      }
    } catch { call.responder.fail(error) }
  }

  private static func protection(_ name: String) throws(WireError) -> FileProtection {
    guard let protection = FileProtection(name: name) else { throw .invalidParameter("protection") }
    return protection
  }
}

extension Responder {
  /// Sends a last reply that carries a key, which is lent to `compose`.
  fileprivate func reply(with key: SecretBox, _ compose: (WireSecret) -> some WireObject) {
    guard let key = key.take() else { return fail(.internalError("The key was taken.")) }
    // SAFETY: the bytes stay in place while the reply is written; nothing points to them afterwards.
    unsafe key.withUnsafeBytes { bytes in
      let reply = compose(unsafe WireSecret(base64Of: bytes))
      // A key has 32 bytes.
      replySecretly(reply, holding: bytes.count, sizeMax: 4000)
    }
  }
}
