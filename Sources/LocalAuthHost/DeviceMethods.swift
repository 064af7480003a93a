import LocalAuthCore
import LocalAuthSecret
import LocalAuthService
import LocalAuthUnix
import LocalAuthWire

extension MethodHandlers {
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

  private static func list(
    _ server: Server,
    _ parameters: CallParameters,
    _ responder: Responder
  ) throws(WireError) {
    _ = try parameters.read(ServiceMessages.Empty.self)
    var reply = DeviceMessages.ListReply()
    reply.devices = server.engine.statuses(of: responder.caller).map(DeviceMessages.Device.init)
    responder.reply(reply)
  }

  private static func status(
    _ server: Server,
    _ parameters: CallParameters,
    _ responder: Responder
  ) throws(WireError) {
    let call = try parameters.read(DeviceMessages.DeviceCall.self)
    do throws(EngineError) {
      var reply = DeviceMessages.StatusReply()
      reply.device = DeviceMessages.Device(
        try server.engine.status(of: call.device, caller: responder.caller)
      )
      reply.daemon = DeviceMessages.Daemon(server)
      responder.reply(reply)
    } catch {
      responder.fail(error)
    }
  }

  private static func create(
    _ server: Server,
    _ parameters: CallParameters,
    _ responder: Responder
  ) throws(WireError) {
    let call = try parameters.read(DeviceMessages.CreateCall.self)
    var description = DeviceDescription(name: call.device)
    switch call.sensor {
    case nil, "simulated": description.hasSensor = true
    case "none": description.hasSensor = false
    default: throw .invalidParameter("sensor")
    }
    description.fingers = try (call.fingers ?? []).map { name throws(WireError) in
      try parsedFinger(name)
    }
    description.passcode = try parameters.secret(call.passcode, "passcode")
    description.pam = call.pamService.map { ($0, call.pamDirectory) }
    description.lockout = call.lockout
    description.passcodeDelays = call.passcodeDelays
    description.hasStoppedClock = call.stoppedClock ?? false
    server.engine.create(description, caller: responder.caller) { [weak server] result in
      switch result {
      case .failure(let error): responder.fail(error)
      case .success:
        guard
          let status = try? server?.engine.status(of: call.device, caller: responder.caller)
        else { return responder.fail(.deviceNotFound(call.device)) }
        var reply = DeviceMessages.DeviceReply()
        reply.device = DeviceMessages.Device(status)
        responder.reply(reply)
      }
    }
  }

  private static func delete(
    _ server: Server,
    _ parameters: CallParameters,
    _ responder: Responder
  ) throws(WireError) {
    let call = try parameters.read(DeviceMessages.DeviceCall.self)
    guard let device = call.device else { throw .invalidParameter("device") }
    server.engine.delete(
      device,
      passcode: try parameters.secret(call.passcode, "passcode"),
      caller: responder.caller,
      then: responder.finish
    )
  }

  private static func erase(
    _ server: Server,
    _ parameters: CallParameters,
    _ responder: Responder
  ) throws(WireError) {
    let call = try parameters.read(DeviceMessages.DeviceCall.self)
    guard let device = call.device else { throw .invalidParameter("device") }
    server.engine.erase(device, caller: responder.caller, then: responder.finish)
  }

  private static func lock(
    _ server: Server,
    _ parameters: CallParameters,
    _ responder: Responder
  ) throws(WireError) {
    let call = try parameters.read(DeviceMessages.DeviceCall.self)
    server.engine.lock(call.device, caller: responder.caller, then: responder.finish)
  }

