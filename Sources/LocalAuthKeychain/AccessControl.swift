import LocalAuthCore

/// When an item can be opened and what must be proven first.
///
/// It is made from a protection class and flags without a look at the device; ``bound(to:)`` looks,
/// when the item is added.
public struct AccessControl: Hashable, Sendable {
  /// Whether it was bound to a device's enrolled fingers.
  public enum Binding: Hashable, Sendable {
    case unbound
    /// To this generation of the enrolled set, or, where it does not matter, to none.
    case bound(generation: UInt64?)
  }

  /// What besides the class key goes into the key of an item.
  public struct KeyInputs: OptionSet, Hashable, Sendable {
    /// One bit an input.
    public let rawValue: UInt8

    /// The set with these bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The secret of the enrolled set, which is destroyed when the set changes.
    public static let enrolledSet = Self(rawValue: 1)
    /// The key made from the application's password.
    public static let applicationPassword = Self(rawValue: 2)
  }

  /// When the item can be opened.
  public let protection: ProtectionClass
  /// What must be proven first; none of its bits is without meaning.
  public let flags: AccessControlFlags
  /// Whether it belongs to an item yet.
  public private(set) var binding: Binding

  /// The access control of an item that asks for nothing but its protection.
  public init(_ protection: ProtectionClass) {
    self.protection = protection
    flags = []
    binding = .bound(generation: nil)
  }

  /// The access control of `flags`; bits that mean nothing are dropped.
  ///
  /// Throws where flags exclude each other. Whether fingers or a passcode are there is not looked at.
  public init(_ protection: ProtectionClass, flags: AccessControlFlags) throws(KeychainError) {
    guard flags.isLegal else { throw .parameter(.contradictoryAccessControl) }
    self.protection = protection
    self.flags = flags.intersection(.known)
    binding = .unbound
    if isTrivial { binding = .bound(generation: nil) }
  }

  /// The access control of a protection in Apple's letters, `ak` to `akpu`, which may be missing.
  public init(protection: String?, flags: AccessControlFlags) throws(KeychainError) {
    guard let protection = protection.flatMap(ProtectionClass.init(rawValue:)) else {
      throw .parameter(.invalidValue(ItemAttribute.accessible.rawValue))
    }
    try self.init(protection, flags: flags)
  }

  /// What ``init(bytes:)`` read; nil where no ``bound(to:)`` could have made it.
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

  /// Whether every operation is allowed as soon as the class key is there.
  public var isTrivial: Bool {
    flags.isDisjoint(with: [.constraints, .privateKeyUsage, .applicationPassword])
  }

  /// What goes into the item's key.
  ///
  /// The enrolled set does not where the passcode alone is enough (`or`): such an item loses only
  /// its fingers when the set changes.
  public var keyInputs: KeyInputs {
    var inputs: KeyInputs = []
    if flags.contains(.biometryCurrentSet), !hasAlternative { inputs.insert(.enrolledSet) }
    if flags.contains(.applicationPassword) { inputs.insert(.applicationPassword) }
    return inputs
  }

  /// Whether the item cannot be opened by anybody any more, now that the set is at `generation`.
  public func isDestroyed(at generation: UInt64) -> Bool {
    guard case .bound(let bound?) = binding else { return false }
    return bound != generation && keyInputs.contains(.enrolledSet)
  }

  /// Whether each use of the item has to be proven by itself.
  public var asksAtEachUse: Bool { flags.contains(.eachUse) }

  var hasAlternative: Bool {
    flags.contains(.or) && flags.intersection(.constraints).rawValue.nonzeroBitCount > 1
  }

  /// The same access control on an item that is being added to a device.
  ///
  /// Throws the authentication that could never succeed: no finger is enrolled for a flag that
  /// speaks of fingers, or no passcode is set for one that speaks of it.
  public func bound(to device: Enrolment) throws(KeychainError) -> Self {
    if !flags.isDisjoint(with: .biometry), !device.hasFingers {
      throw .authentication(.biometryNotEnrolled)
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

  /// The same access control with another class; what must be proven stays.
  func moved(to protection: ProtectionClass) -> Self {
    Self(protection, flags: flags, binding: binding) ?? self
  }

  /// What is enrolled on the device when an item is added.
  public struct Enrolment: Hashable, Sendable {
    /// Whether any finger is.
    public var hasFingers: Bool
    /// The generation of the set of fingers.
    public var generation: UInt64
    /// Whether a passcode is set.
    public var hasPasscode: Bool

    /// The enrolment with these facts.
    public init(hasFingers: Bool, generation: UInt64, hasPasscode: Bool) {
      self.hasFingers = hasFingers
      self.generation = generation
      self.hasPasscode = hasPasscode
    }
  }
}
