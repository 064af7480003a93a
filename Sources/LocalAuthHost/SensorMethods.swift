import LocalAuthCore
import LocalAuthSecret
import LocalAuthService
import LocalAuthWire

extension Methods {
  /// `io.localauth.Sensor`.
  static var sensorMethods: [(String, MethodHandler)] {
    [
      ("Enroll", enroll), ("Remove", removeFinger), ("List", listFingers), ("Touch", touch),
      ("Present", present), ("Script", queueScript), ("Set", set), ("Reset", reset),
      ("Dump", dump),
    ]
  }

  private static func enroll(_ call: borrowing Call) throws(WireError) {
    let parameters = try call.read(SensorMessages.EnrollCall.self)
    let responder = call.responder
    let id = call.engine.enroll(
      try parsedFinger(parameters.finger),
      on: parameters.device,
      isManual: parameters.manual ?? false,
      passcode: try call.secret(parameters.passcode, "passcode"),
      caller: call.caller
    ) { event in
      var reply = SensorMessages.EnrollReply()
      switch event {
      case .passed(let stage, let stages):
        reply.stage = Int64(stage)
        reply.stages = Int64(stages)
      case .again(let feedback): reply.feedback = feedback
      }
      responder.replyContinuing(reply)
    } then: { result in
      responder.finish(result) {
        var reply = SensorMessages.EnrollReply()
        reply.completed = true
        return reply
      }
    }
    responder.onCancel = { [weak engine = call.engine] in engine?.cancelEnrollment(id) }
  }

  private static func removeFinger(_ call: borrowing Call) throws(WireError) {
    let parameters = try call.read(SensorMessages.RemoveCall.self)
    let finger = try parameters.finger.map { name throws(WireError) in try parsedFinger(name) }
    call.engine.remove(
      finger,
      on: parameters.device,
      passcode: try call.secret(parameters.passcode, "passcode"),
      caller: call.caller,
      then: call.responder.finish
    )
  }

  private static func listFingers(_ call: borrowing Call) throws(WireError) {
    let parameters = try call.read(DeviceMessages.DeviceCall.self)
    call.reply { () throws(EngineError) in
      let answer = try call.engine.enrolment(on: parameters.device, caller: call.caller)
      var reply = SensorMessages.ListReply()
      reply.fingers = answer.set.fingers.map(\.rawValue)
      reply.generation = Int64(clamping: answer.set.generation)
      reply.maximum = Int64(answer.maximum)
      return reply
    }
  }

  private static func touch(_ call: borrowing Call) throws(WireError) {
    let parameters = try call.read(SensorMessages.TouchCall.self)
    let finger = try parsedFinger(parameters.finger)
    let limit = try call.timeout(parameters.timeoutMilliseconds)
    let responder = call.responder
    let id = call.engine.touch(
      finger,
      on: parameters.device,
      waitingFor: parameters.wait == true ? limit : nil,
      caller: call.caller
    ) { responder.finish($0, reply) }
    guard let id else { return }
    responder.onCancel = { [weak engine = call.engine] in engine?.cancelTouch(id) }
  }

  private static func present(_ call: borrowing Call) throws(WireError) {
    let parameters = try call.read(SensorMessages.PresentCall.self)
    let event: SecretBox = try call.secret(parameters.event, "event")
    call.engine.present(
      event: ScriptSource(text: event, isArgument: true),
      on: parameters.device,
      caller: call.caller
    ) { [responder = call.responder] in responder.finish($0, reply) }
  }

  private static func queueScript(_ call: borrowing Call) throws(WireError) {
    let parameters = try call.read(SensorMessages.ScriptCall.self)
    let times = parameters.times ?? 1
    guard (0...10_000).contains(times) else { throw .invalidParameter("times") }
    let text: SecretBox = try call.secret(parameters.events, "events")
    call.reply { () throws(EngineError) in
      let queued = try call.engine.queueScript(
        ScriptSource(text: text, isArgument: true),
        times: Int(times),
        on: parameters.device,
        caller: call.caller
      )
      var reply = SensorMessages.ScriptReply()
      reply.queued = Int64(queued)
      return reply
    }
  }

  private static func set(_ call: borrowing Call) throws(WireError) {
    let parameters = try call.read(SensorMessages.SetCall.self)
    call.engine.set(
      parameters.key,
      parameters.value,
      on: parameters.device,
      caller: call.caller,
      then: call.responder.finish
    )
  }

  private static func reset(_ call: borrowing Call) throws(WireError) {
    let parameters = try call.read(DeviceMessages.DeviceCall.self)
    call.engine.resetSensor(
      on: parameters.device,
      caller: call.caller,
      then: call.responder.finish
    )
  }

  private static func dump(_ call: borrowing Call) throws(WireError) {
    let parameters = try call.read(DeviceMessages.DeviceCall.self)
    call.reply { () throws(EngineError) in
      let state = try call.engine.dumpSensor(on: parameters.device, caller: call.caller)
      var reply = SensorMessages.DumpReply()
      reply.state = state.map { entry in
        var setting = SensorMessages.Setting()
        setting.key = entry.key
        setting.value = entry.value
        return setting
      }
      return reply
    }
  }

  private static func reply(_ effect: SensorEffect) -> SensorMessages.EffectReply {
    var reply = SensorMessages.EffectReply()
    reply.effect = effect.word
    return reply
  }
}
