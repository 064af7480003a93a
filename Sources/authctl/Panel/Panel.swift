import LocalAuthCore
import LocalAuthTerminal
import LocalAuthWire

/// What the panel of a device knows, and what its keys do.
///
/// Each event is a method; those that may lead to a call of the daemon return the action.
struct Panel: Sendable {
  /// What the caller has to do.
  enum Action: Equatable, Sendable {
    case nothing
    /// Do this to the device, then report it with ``ended(_:)`` or ``failed(_:)``.
    case perform(PanelAct)
    /// The person has seen enough.
    case end
  }

  /// How many acts may wait for the one under way.
  private static let mostPending = 8

  /// The device as the daemon described it last.
  private(set) var device: DeviceMessages.Device
  /// What is asked on it: first what has the prompt, then what waits for it.
  private(set) var asked: [DeviceMessages.Asked]
  /// The names of the accounts that ask.
  private(set) var accounts: [Int64: String] = [:]
  /// What a simulated sensor says of itself.
  private(set) var sensor: [String: String] = [:]
  private(set) var audit = PanelAudit()
  /// What came of the last key; nil if nothing is to be said.
  private(set) var message: PromptMessage?
  /// Whether a daemon answers.
  private(set) var isConnected = true
  private var running: PanelAct?
  private var pending: [PanelAct] = []
  private var isRebootAsked = false

  /// Creates the panel of a device that was just described.
  init(_ status: DeviceMessages.StatusReply) {
    device = status.device
    asked = status.asked
  }

  /// Whether the simulated sensor is connected.
  var isPlugged: Bool { sensor["plugged"] != "false" }

  // MARK: The daemon

  /// The device was described again; `accounts` names those that ask.
  mutating func described(
    _ status: DeviceMessages.StatusReply,
    accounts: [Int64: String] = [:]
  ) {
    device = status.device
    asked = status.asked
    self.accounts = accounts
  }

  /// The simulated sensor was described.
  mutating func described(_ sensor: SensorMessages.DumpReply) {
    self.sensor = Dictionary(sensor.state.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
  }

  /// Lines of the audit came.
  mutating func told(_ lines: [DeviceMessages.AuditLine]) { audit.take(lines) }

  /// The connection to the daemon ended.
  mutating func disconnected() {
    isConnected = false
    asked = []
    sensor = [:]
    (running, pending, message) = (nil, [], nil)
  }

  /// A daemon answers again.
  mutating func connected() {
    isConnected = true
    message = PromptMessage(.info, "A daemon answers again.")
  }

  /// The act under way ended; `effect` is what it did at the sensor.
  mutating func ended(_ effect: String) -> Action {
    if let running { message = told(of: running, effect) }
    return goOn()
  }

  /// The act under way was refused; `why` is one sentence.
  mutating func failed(_ why: String) -> Action {
    message = PromptMessage(.error, why)
    return goOn()
  }

  private mutating func goOn() -> Action {
    running = pending.isEmpty ? nil : pending.removeFirst()
    return running.map { .perform($0) } ?? .nothing
  }

  private func told(of act: PanelAct, _ effect: String) -> PromptMessage {
    switch act {
    case .touch(let finger): PromptMessage(.info, "\(finger) is laid on the sensor: \(effect).")
    case .miss: PromptMessage(.info, "A finger that is not enrolled touches: \(effect).")
    case .unplug: PromptMessage(.info, "The sensor is unplugged.")
    case .plug: PromptMessage(.info, "The sensor is plugged in.")
    case .reboot: PromptMessage(.info, "\(device.name) is rebooted.")
    case .advance(let step):
      PromptMessage(
        .info,
        "The clock of \(device.name) is \(DurationText.words(step)) further."
          + (DeviceText.lastingRefusal(device).map { " " + $0 } ?? "")
      )
    }
  }

  // MARK: The person

  /// A key was pressed.
  mutating func pressed(_ key: Key) -> Action {
    let wasRebootAsked = isRebootAsked
    isRebootAsked = false
    switch key {
    case .nothing: return .nothing
    case .cancel, .scalar("q"): return .end
    case .scalar(let scalar):
      guard let key = PanelKey(scalar) else { return refuse(Self.unknownKey) }
      if let hindrance = hindrance(of: key) { return refuse(hindrance) }
      return drive(key, isConfirmed: wasRebootAsked)
    case .enter, .backspace, .clear, .fallback: return refuse(Self.unknownKey)
    }
  }

  private static let unknownKey =
    "No such key. A passcode is typed where it is asked for, never here."

  /// Why a key does nothing now; nil if it does what it says.
  private func hindrance(of key: PanelKey) -> String? {
    if !device.simulated {
      return "\(device.name) is a real device: no key lays its fingers or moves its clock."
    }
    // The message says already that no daemon answers.
    if !isConnected { return "Nothing can be done to \(device.name) without a daemon." }
    if key.needsSensor, !device.hasSensor { return "\(device.name) has no sensor." }
    guard case .finger(let number) = key, number > device.fingers.count else { return nil }
    return device.fingers.isEmpty
      ? "No finger is enrolled: authctl --device \(ShellWord.quoted(device.name)) sensor enroll"
      : "There is no finger \(number): \(CountText.of(device.fingers.count, "is", "are")) enrolled."
  }

  private mutating func refuse(_ why: String) -> Action {
    message = PromptMessage(.retry, why)
    return .nothing
  }

  private mutating func drive(_ key: PanelKey, isConfirmed: Bool) -> Action {
    switch key {
    case .finger(let number): return begin(.touch(finger: device.fingers[number - 1]))
    case .miss: return begin(.miss)
    case .plug: return begin(isPlugged ? .unplug : .plug)
    case .clock(let step): return begin(.advance(step))
    case .reboot:
      guard !isConfirmed else { return begin(.reboot) }
      isRebootAsked = true
      return refuse("A reboot cancels what is asked and ends grants: press r again.")
    }
  }

  private mutating func begin(_ act: PanelAct) -> Action {
    message = nil
    guard running != nil else {
      running = act
      return .perform(act)
    }
    guard pending.count < Self.mostPending else { return refuse("Too many keys wait already.") }
    pending.append(act)
    return .nothing
  }
}