  private static func unlock(
    _ server: Server,
    _ parameters: CallParameters,
    _ responder: Responder
  ) throws(WireError) {
    let call = try parameters.read(DeviceMessages.UnlockCall.self)
    if let passcode = try parameters.secret(call.passcode, "passcode") {
      return server.engine.unlock(
        call.device,
        passcode: passcode,
        caller: responder.caller,
        then: responder.finish
      )
    }
    var request = EvaluationRequest(
      purpose: .unlock,
      policy: "biometrics",
      reason: "unlock the device",
      device: call.device
    )
    request.isInteractive = responder.more
    request.timeout = try timeout(call.timeoutMilliseconds, server.limits)
    request.script = try script(call.script, isArgument: call.scriptIsArgument, parameters)
    // Unlocking answers nobody else's question, so a simulated device may be told to.
    request.allowsSimulated = true
    stream(responder, request) { (onEvent) throws(EngineError) in
      let caller = responder.callerWithProcess
      return try server.engine.unlockWithFinger(request, caller: caller, onEvent: onEvent)
    } cancel: {
      server.engine.cancel($0)
    }
  }

  private static func reboot(
    _ server: Server,
    _ parameters: CallParameters,
    _ responder: Responder
  ) throws(WireError) {
    let call = try parameters.read(DeviceMessages.DeviceCall.self)
    server.engine.reboot(call.device, caller: responder.caller, then: responder.finish)
  }

  private static func advanceClock(
    _ server: Server,
    _ parameters: CallParameters,
    _ responder: Responder
  ) throws(WireError) {
    let call = try parameters.read(DeviceMessages.AdvanceClockCall.self)
    server.engine.advanceClock(
      call.device,
      by: .milliseconds(call.milliseconds),
      passcode: try parameters.secret(call.passcode, "passcode"),
      caller: responder.caller,
      then: responder.finish
    )
  }

  private static func setPasscode(
    _ server: Server,
    _ parameters: CallParameters,
    _ responder: Responder
  ) throws(WireError) {
    let call = try parameters.read(DeviceMessages.SetPasscodeCall.self)
    let new: SecretBox = try parameters.secret(call.new, "new")
    server.engine.setPasscode(
      new,
      on: call.device,
      passcode: try parameters.secret(call.passcode, "passcode"),
      caller: responder.caller,
      then: responder.finish
    )
  }

  private static func removePasscode(
    _ server: Server,
    _ parameters: CallParameters,
    _ responder: Responder
  ) throws(WireError) {
    let call = try parameters.read(DeviceMessages.DeviceCall.self)
    server.engine.removePasscode(
      on: call.device,
      passcode: try parameters.secret(call.passcode, "passcode"),
      caller: responder.caller,
      then: responder.finish
    )
  }

  private static func setLockout(
    _ server: Server,
    _ parameters: CallParameters,
    _ responder: Responder
  ) throws(WireError) {
    let call = try parameters.read(DeviceMessages.SetLockoutCall.self)
    server.engine.setLockout(
      call.lockout,
      delays: call.passcodeDelays,
      on: call.device,
      passcode: try parameters.secret(call.passcode, "passcode"),
      caller: responder.caller,
      then: responder.finish
    )
  }

  private static func audit(
    _ server: Server,
    _ parameters: CallParameters,
    _ responder: Responder
  ) throws(WireError) {
    let call = try parameters.read(DeviceMessages.AuditCall.self)
    let limit = call.limit ?? 100
    guard (1...10_000).contains(limit) else { throw .invalidParameter("limit") }
    let follows = call.follow == true && responder.more
    server.audit.read(for: responder, device: call.device, limit: Int(limit), follows: follows)
  }

  private static func verifyAudit(
    _ server: Server,
    _ parameters: CallParameters,
    _ responder: Responder
  ) throws(WireError) {
    _ = try parameters.read(ServiceMessages.Empty.self)
    guard let trail = server.trail else {
      throw .notPermitted("Only the system's service keeps a copy of the audit.")
    }
    guard responder.caller.uid == 0 else {
      throw .notPermitted("The copy is of all users: only root may look at it.")
    }
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
      responder.reply(reply)
    } catch {
      responder.fail(.internalError("The copy of the audit cannot be read: \(error)"))
    }
  }

  static func parsedFinger(_ name: String) throws(WireError) -> Finger {
    guard let finger = Finger(named: name) else { throw .invalidParameter("finger") }
    return finger
  }
}
