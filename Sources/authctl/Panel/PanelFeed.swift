import LocalAuthClient
import LocalAuthSecret
import LocalAuthUnix
import LocalAuthWire

/// What the panel hears from the daemon: the audit as it happens, the device's state again and
/// again, and what came of an act.
///
/// Each has a connection of its own and none is waited for, so that the panel always hears its
/// person. A value is of one daemon; after a ``ClientError/unreachable(_:)`` a new one is needed.
struct PanelFeed: ~Copyable {
  /// What the daemon told.
  enum Event {
    case lines([DeviceMessages.AuditLine])
    case status(DeviceMessages.StatusReply)
    case sensor(SensorMessages.DumpReply)
    /// The act ended; the text is its effect at the sensor.
    case ended(String)
    case refused(ClientError)
  }

  private enum Question {
    case status
    case sensor
  }

  /// How long after an answer the device is asked for again: often enough for a countdown, and for a
  /// person to see a prompt at once.
  private static let pause = Duration.milliseconds(250)
  /// How long a daemon may take to describe a device.
  private static let patience = Duration.seconds(10)
  /// How many older lines to begin with.
  private static let oldLines: Int64 = 100

  private let device: String
  private var audit: DaemonConnection
  private var state: DaemonConnection
  private var acts: DaemonConnection
  private var question: Question?
  private var running: PanelAct?
  /// When to ask for the state, or to give up waiting for the answer.
  private(set) var wakesAt = Deadline.after(.zero)

  /// Listens to what the daemon tells of `device`, over three connections that `connect` opens.
  init(
    of device: String,
    _ connect: () throws(ClientError) -> DaemonConnection
  ) throws(ClientError) {
    let followed = try Self.follow(device, over: try connect())
    let asked = try connect()
    let driven = try connect()
    self.device = device
    audit = followed
    state = asked
    acts = driven
  }

  private static func follow(
    _ device: String,
    over connection: consuming DaemonConnection
  ) throws(ClientError) -> DaemonConnection {
    var call = DeviceMessages.AuditCall()
    call.device = device
    call.limit = oldLines
    call.follow = true
    try connection.begin(Methods.audit, call)
    return connection
  }

  /// What to poll, besides the person.
  var descriptors: [Int32] {
    [audit.fileDescriptor]
      + (question == nil ? [] : [state.fileDescriptor])
      + (running == nil ? [] : [acts.fileDescriptor])
  }

  /// Takes what the `readable` descriptors have, and asks for the state when it is time to.
  mutating func events(_ readable: [Int32]) throws(ClientError) -> [Event] {
    var events: [Event] = []
    if readable.contains(audit.fileDescriptor) { events += try lines() }
    if let question, readable.contains(state.fileDescriptor) {
      events.append(try answer(to: question))
    }
    if let running, readable.contains(acts.fileDescriptor) { events.append(try end(of: running)) }
    if wakesAt.hasPassed { try wakeUp() }
    return events
  }

  // MARK: The audit

  private mutating func lines() throws(ClientError) -> [Event] {
    var events: [Event] = []
    repeat {
      let (reply, continues) = try audit.next(Methods.audit, until: .after(Self.patience))
      guard continues else { throw .unreachable("the daemon ended the audit") }
      events.append(.lines(reply.lines))
      // Several replies may have come at once.
    } while try audit.wait(alsoFor: [], until: .after(.zero)).isSocketReady
    // Where something ended, the state is another.
    if question == nil { wakesAt = .after(.zero) }
    return events
  }

  // MARK: The state

  private var call: DeviceMessages.DeviceCall {
    var call = DeviceMessages.DeviceCall()
    call.device = device
    return call
  }

  private mutating func wakeUp() throws(ClientError) {
    guard question == nil else { throw .unreachable("the daemon does not answer") }
    try ask(.status)
  }

  private mutating func ask(_ next: Question) throws(ClientError) {
    question = next
    wakesAt = .after(Self.patience)
    switch next {
    case .status: try state.begin(Methods.status, call, more: false)
    case .sensor: try state.begin(Methods.dumpSensor, call, more: false)
    }
  }

  private mutating func answer(to asked: Question) throws(ClientError) -> Event {
    question = nil
    switch asked {
    case .status:
      let reply = try state.next(Methods.status, until: wakesAt).reply
      if reply.device.simulated, reply.device.hasSensor { try ask(.sensor) } else { rest() }
      return .status(reply)
    case .sensor:
      let reply = try state.next(Methods.dumpSensor, until: wakesAt).reply
      rest()
      return .sensor(reply)
    }
  }

  private mutating func rest() { wakesAt = .after(Self.pause) }

  // MARK: Acts

  /// Begins an act; its end is an event.
  mutating func perform(_ act: PanelAct) throws(ClientError) {
    running = act
    switch act {
    case .touch(let finger):
      var call = SensorMessages.TouchCall()
      call.device = device
      call.finger = finger
      try acts.begin(Methods.touch, call, more: false)
    case .miss: try present("miss")
    case .unplug: try present("unplug")
    case .plug: try present("plug")
    case .reboot: try acts.begin(Methods.rebootDevice, call, more: false)
    case .advance(let step):
      var call = DeviceMessages.AdvanceClockCall()
      call.device = device
      call.milliseconds = step.wholeMilliseconds
      try acts.begin(Methods.advanceClock, call, more: false)
    }
  }

  private mutating func present(_ event: String) throws(ClientError) {
    var call = SensorMessages.PresentCall()
    call.device = device
    try Secret(copying: event).lend { (secret) throws(ClientError) in
      call.event = secret
      try acts.begin(Methods.present, call, more: false)
    }
  }

  /// Takes the answer to an act; its refusal is one too.
  private mutating func end(of act: PanelAct) throws(ClientError) -> Event {
    running = nil
    // What was done shows in the state.
    if question == nil { wakesAt = .after(.zero) }
    do throws(ClientError) {
      return .ended(try effect(of: act))
    } catch {
      guard case .remote = error else { throw error }
      return .refused(error)
    }
  }

  private mutating func effect(of act: PanelAct) throws(ClientError) -> String {
    let deadline = Deadline.after(Self.patience)
    switch act {
    case .touch: return try acts.next(Methods.touch, until: deadline).reply.effect
    case .miss, .unplug, .plug:
      return try acts.next(Methods.present, until: deadline).reply.effect
    case .reboot:
      _ = try acts.next(Methods.rebootDevice, until: deadline)
      return ""
    case .advance:
      _ = try acts.next(Methods.advanceClock, until: deadline)
      return ""
    }
  }
}
