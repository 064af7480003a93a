/// Events to be played in order, parsed from text.
///
/// The caller keeps the text: what a person would type stays there and is referred to by its range,
/// so a passcode moves only between wiped buffers.
public struct SensorScript: Hashable, Sendable {
  /// The events.
  public let events: [ScriptEvent]

  /// The maximum size of a script, in bytes.
  public static let longest = 65_536
  /// The maximum number of events.
  public static let mostEvents = 1000
  /// The longest `sleep`.
  public static let longestSleep: Duration = .seconds(3600)

  /// Creates a script of these events.
  public init(events: [ScriptEvent]) { self.events = events }

  /// Parses the script in `source`.
  public init(parsing source: Span<UInt8>) throws(ScriptError) {
    var scanner = ScriptScanner()
    try scanner.admit(source.count)
    var events: [ScriptEvent] = []
    while let event = try scanner.next(in: source) { events.append(event) }
    self.events = events
  }

  /// Whether any event controls the sensor, which only a simulated device allows.
  public var drivesSensor: Bool { events.contains(where: \.drivesSensor) }

  /// Whether the script itself contains a passcode, which on a command line is allowed only for a
  /// simulated device with its own passcode.
  public var holdsPasscode: Bool {
    events.contains {
      if case .passcode(.some) = $0 { true } else { false }
    }
  }

  /// Whether an event needs the passcode that is passed separately from the script.
  public var needsPasscode: Bool { events.contains(.passcode(nil)) }
}

/// One run of a script.
public struct ScriptRun: Hashable, Sendable {
  private let script: SensorScript
  private var played = 0

  /// Creates a run that begins with the first event of `script`.
  public init(_ script: SensorScript) { self.script = script }

  /// Returns the next event, each once; nil at the end of the script.
  public mutating func next() -> ScriptEvent? {
    guard played < script.events.count else { return nil }
    defer { played += 1 }
    return script.events[played]
  }

  /// The events that were not played; safe to show.
  public var leftOver: ArraySlice<ScriptEvent> { script.events[played...] }
}
