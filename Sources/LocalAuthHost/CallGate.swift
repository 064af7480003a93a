import LocalAuthCore
import LocalAuthService
import LocalAuthWire

/// Decides whose devices a call is about, and whether its caller may make it.
///
/// The kernel identifies the caller. What a message claims can be refused here, but gives no
/// rights.
struct CallGate {
  private let access: MethodAccess
  private let responder: Responder
  private let audience: Server.Audience

  init(_ access: MethodAccess, _ responder: Responder, _ audience: Server.Audience) {
    self.access = access
    self.responder = responder
    self.audience = audience
  }

  /// Whether the call may say whose devices it is about and where it comes from.
  var namesUser: Bool { access.namesUser }

  /// Admits a call for the owner `user` from `origin`, if its caller may make it.
  ///
  /// Without `user` the call is about the caller's own devices; without `origin`, the kernel's
  /// facts about the caller determine it.
  func pass(_ user: Int64?, from origin: String?) throws(WireError) {
    let uid = responder.caller.uid
    var owner = uid
    if let user {
      // The kernel reserves the highest uid for "no user".
      guard let user = UInt32(exactly: user), user != .max else {
        throw .invalidParameter("user")
      }
      if let refusal = audience.refusal(of: uid, naming: user) { throw .notPermitted(refusal) }
      owner = user
    }
    if let origin {
      guard let origin = Origin(origin) else { throw .invalidParameter("origin") }
      if let refusal = audience.refusal(ofOriginBy: uid) { throw .notPermitted(refusal) }
      responder.act(for: owner, from: origin)
    } else {
      responder.act(for: owner, from: owner == uid ? responder.ownOrigin : .user(uid))
    }
    try requireAccess()
  }

  private func requireAccess() throws(WireError) {
    switch access {
    case .anybody, .owner: break
    case .administration(let action): try require(action)
    case .root(let reason):
      if audience.isEverybody, responder.caller.uid != 0 { throw .notPermitted(reason) }
    }
  }

  /// Refuses the call unless its caller may perform `action`.
  func require(_ action: AdministrativeAction) throws(WireError) {
    if let refusal = audience.refusal(of: responder.caller.uid, doing: action) {
      throw .notPermitted(refusal)
    }
  }
}
