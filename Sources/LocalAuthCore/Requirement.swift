/// Something a person can prove by itself: what requirements ask for and attempts are counted by.
///
/// ``AuthenticatorKind/factor`` says which kinds of authenticators prove it.
public enum Factor: String, CaseIterable, Hashable, Sendable {
  case biometry
  case passcode
  case applicationPassword
  case companion
  /// Anything that a person has, such as a security key.
  case possession

  /// The set that holds only this factor.
  @inlinable
  public var alone: FactorSet {
    switch self {
    case .biometry: FactorSet(rawValue: 1)
    case .passcode: FactorSet(rawValue: 2)
    case .applicationPassword: FactorSet(rawValue: 4)
    case .companion: FactorSet(rawValue: 8)
    case .possession: FactorSet(rawValue: 16)
    }
  }
}

/// A set of factors.
public struct FactorSet: OptionSet, Hashable, Sendable {
  /// One bit for each factor.
  public let rawValue: UInt8

  /// The set with these bits.
  @inlinable
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// A finger of the enrolled set.
  public static let biometry = Factor.biometry.alone
  /// The device's passcode.
  public static let passcode = Factor.passcode.alone
  /// The password that an application keeps for its own items.
  public static let applicationPassword = Factor.applicationPassword.alone
  /// A paired device nearby.
  public static let companion = Factor.companion.alone
  /// Anything that a person has.
  public static let possession = Factor.possession.alone

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

  /// What was proven, nothing by default.
  public init(factors: FactorSet = [], biometryGeneration: UInt64? = nil) {
    self.factors = factors
    self.biometryGeneration = biometryGeneration
  }
}

/// What must be proven: a small algebra for policies and for the access control of items.
public enum Requirement: Hashable, Sendable {
  case biometry(BiometrySet)
  case passcode
  case applicationPassword
  case companion
  /// Something that a person has; all parts of one requirement name the same.
  case possession(Possession)
  /// All of these, in this order if asked in sequence.
  case allOf([Requirement])
  /// One of these, the first that can be met if asked in sequence.
  case anyOf([Requirement])

  /// How far a requirement is from being met.
  public enum Progress: Hashable, Sendable {
    /// It is met.
    case met
    /// It can be met; this is the factor to ask for next.
    case open(next: Factor)
    /// It cannot be met without this factor: that of the first part of an `allOf` that fails, or of
    /// the last part of an `anyOf`; nil if there are no parts.
    case blocked(by: Factor?)
  }

  /// The progress once `proven` is proven and while `usable` can be asked for.
  ///
  /// An empty `allOf` or `anyOf` is never met, since that would take no proof at all.
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
      // With nothing proven, no later part can be met.
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

  /// The factor to ask for next, or nil if no usable factor makes progress.
  public func next(from proven: Proven, with usable: FactorSet) -> Factor? {
    switch progress(from: proven, with: usable) {
    case .open(let next): next
    case .met, .blocked: nil
    }
  }

  /// Every factor that makes progress, for asking for all of them at once.
  public func useful(from proven: Proven, with usable: FactorSet) -> FactorSet {
    guard !isMet(by: proven), isReachable(from: proven, with: usable) else { return [] }
    switch self {
    case .biometry, .passcode, .applicationPassword, .companion, .possession:
      return leaf?.alone ?? []
    case .allOf(let parts), .anyOf(let parts):
      return parts.reduce([]) { $0.union($1.useful(from: proven, with: usable)) }
    }
  }

  /// The factors that the requirement mentions.
  public var factors: FactorSet {
    switch self {
    case .biometry, .passcode, .applicationPassword, .companion, .possession: leaf?.alone ?? []
    case .allOf(let parts), .anyOf(let parts): parts.reduce([]) { $0.union($1.factors) }
    }
  }

  /// What a person must have; nil if the requirement does not ask for that.
  public var possession: Possession? {
    switch self {
    case .possession(let possession): possession
    case .biometry, .passcode, .applicationPassword, .companion: nil
    case .allOf(let parts), .anyOf(let parts): parts.lazy.compactMap(\.possession).first
    }
  }

  /// The factor whose absence makes the requirement unreachable; see ``Progress``.
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
