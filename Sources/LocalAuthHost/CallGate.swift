import LocalAuthCore
import LocalAuthPolicies
import LocalAuthService
import LocalAuthWire

/// Where a call is let through: whose devices it is about, and whether its caller may do that.
///
/// The caller is the kernel's word; what a message says can only be refused here, and widens nothing.
struct CallGate {
  private let method: String
  private let responder: Responder
  private let audience: Server.Audience

  init(_ method: String, _ responder: Responder, _ audience: Server.Audience) {
    self.method = method
    self.responder = responder
    self.audience = audience
  }

  /// Lets the call through that names `user`, or nobody, and `origin`, or leaves it to the kernel.
  func pass(_ user: Int64?, from origin: String?) throws(WireError) {
    let uid = responder.caller.uid
    var owner = uid
    if let user {
      // The kernel keeps the highest number for "no user".
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
    if audience.isEverybody, let act = MethodHandlers.act(of: method) { try require(act) }
  }

  /// Refuses the call unless its caller may do this.
  func require(_ act: AdministrativeAct) throws(WireError) {
    if let refusal = audience.refusal(of: responder.caller.uid, doing: act) {
      throw .notPermitted(refusal)
    }
  }
}

extension MethodHandlers {
  /// What a method is to the rules of administration; nil for what every owner and root may.
  static func act(of method: String) -> AdministrativeAct? {
    switch method.dropFirst("io.localauth.".count) {
    case "Devices.Create": .create
    case "Devices.Delete", "Devices.Erase", "Devices.SetPasscode", "Devices.RemovePasscode",
      "Devices.SetLockout", "Sensor.Enroll", "Sensor.Remove":
      .administer
    case "Devices.Reboot", "Devices.AdvanceClock", "Sensor.Touch", "Sensor.Present",
      "Sensor.Script", "Sensor.Set", "Sensor.Reset":
      .drive
    default: nil
    }
  }
}
