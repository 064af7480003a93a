import LocalAuthCore

/// When the program that speaks to a hub does what nobody asks it to do: connect again, look, and tell.
///
/// | state        | event                    | what is due, and when                                           |
/// |--------------|--------------------------|-----------------------------------------------------------------|
/// | not asked    | anything                 | nothing                                                         |
/// | disconnected | asked to connect         | connect, at once                                                |
/// | disconnected | connecting failed        | connect, after a wait that doubles, up to five minutes          |
/// | disconnected | connected                | look, in a minute or a little more                              |
/// | connected    | the connection broke     | connect, after a second at most                                 |
/// | connected    | looked, or was answered  | look, a minute or a little more after that                      |
/// | connected    | something was pushed     | tell, at once, but a second after the last time                 |
///
/// Times are those of a clock that only counts.
public struct HubSchedule<Random: RandomNumberGenerator & Sendable>: Sendable {
  /// What is due; of two that are, the first.
  public enum Act: CaseIterable, Hashable, Sendable {
    /// Connect to the hub.
    case connect
    /// Tell the other devices that there is something new.
    case tell
    /// Ask where everything ends.
    case look
  }

  /// How long after the last look the next one is due, at least.
  public static var lookInterval: Duration { .seconds(60) }
  /// How much later it may be, at random: devices do not all look at once.
  public static var lookJitter: Duration { .seconds(15) }
  /// How long after others were told they are told again, at least.
  public static var tellInterval: Duration { .seconds(1) }
  /// The longest wait between two attempts to connect.
  public static var longestWait: Duration { .seconds(300) }

  private var random: Random
  private var backoff = Backoff(longest: longestWait)
  private var dueTimes: [Act: Duration] = [:]
  private var toldAt: Duration?
  /// Whether there is a connection.
  public private(set) var isConnected = false

  /// Nothing is due; `random` is where waits come from.
  public init(_ random: Random) { self.random = random }

  /// What is due now.
  public func due(at now: Duration) -> Act? {
    Act.allCases.first { act in dueTimes[act].map { $0 <= now } ?? false }
  }

  /// When something is due next; nil for never.
  public var next: Duration? { dueTimes.values.min() }

  /// The daemon asked to connect.
  public mutating func asked(at now: Duration) {
    isConnected = false
    dueTimes = [.connect: now]
  }

  /// There is a connection now.
  public mutating func connected(at now: Duration) {
    isConnected = true
    dueTimes[.connect] = nil
    looked(at: now)
  }

  /// There is none, or none any more.
  ///
  /// A connection that breaks as soon as it is there counts as a failure, too: only an answer resets the wait.
  public mutating func lost(at now: Duration) {
    isConnected = false
    dueTimes = [.connect: now + backoff.next(using: &random)]
  }

  /// The hub answered something.
  public mutating func answered(at now: Duration) {
    backoff.reset()
    if isConnected { looked(at: now) }
  }

  /// Something was pushed that others should hear of.
  public mutating func wantsTelling(at now: Duration) {
    guard isConnected, dueTimes[.tell] == nil else { return }
    dueTimes[.tell] = max(now, toldAt.map { $0 + Self.tellInterval } ?? now)
  }

  /// Others were told.
  public mutating func told(at now: Duration) {
    toldAt = now
    dueTimes[.tell] = nil
  }

  private mutating func looked(at now: Duration) {
    let jitter = Self.lookJitter * Double.random(in: 0...1, using: &random)
    dueTimes[.look] = now + Self.lookInterval + jitter
  }
}
