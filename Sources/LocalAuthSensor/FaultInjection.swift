public import LocalAuthCore

/// A fault that the sensor reports instead of its result.
public enum FaultInjection: Hashable, Sendable {
  /// The sensor works.
  case none
  /// The next operation fails; later ones work.
  case next(SensorFault)
  /// Every operation fails.
  case always(SensorFault)

  /// Takes the fault for one operation, which uses up a `next`.
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
