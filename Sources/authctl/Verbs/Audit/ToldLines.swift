import LocalAuthWire

/// The lines of the audit that were told, each with the state it was told in.
struct ToldLines {
  private let limit: Int
  private var states: [String: Int] = [:]
  /// The lines in the order in which they were told first.
  private var order: [String] = []

  init(limit: Int) { self.limit = limit }

  /// The line told first of those that are remembered.
  var first: String? { order.first }

  /// Notes the line; returns whether it was not told in this state before.
  mutating func isNew(_ line: DeviceMessages.AuditLine) -> Bool {
    var hasher = Hasher()
    for text in [line.outcome, line.method, line.finger ?? "", line.detail] { hasher.combine(text) }
    for number in [line.attempts, line.ended ?? .min] { hasher.combine(number) }
    let state = hasher.finalize()
    let before = states.updateValue(state, forKey: line.evaluation)
    if before == nil { remember(line.evaluation) }
    return before != state
  }

  private mutating func remember(_ line: String) {
    order.append(line)
    guard order.count > limit else { return }
    for forgotten in order.prefix(limit / 2) { states[forgotten] = nil }
    order.removeFirst(limit / 2)
  }
}
