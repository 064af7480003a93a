/// Events to be played in order, read from text.
///
/// The text is bytes of the caller's, which it keeps: what a person would type stays there and is
/// named by its range, so that a passcode goes from wiped memory to wiped memory.
public struct SensorScript: Hashable, Sendable {
  /// The events.
  public let events: [ScriptEvent]

  /// The most bytes of a script.
  public static let longest = 65_536
  /// The most events of a script.
  public static let mostEvents = 1000
  /// The longest `sleep`.
  public static let longestSleep: Duration = .seconds(3600)

  /// The script of these events.
  public init(events: [ScriptEvent]) { self.events = events }

  /// The script that `source` says.
  public init(parsing source: Span<UInt8>) throws(ScriptError) {
    var scanner = ScriptScanner()
    try scanner.admit(source.count)
    var events: [ScriptEvent] = []
    while let event = try scanner.next(in: source) { events.append(event) }
    self.events = events
  }

  /// Whether any event drives the sensor, which only a simulated device allows.
  public var drivesSensor: Bool { events.contains(where: \.drivesSensor) }

  /// Whether a passcode stands in the script itself, which only a simulated device with a passcode
  /// of its own allows on a command line.
  public var holdsPasscode: Bool {
    events.contains {
      if case .passcode(.some) = $0 { true } else { false }
    }
  }

  /// Whether an event asks for the passcode that is handed over beside the script.
  public var needsPasscode: Bool { events.contains(.passcode(nil)) }
}

/// One playing of a script.
public struct ScriptRun: Hashable, Sendable {
  private let script: SensorScript
  private var played = 0

  /// A run that begins with the first event of `script`.
  public init(_ script: SensorScript) { self.script = script }

  /// The next event, once; nil when the script has run out.
  public mutating func next() -> ScriptEvent? {
    guard played < script.events.count else { return nil }
    defer { played += 1 }
    return script.events[played]
  }

  /// The events that were not played; safe to show.
  public var leftOver: ArraySlice<ScriptEvent> { script.events[played...] }
}
