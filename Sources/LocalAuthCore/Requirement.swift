/// Something a person can prove, by itself.
public enum Factor: String, CaseIterable, Hashable, Sendable {
  case biometry
  case passcode
  case applicationPassword
  case companion

  /// The set that holds only this factor.
  public var alone: FactorSet {
    switch self {
    case .biometry: .biometry
    case .passcode: .passcode
    case .applicationPassword: .applicationPassword
    case .companion: .companion
    }
  }
}

/// A set of factors.
public struct FactorSet: OptionSet, Hashable, Sendable {
  /// One bit a factor.
  public let rawValue: UInt8

  /// The set with these bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// A finger of the enrolled set.
  public static let biometry = FactorSet(rawValue: 1)
  /// The device's passcode.
  public static let passcode = FactorSet(rawValue: 2)
  /// The password that an application keeps for its own items.
  public static let applicationPassword = FactorSet(rawValue: 4)
  /// A paired device nearby.
  public static let companion = FactorSet(rawValue: 8)

  /// The factors of the set, in the order of their declaration.
  public var factors: [Factor] { Factor.allCases.filter { contains($0.alone) } }
}

/// Which enrolled fingers count.
public enum BiometrySet: Hashable, Sendable {
  /// Any finger that is enrolled when it is judged.
  case any
  /// Only the set that was enrolled at this generation.
  case current(generation: UInt64)
}

/// What one evaluation has proven so far.
public struct Proven: Hashable, Sendable {
  /// The proven factors.
  public var factors: FactorSet
  /// The generation of the enrolled set when the finger matched.
  public var biometryGeneration: UInt64?

  /// Nothing, unless said otherwise.
  public init(factors: FactorSet = [], biometryGeneration: UInt64? = nil) {
    self.factors = factors
    self.biometryGeneration = biometryGeneration
  }
}

/// What must be proven: one small algebra for policies and for the access control of items.
public indirect enum Requirement: Hashable, Sendable {
  case biometry(BiometrySet)
  case passcode
  case applicationPassword
  case companion
  /// Every one of these, in this order when asked one after the other.
  case allOf([Requirement])
  /// One of these, the first that can be met when asked one after the other.
  case anyOf([Requirement])

  /// Whether `proven` meets the requirement.
  ///
  /// An empty `allOf` or `anyOf` is never met: there is no way to prove nothing.
  public func isMet(by proven: Proven) -> Bool {
    switch self {
    case .biometry(.any):
      proven.factors.contains(.biometry)
    case .biometry(.current(let generation)):
      proven.factors.contains(.biometry) && proven.biometryGeneration == generation
    case .passcode: proven.factors.contains(.passcode)
    case .applicationPassword: proven.factors.contains(.applicationPassword)
    case .companion: proven.factors.contains(.companion)
    case .allOf(let parts): !parts.isEmpty && parts.allSatisfy { $0.isMet(by: proven) }
    case .anyOf(let parts): parts.contains { $0.isMet(by: proven) }
    }
  }

  /// Whether the requirement is met already or can be with `usable` factors.
  public func isReachable(from proven: Proven, with usable: FactorSet) -> Bool {
    switch self {
    case .biometry, .passcode, .applicationPassword, .companion:
      isMet(by: proven) || leaf.map { usable.contains($0.alone) } ?? false
    case .allOf(let parts):
      !parts.isEmpty && parts.allSatisfy { $0.isReachable(from: proven, with: usable) }
    case .anyOf(let parts): parts.contains { $0.isReachable(from: proven, with: usable) }
    }
  }

  /// The factor to ask for next, or nil when nothing usable leads on.
  public func next(from proven: Proven, with usable: FactorSet) -> Factor? {
    guard !isMet(by: proven), isReachable(from: proven, with: usable) else { return nil }
    switch self {
    case .biometry, .passcode, .applicationPassword, .companion: return leaf
    case .allOf(let parts), .anyOf(let parts):
      for part in parts {
        if let factor = part.next(from: proven, with: usable) { return factor }
      }
      return nil
    }
  }

  /// Every factor that leads on, for asking for all of them at once.
  public func useful(from proven: Proven, with usable: FactorSet) -> FactorSet {
    guard !isMet(by: proven), isReachable(from: proven, with: usable) else { return [] }
    switch self {
    case .biometry, .passcode, .applicationPassword, .companion: return leaf?.alone ?? []
    case .allOf(let parts), .anyOf(let parts):
      return parts.reduce([]) { $0.union($1.useful(from: proven, with: usable)) }
    }
  }

  /// The factors that the requirement speaks of.
  public var factors: FactorSet {
    switch self {
    case .biometry, .passcode, .applicationPassword, .companion: leaf?.alone ?? []
    case .allOf(let parts), .anyOf(let parts): parts.reduce([]) { $0.union($1.factors) }
    }
  }

  /// The factor that decides why an unreachable requirement cannot be met: the first part of an
  /// `allOf` that fails, the last resort of an `anyOf`.
  public func obstacle(from proven: Proven, with usable: FactorSet) -> Factor? {
    switch self {
    case .biometry, .passcode, .applicationPassword, .companion:
      isReachable(from: proven, with: usable) ? nil : leaf
    case .allOf(let parts):
      parts.lazy.compactMap { $0.obstacle(from: proven, with: usable) }.first
    case .anyOf(let parts):
      isReachable(from: proven, with: usable)
        ? nil : parts.last.flatMap { $0.obstacle(from: proven, with: usable) }
    }
  }

  private var leaf: Factor? {
    switch self {
    case .biometry: .biometry
    case .passcode: .passcode
    case .applicationPassword: .applicationPassword
    case .companion: .companion
    case .allOf, .anyOf: nil
    }
  }
}
