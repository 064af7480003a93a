import LocalAuthCore

/// When an item can be opened and what must be proven first.
///
/// It is made from a protection class and flags without checking the device; ``bound(to:)`` checks
/// it when the item is added.
public struct AccessControl: Hashable, Sendable {
  /// Whether it was bound to a device's enrolled fingers.
  public enum Binding: Hashable, Sendable {
    case unbound
    /// Bound to this generation of the enrolled set, or to none if the set does not matter.
    case bound(generation: UInt64?)
  }

  /// The inputs of an item's key besides the class key.
  public struct KeyInputs: OptionSet, Hashable, Sendable {
    /// One bit per input.
    public let rawValue: UInt8

    /// The set with these bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The secret of the enrolled set, which is destroyed when the set changes.
    public static let enrolledSet = Self(rawValue: 1)
    /// The key derived from the application password.
    public static let applicationPassword = Self(rawValue: 2)
  }

  /// When the item can be opened.
  public let protection: ProtectionClass
  /// What must be proven first; only known flags.
  public let flags: AccessControlFlags
  /// Whether it was bound to a device, and to which enrolled set.
  public private(set) var binding: Binding

  /// The access control of an item that requires only its protection.
  public init(_ protection: ProtectionClass) {
    self.protection = protection
    flags = []
    binding = .bound(generation: nil)
  }

  /// The access control of `flags`; unknown bits are dropped.
  ///
  /// Throws if flags exclude each other. Whether fingers are enrolled or a passcode is set is not
  /// checked.
  public init(_ protection: ProtectionClass, flags: AccessControlFlags) throws(KeychainError) {
    guard flags.isLegal else { throw .parameter(.contradictoryAccessControl) }
    self.protection = protection
    self.flags = flags.intersection(.known)
    binding = .unbound
    if isTrivial { binding = .bound(generation: nil) }
  }

  /// The access control of a protection in Apple's letters, `ak` to `akpu`; throws if they are
  /// missing or unknown.
  public init(protection: String?, flags: AccessControlFlags) throws(KeychainError) {
    guard let protection = protection.flatMap(ProtectionClass.init(rawValue:)) else {
      throw .parameter(.invalidValue(ItemAttribute.accessible.rawValue))
    }
    try self.init(protection, flags: flags)
  }

  /// The access control that ``init(bytes:)`` read; nil if the parts do not fit together.
  init?(_ protection: ProtectionClass, flags: AccessControlFlags, binding: Binding) {
    guard flags.isLegal, flags.isSubset(of: .known) else { return nil }
    self.protection = protection
    self.flags = flags
    self.binding = binding
    switch binding {
    case .unbound: guard !isTrivial else { return nil }
    case .bound(let generation):
      guard (generation != nil) == flags.contains(.biometryCurrentSet) else { return nil }
    }
  }

  /// Whether every operation is allowed as soon as the class key is available.
  public var isTrivial: Bool {
    flags.isDisjoint(with: [.constraints, .privateKeyUsage, .applicationPassword])
  }

  /// The inputs of the item's key.
  ///
  /// The enrolled set is not one if another constraint alone suffices (`or`): such an item loses
  /// only its fingers when the set changes.
  public var keyInputs: KeyInputs {
    var inputs: KeyInputs = []
    if flags.contains(.biometryCurrentSet), !hasAlternative { inputs.insert(.enrolledSet) }
    if flags.contains(.applicationPassword) { inputs.insert(.applicationPassword) }
    return inputs
  }

  /// Whether the item can never be opened again, now that the set is at `generation`.
  public func isDestroyed(at generation: UInt64) -> Bool {
    guard case .bound(let bound?) = binding else { return false }
    return bound != generation && keyInputs.contains(.enrolledSet)
  }

  /// Whether each use of the item must be proven separately.
  public var asksAtEachUse: Bool { flags.contains(.eachUse) }

  var hasAlternative: Bool {
    flags.contains(.or) && flags.intersection(.constraints).rawValue.nonzeroBitCount > 1
  }

  /// The same access control, bound to the device that the item is added to.
  ///
  /// Throws if the authentication could never succeed: a flag requires fingers and none is
  /// enrolled, or requires the passcode and none is set. Throws also if it requires the current set
  /// of fingers, and that may change unnoticed.
  public func bound(to device: Enrolment) throws(KeychainError) -> Self {
    if !flags.isDisjoint(with: .biometry), !device.hasFingers {
      throw .authentication(.biometryNotEnrolled)
    }
    if flags.contains(.biometryCurrentSet), !device.noticesChanges {
      throw .authentication(.biometryNotAvailable)
    }
    if !flags.isDisjoint(with: .passcode), !device.hasPasscode {
      throw .authentication(.passcodeNotSet)
    }
    var result = self
    result.binding = .bound(
      generation: flags.contains(.biometryCurrentSet) ? device.generation : nil
    )
    return result
  }

  /// The same access control with another class; what must be proven stays the same.
  func moved(to protection: ProtectionClass) -> Self {
    Self(protection, flags: flags, binding: binding) ?? self
  }

  /// What is enrolled on the device when an item is added.
  public struct Enrolment: Hashable, Sendable {
    /// Whether any finger is enrolled.
    public var hasFingers: Bool
    /// The generation of the set of fingers.
    public var generation: UInt64
    /// Whether a passcode is set.
    public var hasPasscode: Bool
    /// Whether no finger can be enrolled without the device noticing.
    public var noticesChanges: Bool

    /// The enrolment with these facts.
    public init(
      hasFingers: Bool,
      generation: UInt64,
      hasPasscode: Bool,
      noticesChanges: Bool = true
    ) {
      self.hasFingers = hasFingers
      self.generation = generation
      self.hasPasscode = hasPasscode
      self.noticesChanges = noticesChanges
    }
  }
}
