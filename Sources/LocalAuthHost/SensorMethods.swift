import LocalAuthCore
import LocalAuthSecret
import LocalAuthService
import LocalAuthWire

/// The methods of `io.localauth.Sensor`.
enum SensorMethods {
  static let handlers = [
    Handler(Methods.enrollFinger, enroll),
    Handler(Methods.removeFinger, removeFinger),
    Handler(Methods.listFingers, listFingers),
    Handler(Methods.touch, touch),
    Handler(Methods.present, present),
    Handler(Methods.script, queueScript),
    Handler(Methods.setSetting, set),
    Handler(Methods.resetSensor, reset),
    Handler(Methods.dumpSensor, dump),
  ]

  private static func enroll(
    _ parameters: SensorMessages.EnrollCall,
    _ call: borrowing Call
  ) throws(WireError) {
    let responder = call.responder
    let id = call.engine.enroll(
      try Self.finger(parameters.finger),
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
    responder.onCancel = { [weak engine = call.engine] in engine?.cancelEnrolment(id) }
  }

  private static func removeFinger(
    _ parameters: SensorMessages.RemoveCall,
    _ call: borrowing Call
  ) throws(WireError) {
    let finger = try parameters.finger.map { name throws(WireError) in try Self.finger(name) }
    call.engine.remove(
      finger,
      on: parameters.device,
      passcode: try call.secret(parameters.passcode, "passcode"),
      caller: call.caller,
      then: call.responder.finish
    )
  }

  private static func listFingers(_ parameters: DeviceMessages.DeviceCall, _ call: borrowing Call) {
    call.reply { () throws(EngineError) in
      let answer = try call.engine.enrolment(on: parameters.device, caller: call.caller)
      var reply = SensorMessages.ListReply()
      reply.fingers = answer.set.fingers.map(\.rawValue)
      reply.generation = Int64(clamping: answer.set.generation)
      reply.maximum = Int64(answer.maximum)
      return reply
    }
  }

  private static func touch(
    _ parameters: SensorMessages.TouchCall,
    _ call: borrowing Call
  ) throws(WireError) {
    let finger = try Self.finger(parameters.finger)
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

  private static func present(
    _ parameters: SensorMessages.PresentCall,
    _ call: borrowing Call
  ) throws(WireError) {
    let event: SecretBox = try call.secret(parameters.event, "event")
    call.engine.present(
      event: ScriptSource(text: event, isArgument: true),
      on: parameters.device,
      caller: call.caller
    ) { [responder = call.responder] in responder.finish($0, reply) }
  }

  private static func queueScript(
    _ parameters: SensorMessages.ScriptCall,
    _ call: borrowing Call
  ) throws(WireError) {
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

  private static func set(_ parameters: SensorMessages.SetCall, _ call: borrowing Call) {
    call.engine.set(
      parameters.key,
      parameters.value,
      on: parameters.device,
      caller: call.caller,
      then: call.responder.finish
    )
  }

  private static func reset(_ parameters: DeviceMessages.DeviceCall, _ call: borrowing Call) {
    call.engine.resetSensor(
      on: parameters.device,
      caller: call.caller,
      then: call.responder.finish
    )
  }

  private static func dump(_ parameters: DeviceMessages.DeviceCall, _ call: borrowing Call) {
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

  static func finger(_ name: String) throws(WireError) -> Finger {
    guard let finger = Finger(named: name) else { throw .invalidParameter("finger") }
    return finger
  }

  private static func reply(_ effect: SensorEffect) -> SensorMessages.EffectReply {
    var reply = SensorMessages.EffectReply()
    reply.effect = effect.word
    return reply
  }
}
