public import LocalAuthCore

/// A fault that the sensor reports in place of its result.
public enum FaultInjection: Hashable, Sendable {
  /// The sensor works.
  case none
  /// The next operation fails, the one after it works.
  case next(SensorFault)
  /// Every operation fails.
  case always(SensorFault)

  /// Takes the fault of one operation; a `next` is used up by it.
  mutating func take() -> SensorFault? {
    switch self {
    case .none: return nil
    case .next(let fault):
      self = .none
      return fault
    case .always(let fault): return fault
    }
  }
}
