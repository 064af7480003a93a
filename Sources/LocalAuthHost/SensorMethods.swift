import LocalAuthCore
import LocalAuthSecret
import LocalAuthService
import LocalAuthWire

extension MethodHandlers {
  /// `io.localauth.Sensor`.
  static var sensorMethods: [(String, MethodHandler)] {
    [
      ("Enroll", enroll), ("Remove", removeFinger), ("List", listFingers), ("Touch", touch),
      ("Present", present), ("Script", queueScript), ("Set", set), ("Reset", reset),
      ("Dump", dump),
    ]
  }

  private static func enroll(
    _ server: Server,
    _ parameters: CallParameters,
    _ responder: Responder
  ) throws(WireError) {
    let call = try parameters.read(SensorMessages.EnrollCall.self)
    let finger = try parsedFinger(call.finger)
    let passcode = try parameters.secret(call.passcode, "passcode")
    let id = server.engine.enroll(
      finger,
      on: call.device,
      isManual: call.manual ?? false,
      passcode: passcode,
      caller: responder.caller
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
      switch result {
      case .failure(let error): responder.fail(error)
      case .success:
        var reply = SensorMessages.EnrollReply()
        reply.completed = true
        responder.reply(reply)
      }
    }
    responder.onCancel = { [weak server] in server?.engine.cancelEnrolment(id) }
  }

  private static func removeFinger(
    _ server: Server,
    _ parameters: CallParameters,
    _ responder: Responder
  ) throws(WireError) {
    let call = try parameters.read(SensorMessages.RemoveCall.self)
    let finger = try call.finger.map { name throws(WireError) in try parsedFinger(name) }
    server.engine.remove(
      finger,
      on: call.device,
      passcode: try parameters.secret(call.passcode, "passcode"),
      caller: responder.caller,
      then: responder.finish
    )
  }

  private static func listFingers(
    _ server: Server,
    _ parameters: CallParameters,
    _ responder: Responder
  ) throws(WireError) {
    let call = try parameters.read(DeviceMessages.DeviceCall.self)
    do throws(EngineError) {
      let answer = try server.engine.enrolment(on: call.device, caller: responder.caller)
      var reply = SensorMessages.ListReply()
      reply.fingers = answer.set.fingers.map(\.rawValue)
      reply.generation = Int64(clamping: answer.set.generation)
      reply.maximum = Int64(answer.maximum)
      responder.reply(reply)
    } catch {
      responder.fail(error)
    }
  }

  private static func touch(
    _ server: Server,
    _ parameters: CallParameters,
    _ responder: Responder
  ) throws(WireError) {
    let call = try parameters.read(SensorMessages.TouchCall.self)
    let finger = try parsedFinger(call.finger)
    let limit = try timeout(call.timeoutMilliseconds, server.limits)
    let id = server.engine.touch(
      finger,
      on: call.device,
      waitingFor: call.wait == true ? limit : nil,
      caller: responder.caller
    ) { reply($0, to: responder) }
    guard let id else { return }
    responder.onCancel = { [weak server] in server?.engine.cancelTouch(id) }
  }

  private static func present(
    _ server: Server,
    _ parameters: CallParameters,
    _ responder: Responder
  ) throws(WireError) {
    let call = try parameters.read(SensorMessages.PresentCall.self)
    let event: SecretBox = try parameters.secret(call.event, "event")
    server.engine.present(
      event: ScriptSource(text: event, isArgument: true),
      on: call.device,
      caller: responder.caller
    ) { reply($0, to: responder) }
  }

  private static func queueScript(
    _ server: Server,
    _ parameters: CallParameters,
    _ responder: Responder
  ) throws(WireError) {
    let call = try parameters.read(SensorMessages.ScriptCall.self)
    let times = call.times ?? 1
    guard (0...10_000).contains(times) else { throw .invalidParameter("times") }
    let text: SecretBox = try parameters.secret(call.events, "events")
    do throws(EngineError) {
      var reply = SensorMessages.ScriptReply()
      reply.queued = Int64(
        try server.engine.queueScript(
          ScriptSource(text: text, isArgument: true),
          times: Int(times),
          on: call.device,
          caller: responder.caller
        )
      )
      responder.reply(reply)
    } catch {
      responder.fail(error)
    }
  }

  private static func set(
    _ server: Server,
    _ parameters: CallParameters,
    _ responder: Responder
  ) throws(WireError) {
    let call = try parameters.read(SensorMessages.SetCall.self)
    server.engine.set(
      call.key,
      call.value,
      on: call.device,
      caller: responder.caller,
      then: responder.finish
    )
  }

  private static func reset(
    _ server: Server,
    _ parameters: CallParameters,
    _ responder: Responder
  ) throws(WireError) {
    let call = try parameters.read(DeviceMessages.DeviceCall.self)
    server.engine.resetSensor(on: call.device, caller: responder.caller, then: responder.finish)
  }

  private static func dump(
    _ server: Server,
    _ parameters: CallParameters,
    _ responder: Responder
  ) throws(WireError) {
    let call = try parameters.read(DeviceMessages.DeviceCall.self)
    do throws(EngineError) {
      let state = try server.engine.dumpSensor(on: call.device, caller: responder.caller)
      var reply = SensorMessages.DumpReply()
      reply.state = state.map { entry in
        var setting = SensorMessages.Setting()
        setting.key = entry.key
        setting.value = entry.value
        return setting
      }
      responder.reply(reply)
    } catch {
      responder.fail(error)
    }
  }

  private static func reply(
    _ result: Result<SensorEffect, EngineError>,
    to responder: Responder
  ) {
    switch result {
    case .failure(let error): responder.fail(error)
    case .success(let effect):
      var reply = SensorMessages.EffectReply()
      reply.effect = effect.word
      responder.reply(reply)
    }
  }
}
