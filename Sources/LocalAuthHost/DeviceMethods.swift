import LocalAuthCore
import LocalAuthSecret
import LocalAuthService
import LocalAuthUnix
import LocalAuthWire

extension Methods {
  /// `io.localauth.Devices`.
  static var deviceMethods: [(String, MethodHandler)] {
    [
      ("List", list), ("Status", status), ("Create", create), ("Delete", delete),
      ("Erase", erase), ("Lock", lock), ("Unlock", unlock), ("Reboot", reboot),
      ("AdvanceClock", advanceClock), ("SetPasscode", setPasscode),
      ("RemovePasscode", removePasscode), ("SetLockout", setLockout), ("Audit", audit),
      ("VerifyAudit", verifyAudit),
    ]
  }

  private static func list(_ call: borrowing Call) throws(WireError) {
    _ = try call.read(ServiceMessages.Empty.self)
    var reply = DeviceMessages.ListReply()
    reply.devices = call.engine.statuses(of: call.caller).map(DeviceMessages.Device.init)
    call.reply(reply)
  }

  private static func status(_ call: borrowing Call) throws(WireError) {
    let parameters = try call.read(DeviceMessages.DeviceCall.self)
    call.reply { () throws(EngineError) in
      let status = try call.engine.status(of: parameters.device, caller: call.caller)
      var reply = DeviceMessages.StatusReply()
      reply.device = DeviceMessages.Device(status)
      reply.daemon = DeviceMessages.Daemon(call.server)
      return reply
    }
  }

  private static func create(_ call: borrowing Call) throws(WireError) {
    let parameters = try call.read(DeviceMessages.CreateCall.self)
    var description = DeviceDescription(name: parameters.device)
    switch parameters.sensor {
    case nil, "simulated": description.hasSensor = true
    case "none": description.hasSensor = false
    default: throw .invalidParameter("sensor")
    }
    description.fingers = try (parameters.fingers ?? []).map { name throws(WireError) in
      try parsedFinger(name)
    }
    description.passcode = try call.secret(parameters.passcode, "passcode")
    description.pam = parameters.pamService.map { ($0, parameters.pamDirectory) }
    description.lockout = parameters.lockout
    description.passcodeDelays = parameters.passcodeDelays
    description.hasStoppedClock = parameters.stoppedClock ?? false
    let (name, responder) = (parameters.device, call.responder)
    call.engine.create(description, caller: call.caller) { [weak engine = call.engine] result in
      switch result {
      case .failure(let error): responder.fail(error)
      case .success:
        guard let status = try? engine?.status(of: name, caller: responder.caller) else {
          return responder.fail(.deviceNotFound(name))
        }
        var reply = DeviceMessages.DeviceReply()
        reply.device = DeviceMessages.Device(status)
        responder.reply(reply)
      }
    }
  }

  private static func delete(_ call: borrowing Call) throws(WireError) {
    let parameters = try call.read(DeviceMessages.DeviceCall.self)
    guard let device = parameters.device else { throw .invalidParameter("device") }
    call.engine.delete(
      device,
      passcode: try call.secret(parameters.passcode, "passcode"),
      caller: call.caller,
      then: call.responder.finish
    )
  }

  private static func erase(_ call: borrowing Call) throws(WireError) {
    let parameters = try call.read(DeviceMessages.DeviceCall.self)
    guard let device = parameters.device else { throw .invalidParameter("device") }
    call.engine.erase(device, caller: call.caller, then: call.responder.finish)
  }

  private static func lock(_ call: borrowing Call) throws(WireError) {
    let parameters = try call.read(DeviceMessages.DeviceCall.self)
    call.engine.lock(parameters.device, caller: call.caller, then: call.responder.finish)
  }

