import LocalAuthService
import LocalAuthWire

/// The methods of `io.localauth.Authenticators`.
enum AuthenticatorMethods {
  static let handlers = [
    Handler(Methods.listAuthenticators, list)
  ]

  private static func list(_: ServiceMessages.Empty, _ call: borrowing Call) {
    let (programs, responder) = (call.server.programs, call.responder)
    programs.describe(for: call.caller.owner) { lines in
      var reply = AuthenticatorListMessages.ListReply()
      reply.authenticators = lines
      reply.problems = programs.problems
      responder.reply(reply)
    }
  }
}
