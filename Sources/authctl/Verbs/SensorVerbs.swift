import LocalAuthClient
import LocalAuthCore
import LocalAuthSecret
import LocalAuthWire

/// `authctl sensor list|remove|touch|present|script|set|reset|dump`.
enum SensorVerbs {
  static let finger = Argument<Finger>("FINGER", help: "the finger")
  static let fingers = Argument<FingerChoice>("FINGER", help: "the finger, or all")
  static let event = Argument<String>("EVENT", help: "one event of a script")
  static let events = Argument<ScriptOption>(
    "EVENTS",
    source: .files,
    help: "the events, parted by commas; @FILE or - to read them"
  )
  static let setting = Argument<SettingText>("KEY=VALUE", help: "a setting and its value")
  static let wait = Flag("wait", help: "wait until a prompt is armed")
  static let patience = Option<Patience>(
    "timeout",
    "DURATION",
    default: "30s",
    help: "how long to wait"
  )
  static let times = Option<Repetition>(
    "times",
    "N|always",
    default: "1",
    help: "for how many evaluations"
  )

  static let command = Command(
    "sensor",
    abstract: "Enroll fingers and drive the simulated sensor.",
    subcommands: [
      SensorEnrollVerb.command, remove, list, touch, present, script, set, reset, dump,
    ]
  )

  static let remove = Command(
    "remove",
    abstract: "Remove an enrolled finger, or all of them.",
    discussion: "Needs the device's passcode where one is set.",
    arguments: [fingers.declaration],
    options: PasscodeInput.options,
    exclusions: PasscodeInput.exclusions
  ) { (context) throws(Failure) in
    let device = try context.device()
    let choice = context.arguments[fingers]
    let _: ServiceMessages.Empty = try PasscodeInput(context).call(
      Methods.removeFinger,
      device
    ) { passcode in
      var call = SensorMessages.RemoveCall()
      call.device = device.name
      if case .one(let finger) = choice { call.finger = finger.rawValue }
      call.passcode = passcode
      return call
    }
    let name: String? = if case .one(let finger) = choice { finger.rawValue } else { nil }
    return Report(name.map { "\($0) is removed." } ?? "All fingers are removed.") {
      $0.member("device", device.name ?? "default")
      $0.member("finger", name)
    }
  }

  static let list = Command("list", abstract: "List the enrolled fingers.") {
    (context) throws(Failure) in
    let device = try context.device()
    let reply = try context.call(Methods.listFingers, DeviceVerbs.call(device))
    let message = "\(reply.fingers.count) of at most \(reply.maximum) fingers are enrolled."
    return Report(message, answer: reply.fingers) {
      $0.member("device", device.name ?? "default")
      $0.member("items", reply.fingers)
      $0.member("generation", reply.generation)
      $0.member("maximum", reply.maximum)
    }
  }

  static let touch = Command(
    "touch",
    abstract: "Lay a finger on the simulated sensor.",
    discussion: """
      Without --wait a touch that no prompt waits for is recorded, dropped, and exits 13.

        authctl --device sim sensor touch right-index-finger --wait
      """,
    arguments: [finger.declaration],
    options: [wait.declaration, patience.declaration]
  ) { (context) throws(Failure) in
    let device = try context.device()
    let patience = context.arguments[patience]
    var call = SensorMessages.TouchCall()
    call.device = device.name
    call.finger = context.arguments[finger].rawValue
    call.wait = context.arguments[wait]
    call.timeoutMilliseconds = patience.milliseconds
    let limit = patience.duration + DaemonConnection.standardPatience
    return try effect(try context.call(Methods.touch, call, within: limit), device)
  }

  static let present = Command(
    "present",
    abstract: "Let one event happen at the simulated sensor now.",
    discussion: """
      Events are those of a script that concern the sensor: match:FINGER, miss, retry:CODE,
      error:CODE, touch:FINGER, unplug, plug, busy, free.
      """,
    arguments: [event.declaration]
  ) { (context) throws(Failure) in
    let device = try context.device()
    let text = Secret(copying: context.arguments[event])
    return try text.lend { (secret) throws(Failure) in
      var call = SensorMessages.PresentCall()
      call.device = device.name
      call.event = secret
      return try effect(try context.call(Methods.present, call), device)
    }
  }

  static let script = Command(
    "script",
    abstract: "Queue events for the next evaluation.",
    discussion: """
      The evaluation must be one that can ask somebody: it plays the events in place of the person.

        authctl --device sim sensor script miss,match:right-index --times always
      """,
    arguments: [events.declaration],
    options: [times.declaration]
  ) { (context) throws(Failure) in
    let device = try context.device()
    let events = try context.arguments[events].read()
    let reply: SensorMessages.ScriptReply = try events.lend { (secret) throws(Failure) in
      var call = SensorMessages.ScriptCall()
      call.device = device.name
      call.events = secret
      call.times = context.arguments[times].times
      return try context.call(Methods.script, call)
    }
    return Report(CountText.of(reply.queued, "event is", "events are") + " queued.") {
      $0.member("device", device.name ?? "default")
      $0.member("queued", reply.queued)
    }
  }

  static let set = Command(
    "set",
    abstract: "Change a setting of the simulated sensor.",
    discussion: "'authctl sensor dump' shows the settings there are.",
    arguments: [setting.declaration]
  ) { (context) throws(Failure) in
    let device = try context.device()
    let setting = context.arguments[setting]
    var call = SensorMessages.SetCall()
    call.device = device.name
    call.key = setting.key
    call.value = setting.value
    let _: ServiceMessages.Empty = try context.call(Methods.setSetting, call)
    return Report("\(setting.key) is \(setting.value).") {
      $0.member("device", device.name ?? "default")
      $0.member("setting", setting.key)
      $0.member("value", setting.value)
    }
  }

  static let reset = Command(
    "reset",
    abstract: "Give the simulated sensor the settings of a new one.",
    discussion: "Queued scripts are forgotten; fingers and counters stay."
  ) { (context) throws(Failure) in
    let device = try context.device()
    let _: ServiceMessages.Empty = try context.call(
      Methods.resetSensor,
      DeviceVerbs.call(device)
    )
    return Report("The sensor is as new.") { $0.member("device", device.name ?? "default") }
  }

  static let dump = Command(
    "dump",
    abstract: "Show everything there is to see of the simulated sensor."
  ) { (context) throws(Failure) in
    let device = try context.device()
    let reply = try context.call(Methods.dumpSensor, DeviceVerbs.call(device))
    let lines = Columns.table(reply.state.map { [$0.key, $0.value] })
    return Report("The sensor is described.", answer: lines) {
      $0.member("device", device.name ?? "default")
      $0.member("sensor") { writer in
        for setting in reply.state { writer.member(setting.key, setting.value) }
      }
    }
  }

  /// Reports the effect of a touch; a touch without effect is never a success.
  private static func effect(
    _ reply: SensorMessages.EffectReply,
    _ device: DeviceChoice
  ) throws(Failure) -> Report {
    switch reply.effect {
    case "dropped", "occupied", "not-supported":
      throw Failure(.sensorError, "It had no effect at the sensor: \(reply.effect).")
    default:
      return Report("Effect: \(reply.effect).") {
        $0.member("device", device.name ?? "default")
        $0.member("effect", reply.effect)
      }
    }
  }
}
