import LocalAuthCore

/// The timers of one device, on the device's own clock.
///
/// A simulated clock may run ahead or stop, so deadlines are kept in device time and only the
/// earliest is scheduled on the loop.
final class DeviceTimers {
  private var entries: [(token: UInt64, deadline: BootInstant, body: () -> Void)] = []
  private var nextToken: UInt64 = 1
  private var onChange: () -> Void = {}
  private var hasEnded = false

  /// The earliest deadline.
  var earliest: BootInstant? { entries.lazy.map(\.deadline).min() }

  /// Calls `body` whenever the earliest deadline may have changed.
  func watch(_ body: @escaping () -> Void) { onChange = body }

  /// Calls `body` at `deadline`; earlier if ``runOut()`` comes first, and never once the timers
  /// have ended.
  func add(at deadline: BootInstant, _ body: @escaping () -> Void) -> UInt64 {
    let token = nextToken
    nextToken += 1
    guard !hasEnded else { return token }
    entries.append((token, deadline, body))
    onChange()
    return token
  }

  func cancel(_ token: UInt64) {
    entries.removeAll { $0.token == token }
    onChange()
  }

  /// Calls every pending body now and accepts no more timers, because the device is gone.
  func runOut() {
    hasEnded = true
    while !entries.isEmpty { entries.removeFirst().body() }
    onChange()
  }

  /// Drops every pending body and accepts no more timers, because the engine is gone.
  func end() {
    hasEnded = true
    entries.removeAll()
    onChange()
  }

  /// Calls every body due at `now`, in the order of the deadlines.
  func fire(at now: BootInstant) {
    while let index = dueIndex(at: now) {
      entries.remove(at: index).body()
    }
    onChange()
  }

  private func dueIndex(at now: BootInstant) -> Int? {
    entries.indices.filter { entries[$0].deadline <= now }
      .min { entries[$0].deadline < entries[$1].deadline }
  }
}
