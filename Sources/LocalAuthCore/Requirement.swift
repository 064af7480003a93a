/// Something a person can prove, by itself: what a requirement asks for and what attempts are counted by.
///
/// Which kinds of authenticators prove it is said by ``AuthenticatorKind/factor``.
public enum Factor: String, CaseIterable, Hashable, Sendable {
  case biometry
  case passcode
  case applicationPassword
  case companion
  /// Anything that a person has, such as a security key.
  case possession

  /// The set that holds only this factor.
  public var alone: FactorSet {
    switch self {
    case .biometry: .biometry
    case .passcode: .passcode
    case .applicationPassword: .applicationPassword
    case .companion: .companion
    case .possession: .possession
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
  /// Anything that a person has.
  public static let possession = FactorSet(rawValue: 16)

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
public enum Requirement: Hashable, Sendable {
  case biometry(BiometrySet)
  case passcode
  case applicationPassword
  case companion
  case possession
  /// Every one of these, in this order when asked one after the other.
  case allOf([Requirement])
  /// One of these, the first that can be met when asked one after the other.
  case anyOf([Requirement])

  /// How far a requirement is from being met.
  public enum Progress: Hashable, Sendable {
    /// It is met.
    case met
    /// It can be met; this is the factor to ask for next.
    case open(next: Factor)
    /// It cannot be met, for want of this factor: the first part of an `allOf` that fails, the last
    /// resort of an `anyOf`; nil where there is no part at all.
    case blocked(by: Factor?)
  }

  /// How far the requirement is once `proven` is proven and while `usable` can be asked for.
  ///
  /// An empty `allOf` or `anyOf` is never met: there is no way to prove nothing.
  public func progress(from proven: Proven, with usable: FactorSet) -> Progress {
    switch self {
    case .biometry(.any):
      Self.progress(.biometry, isMet: proven.factors.contains(.biometry), usable)
    case .biometry(.current(let generation)):
      Self.progress(
        .biometry,
        isMet: proven.factors.contains(.biometry) && proven.biometryGeneration == generation,
        usable
      )
    case .passcode: Self.progress(.passcode, isMet: proven.factors.contains(.passcode), usable)
    case .applicationPassword:
      Self.progress(
        .applicationPassword,
        isMet: proven.factors.contains(.applicationPassword),
        usable
      )
    case .companion: Self.progress(.companion, isMet: proven.factors.contains(.companion), usable)
    case .possession:
      Self.progress(.possession, isMet: proven.factors.contains(.possession), usable)
    case .allOf(let parts): Self.progress(ofAll: parts, from: proven, with: usable)
    case .anyOf(let parts): Self.progress(ofAny: parts, from: proven, with: usable)
    }
  }

  private static func progress(_ leaf: Factor, isMet: Bool, _ usable: FactorSet) -> Progress {
    if isMet { return .met }
    return usable.contains(leaf.alone) ? .open(next: leaf) : .blocked(by: leaf)
  }

  private static func progress(
    ofAll parts: [Requirement],
    from proven: Proven,
    with usable: FactorSet
  ) -> Progress {
    var result = parts.isEmpty ? Progress.blocked(by: nil) : .met
    for part in parts {
      let progress = part.progress(from: proven, with: usable)
      if case .blocked = progress { return progress }
      if case .met = result { result = progress }
    }
    return result
  }

  private static func progress(
    ofAny parts: [Requirement],
    from proven: Proven,
    with usable: FactorSet
  ) -> Progress {
    var result = Progress.blocked(by: nil)
    for part in parts {
      let progress = part.progress(from: proven, with: usable)
      switch progress {
      case .met: return .met
      // With nothing proven none of those that follow can be met.
      case .open where proven.factors.isEmpty: return progress
      case .open, .blocked: if case .blocked = result { result = progress }
      }
    }
    return result
  }

  /// Whether `proven` meets the requirement.
  public func isMet(by proven: Proven) -> Bool { progress(from: proven, with: []) == .met }

  /// Whether the requirement is met already or can be with `usable` factors.
  public func isReachable(from proven: Proven, with usable: FactorSet) -> Bool {
    switch progress(from: proven, with: usable) {
    case .met, .open: true
    case .blocked: false
    }
  }

  /// The factor to ask for next, or nil when nothing usable leads on.
  public func next(from proven: Proven, with usable: FactorSet) -> Factor? {
    switch progress(from: proven, with: usable) {
    case .open(let next): next
    case .met, .blocked: nil
    }
  }

  /// Every factor that leads on, for asking for all of them at once.
  public func useful(from proven: Proven, with usable: FactorSet) -> FactorSet {
    guard !isMet(by: proven), isReachable(from: proven, with: usable) else { return [] }
    switch self {
    case .biometry, .passcode, .applicationPassword, .companion, .possession:
      return leaf?.alone ?? []
    case .allOf(let parts), .anyOf(let parts):
      return parts.reduce([]) { $0.union($1.useful(from: proven, with: usable)) }
    }
  }

  /// The factors that the requirement speaks of.
  public var factors: FactorSet {
    switch self {
    case .biometry, .passcode, .applicationPassword, .companion, .possession: leaf?.alone ?? []
    case .allOf(let parts), .anyOf(let parts): parts.reduce([]) { $0.union($1.factors) }
    }
  }

  /// The factor that decides why an unreachable requirement cannot be met; see ``Progress``.
  public func obstacle(from proven: Proven, with usable: FactorSet) -> Factor? {
    switch progress(from: proven, with: usable) {
    case .blocked(let factor): factor
    case .met, .open: nil
    }
  }

  private var leaf: Factor? {
    switch self {
    case .biometry: .biometry
    case .passcode: .passcode
    case .applicationPassword: .applicationPassword
    case .companion: .companion
    case .possession: .possession
    case .allOf, .anyOf: nil
    }
  }
}
