import LocalAuthCore
import LocalAuthSecret
import LocalAuthService
import LocalAuthUnix
import LocalAuthWire

/// The methods of `io.localauth.Devices`.
enum DeviceMethods {
  static let handlers = [
    Handler(Methods.listDevices, list),
    Handler(Methods.status, status),
    Handler(Methods.createDevice, create),
    Handler(Methods.deleteDevice, delete),
    Handler(Methods.eraseDevice, erase),
    Handler(Methods.lockDevice, lock),
    Handler(Methods.watchDevice, watch),
    Handler(Methods.unlockDevice, unlock),
    Handler(Methods.rebootDevice, reboot),
    Handler(Methods.advanceClock, advanceClock),
    Handler(Methods.setPasscode, setPasscode),
    Handler(Methods.removePasscode, removePasscode),
    Handler(Methods.setLockout, setLockout),
    Handler(Methods.audit, audit),
    Handler(Methods.verifyAudit, verifyAudit),
  ]

  private static func list(_: ServiceMessages.Empty, _ call: borrowing Call) {
    var reply = DeviceMessages.ListReply()
    reply.devices = call.engine.statuses(of: call.caller).map(DeviceMessages.Device.init)
    call.reply(reply)
  }

  private static func status(_ parameters: DeviceMessages.DeviceCall, _ call: borrowing Call) {
    call.reply { () throws(EngineError) in
      let status = try call.engine.status(of: parameters.device, caller: call.caller)
      var reply = DeviceMessages.StatusReply()
      reply.device = DeviceMessages.Device(status)
      reply.asked = try call.engine.asked(on: parameters.device, caller: call.caller)
        .map(DeviceMessages.Asked.init)
      reply.daemon = DaemonMessages.Daemon(call.server)
      return reply
    }
  }

  private static func create(
    _ parameters: DeviceMessages.CreateCall,
    _ call: borrowing Call
  ) throws(WireError) {
    var description = DeviceDescription(name: parameters.device)
    switch parameters.sensor {
    case nil, "simulated": description.hasSensor = true
    case "none": description.hasSensor = false
    default: throw .invalidParameter("sensor")
    }
    description.fingers = try (parameters.fingers ?? []).map { name throws(WireError) in
      try SensorMethods.finger(name)
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

  private static func delete(
    _ parameters: DeviceMessages.DeleteCall,
    _ call: borrowing Call
  ) throws(WireError) {
    call.engine.delete(
      parameters.device,
      passcode: try call.secret(parameters.passcode, "passcode"),
      caller: call.caller,
      then: call.responder.finish
    )
  }

  private static func erase(_ parameters: DeviceMessages.EraseCall, _ call: borrowing Call) {
    call.engine.erase(parameters.device, caller: call.caller, then: call.responder.finish)
  }

  private static func lock(_ parameters: DeviceMessages.DeviceCall, _ call: borrowing Call) {
    call.engine.lock(parameters.device, caller: call.caller, then: call.responder.finish)
  }

  private static func watch(_ parameters: DeviceMessages.DeviceCall, _ call: borrowing Call) {
    let (engine, caller) = (call.engine, call.caller)
    call.watch(parameters.device) { () throws(EngineError) in
      DeviceMessages.WatchReply(try engine.lockReport(of: parameters.device, caller: caller))
    } reply: {
      DeviceMessages.WatchReply($0)
    } begin: { (onReport) throws(EngineError) in
      let watch = try engine.watchLock(of: parameters.device, caller: caller, onReport: onReport)
      return { watch.end() }
    }
  }

  private static func unlock(
    _ parameters: DeviceMessages.UnlockCall,
    _ call: borrowing Call
  ) throws(WireError) {
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
    // An unlock is no verdict for another program, so simulated devices are allowed.
    request.allowsSimulated = true
    AuthenticationMethods.stream(request, call) { (onEvent) throws(EngineError) in
      let caller = call.responder.callerWithProcess
      return try call.engine.unlockWithFinger(request, caller: caller, onEvent: onEvent)
    }
  }

  private static func reboot(_ parameters: DeviceMessages.DeviceCall, _ call: borrowing Call) {
    call.engine.reboot(parameters.device, caller: call.caller, then: call.responder.finish)
  }

  private static func advanceClock(
    _ parameters: DeviceMessages.AdvanceClockCall,
    _ call: borrowing Call
  ) throws(WireError) {
    call.engine.advanceClock(
      parameters.device,
      by: .milliseconds(parameters.milliseconds),
      passcode: try call.secret(parameters.passcode, "passcode"),
      caller: call.caller,
      then: call.responder.finish
    )
  }

  private static func setPasscode(
    _ parameters: DeviceMessages.SetPasscodeCall,
    _ call: borrowing Call
  ) throws(WireError) {
    let new: SecretBox = try call.secret(parameters.new, "new")
    call.engine.setPasscode(
      new,
      on: parameters.device,
      passcode: try call.secret(parameters.passcode, "passcode"),
      caller: call.caller,
      then: call.responder.finish
    )
  }

  private static func removePasscode(
    _ parameters: DeviceMessages.RemovePasscodeCall,
    _ call: borrowing Call
  ) throws(WireError) {
    call.engine.removePasscode(
      on: parameters.device,
      passcode: try call.secret(parameters.passcode, "passcode"),
      caller: call.caller,
      then: call.responder.finish
    )
  }

  private static func setLockout(
    _ parameters: DeviceMessages.SetLockoutCall,
    _ call: borrowing Call
  ) throws(WireError) {
    call.engine.setLockout(
      parameters.lockout,
      delays: parameters.passcodeDelays,
      on: parameters.device,
      passcode: try call.secret(parameters.passcode, "passcode"),
      caller: call.caller,
      then: call.responder.finish
    )
  }

  private static func audit(
    _ parameters: DeviceMessages.AuditCall,
    _ call: borrowing Call
  ) throws(WireError) {
    let limit = parameters.limit ?? 100
    guard (1...10_000).contains(limit) else { throw .invalidParameter("limit") }
    let before = try parameters.before.map { text throws(WireError) in
      guard let id = EvaluationID(text: text) else { throw .invalidParameter("before") }
      return id
    }
    call.server.audit.read(
      for: call.responder,
      device: parameters.device,
      before: before,
      limit: Int(limit),
      follows: parameters.follow == true && call.responder.more
    )
  }

  private static func verifyAudit(
    _: ServiceMessages.Empty,
    _ call: borrowing Call
  ) throws(WireError) {
    guard let trail = call.server.trail else {
      throw .notPermitted("Only the system's service keeps a copy of the audit.")
    }
    call.reply { () throws(EngineError) in
      var reply = DeviceMessages.VerifyAuditReply()
      do throws(DurableFileError) {
        switch try trail.verify() {
        case .intact(let lines, let lost):
          reply.intact = true
          reply.lines = Int64(lines)
          reply.lost = lost == 0 ? nil : Int64(lost)
        case .broken(let damage): reply.message = "\(damage)"
        }
      } catch {
        throw .internalError("The copy of the audit cannot be read: \(error)")
      }
      return reply
    }
  }
}
