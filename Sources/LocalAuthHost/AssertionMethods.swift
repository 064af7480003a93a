import LocalAuthService
import LocalAuthToken
import LocalAuthWire

/// The methods of `io.localauth.Assertions`.
enum AssertionMethods {
  static let handlers = [
    Handler(Methods.assertionKeys, assertionKeys),
    Handler(Methods.rotateAssertionKey, rotateAssertionKey),
  ]

  private static func assertionKeys(
    _ parameters: AssertionMessages.KeysCall,
    _ call: borrowing Call
  ) {
    call.engine.assertionKeys(
      simulated: parameters.simulated ?? false,
      caller: call.caller,
      then: call.responder.finish
    )
  }

  private static func rotateAssertionKey(
    _ parameters: AssertionMessages.KeysCall,
    _ call: borrowing Call
  ) {
    call.engine.rotateAssertionKey(
      simulated: parameters.simulated ?? false,
      caller: call.caller,
      then: call.responder.finish
    )
  }

  /// The assertion that the caller wants signed; nil if it wants none.
  static func assertion(
    _ wish: AuthenticationMessages.AssertionWish?
  ) throws(WireError) -> AssertionRequest? {
    guard let wish else { return nil }
    guard let request = AssertionRequest(audience: wish.audience, nonce: wish.nonce) else {
      throw .invalidParameter("assertion")
    }
    return request
  }
}

extension Responder {
  fileprivate func finish(_ result: Result<PublishedKeys, EngineError>) {
    finish(result) { AssertionMessages.KeysReply($0) }
  }
}

extension AssertionMessages.KeysReply {
  fileprivate init(_ published: PublishedKeys) {
    self.init()
    issuer = published.issuer
    keys = published.keys.keys.map(AssertionMessages.Key.init)
  }
}

extension AssertionMessages.Key {
  fileprivate init(_ key: JSONWebKey) {
    self.init()
    for (name, text) in key.members {
      switch name {
      case "kty": kty = text
      case "crv": crv = text
      case "x": x = text
      case "kid": kid = text
      case "use": use = text
      case "alg": alg = text
      default: preconditionFailure("a member that the wire does not know")
      }
    }
  }
}