  private static func unlock(_ call: borrowing Call) throws(WireError) {
    let parameters = try call.read(DeviceMessages.UnlockCall.self)
    if let passcode = try call.secret(parameters.passcode, "passcode") {
      return call.engine.unlock(
        parameters.device,
        passcode: passcode,
        caller: call.caller,
        then: call.responder.finish
      )
    }
    var request = EvaluationRequest(
      purpose: .unlock,
      policy: "biometrics",
      reason: "unlock the device",
      device: parameters.device
    )
    request.isInteractive = call.responder.more
    request.timeout = try call.timeout(parameters.timeoutMilliseconds)
    request.script = try call.script(parameters.script, isArgument: parameters.scriptIsArgument)
    // Unlocking answers nobody else's question, so a simulated device may be told to.
    request.allowsSimulated = true
    stream(request, call) { (onEvent) throws(EngineError) in
      let caller = call.responder.callerWithProcess
      return try call.engine.unlockWithFinger(request, caller: caller, onEvent: onEvent)
    }
  }

  private static func reboot(_ call: borrowing Call) throws(WireError) {
    let parameters = try call.read(DeviceMessages.DeviceCall.self)
    call.engine.reboot(parameters.device, caller: call.caller, then: call.responder.finish)
  }

  private static func advanceClock(_ call: borrowing Call) throws(WireError) {
    let parameters = try call.read(DeviceMessages.AdvanceClockCall.self)
    call.engine.advanceClock(
      parameters.device,
      by: .milliseconds(parameters.milliseconds),
      passcode: try call.secret(parameters.passcode, "passcode"),
      caller: call.caller,
      then: call.responder.finish
    )
  }

  private static func setPasscode(_ call: borrowing Call) throws(WireError) {
    let parameters = try call.read(DeviceMessages.SetPasscodeCall.self)
    let new: SecretBox = try call.secret(parameters.new, "new")
    call.engine.setPasscode(
      new,
      on: parameters.device,
      passcode: try call.secret(parameters.passcode, "passcode"),
      caller: call.caller,
      then: call.responder.finish
    )
  }

  private static func removePasscode(_ call: borrowing Call) throws(WireError) {
    let parameters = try call.read(DeviceMessages.DeviceCall.self)
    call.engine.removePasscode(
      on: parameters.device,
      passcode: try call.secret(parameters.passcode, "passcode"),
      caller: call.caller,
      then: call.responder.finish
    )
  }

  private static func setLockout(_ call: borrowing Call) throws(WireError) {
    let parameters = try call.read(DeviceMessages.SetLockoutCall.self)
    call.engine.setLockout(
      parameters.lockout,
      delays: parameters.passcodeDelays,
      on: parameters.device,
      passcode: try call.secret(parameters.passcode, "passcode"),
      caller: call.caller,
      then: call.responder.finish
    )
  }

  private static func audit(_ call: borrowing Call) throws(WireError) {
    let parameters = try call.read(DeviceMessages.AuditCall.self)
    let limit = parameters.limit ?? 100
    guard (1...10_000).contains(limit) else { throw .invalidParameter("limit") }
    call.server.audit.read(
      for: call.responder,
      device: parameters.device,
      limit: Int(limit),
      follows: parameters.follow == true && call.responder.more
    )
  }

  private static func verifyAudit(_ call: borrowing Call) throws(WireError) {
    _ = try call.read(ServiceMessages.Empty.self)
    guard let trail = call.server.trail else {
      throw .notPermitted("Only the system's service keeps a copy of the audit.")
    }
    guard call.caller.uid == 0 else {
      throw .notPermitted("The copy is of all users: only root may look at it.")
    }
    call.reply { () throws(EngineError) in
      var reply = DeviceMessages.VerifyAuditReply()
      do throws(DurableFileError) {
        switch try trail.verify() {
        case .intact(let lines):
          reply.intact = true
          reply.lines = Int64(lines)
        case .broken(let file, let line):
          reply.message = "\(file) is not what was written, from line \(line) on"
        case .cut: reply.message = "\(AuditTrail.name) ends elsewhere than it was left"
        }
      } catch {
        throw .internalError("The copy of the audit cannot be read: \(error)")
      }
      return reply
    }
  }

  static func parsedFinger(_ name: String) throws(WireError) -> Finger {
    guard let finger = Finger(named: name) else { throw .invalidParameter("finger") }
    return finger
  }
}
