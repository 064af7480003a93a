/// Something that happens in the model.
enum Event: Hashable {
  /// A person adds an item, or changes it.
  case put(Int, key: Int)
  case delete(Int, key: Int)
  case lock(Int)
  case unlock(Int)
  /// The clock is set an hour ahead, or back to right.
  case skewHour(Int)
  /// The clock is set two days ahead, or back to right.
  case skewDays(Int)
  case push(Int, Kill)
  /// A push that seals records of older epochs anew.
  case reseal(Int)
  case pull(Int)
  /// The device is killed behind the circle's log and before the zone.
  case pullCircle(Int)
  case roll(Int)
  case remove(Int, by: Int)
  /// A device is off line for a hundred days, and the others go on.
  case away(Int)
  /// A device does not pull for a hundred days, and says so.
  case stalled(Int)

  /// Where a push is killed.
  enum Kill: Int, CaseIterable {
    case never
    /// The batch is durable and was not sent.
    case beforeSending
    /// The hub has the batch, and the device never hears of it.
    case beforeAnswer
  }

  /// All events, in the order of their codes.
  static let all: [Event] = (0..<3).flatMap { device -> [Event] in
    var events: [Event] = []
    for key in 0..<3 { events += [.put(device, key: key), .delete(device, key: key)] }
    events += [.lock(device), .unlock(device), .skewHour(device), .skewDays(device)]
    events += Kill.allCases.map { .push(device, $0) }
    events += [.reseal(device), .pull(device), .pullCircle(device), .roll(device)]
    events += (0..<3).filter { $0 != device }.map { .remove($0, by: device) }
    return events + [.away(device), .stalled(device)]
  }

  /// Which of them is meant where not everything is explored.
  enum Alphabet: String, CaseIterable, Sendable {
    /// Items and locks, clocks, kills and long absences.
    case items
    /// Items, epochs and removals.
    case circle
    /// Everything.
    case all
  }

  func belongs(to alphabet: Alphabet) -> Bool {
    switch self {
    case .put, .delete, .push, .pull: true
    case .lock, .unlock: alphabet != .circle
    case .skewHour, .skewDays, .away, .stalled: alphabet != .circle
    case .reseal, .pullCircle, .roll, .remove: alphabet != .items
    }
  }
}
