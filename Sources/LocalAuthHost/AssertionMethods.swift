import LocalAuthService
import LocalAuthToken
import LocalAuthWire

extension MethodHandlers {
  /// `io.localauth.Assertions`.
  static var assertionMethods: [(String, MethodHandler)] {
    [("Keys", assertionKeys), ("Rotate", rotateAssertionKey)]
  }

  private static func assertionKeys(
    _ server: Server,
    _ parameters: CallParameters,
    _ responder: Responder
  ) throws(WireError) {
    let call = try parameters.read(AssertionMessages.KeysCall.self)
    server.engine.assertionKeys(
      simulated: call.simulated ?? false,
      caller: responder.caller,
      then: responder.finish
    )
  }

  private static func rotateAssertionKey(
    _ server: Server,
    _ parameters: CallParameters,
    _ responder: Responder
  ) throws(WireError) {
    let call = try parameters.read(AssertionMessages.KeysCall.self)
    server.engine.rotateAssertionKey(
      simulated: call.simulated ?? false,
      caller: responder.caller,
      then: responder.finish
    )
  }

  /// What a caller wants to have signed.
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
    switch result {
    case .failure(let error): fail(error)
    case .success(let published): reply(AssertionMessages.KeysReply(published))
    }
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
