public import LocalAuthCore
import LocalAuthJSON
public import LocalAuthSensor

/// Every policy, lockout profile, passcode delay table and sensor profile that holds, by name.
///
/// Shipped files are replaced and joined by those of the administrator's directory; a user's own
/// directory adds policies under `user/` and changes nothing else. A file with a mistake makes its
/// own name unusable and no other, and it never brings back what it was meant to replace. Where it is
/// not known which names a directory replaces, none can be used.
///
/// The catalog is a value: build it again when a directory has changed. A system daemon and PAM
/// build it without a user's directory.
public struct PolicyCatalog: Sendable {
  /// What a success under a policy of a user's own is worth.
  public static let userACR = "urn:localauth:acr:user"
  /// Where ACRs of LocalAuth begin; a user's policy may carry only ``userACR`` of them.
  static let ownACRs = "urn:localauth:acr:"
  static let userPrefix = "user/"

  var policies = PolicyShelf<PolicyFile.Parsed>(.policy)
  var profiles = PolicyShelf<LockoutProfile>(.lockout)
  var delays = PolicyShelf<PasscodeDelays>(.passcodeDelay)
  var sensors = PolicyShelf<SensorProfile>(.sensor)
  /// Files that are not read, and folders that could not be listed.
  var strays: [PolicyError] = []
  var userFailure: PolicyError?

  /// The catalog of what is shipped, of the administrator's directory and of a user's own.
  public init(system: PolicyDirectory? = nil, user: PolicyDirectory? = nil) {
    for file in ShippedPolicies.files { add(file) }
    if let system { add(system: system) }
    checkReferences()
    if let user { add(user: user) }
  }

  /// The names of all policies, usable or not, in order.
  public var names: [String] { policies.names }
  /// The names of all lockout profiles, usable or not, in order.
  public var lockoutProfileNames: [String] { profiles.names }
  /// The names of all passcode delay tables, usable or not, in order.
  public var passcodeDelayNames: [String] { delays.names }
  /// The names of all sensor profiles, usable or not, in order.
  public var sensorProfileNames: [String] { sensors.names }
  /// The sensor profiles that can be used, in the order of their names.
  public var sensorProfiles: [SensorProfile] {
    sensors.names.compactMap { try? sensors.find($0).get() }
  }

  /// Everything that cannot be used and why, for a log at start-up.
  public var problems: [PolicyError] {
    var seen: Set<PolicyError> = []
    return (strays + policies.errors + profiles.errors + delays.errors + sensors.errors)
      .filter { seen.insert($0).inserted }
  }

  /// The policy called `name`, or why it cannot be used.
  public func policy(named name: String) -> Result<Policy, PolicyError> {
    if let userFailure, name.hasPrefix(Self.userPrefix) { return .failure(userFailure) }
    return policies.find(name).map(\.policy)
  }

  /// The lockout profile called `name`, or why it cannot be used.
  public func lockoutProfile(named name: String) -> Result<LockoutProfile, PolicyError> {
    profiles.find(name)
  }

  /// The passcode delay table called `name`, or why it cannot be used.
  public func passcodeDelays(named name: String) -> Result<PasscodeDelays, PolicyError> {
    delays.find(name)
  }

  /// The sensor profile called `name`, or why it cannot be used.
  public func sensorProfile(named name: String) -> Result<SensorProfile, PolicyError> {
    sensors.find(name)
  }

  /// Where the `kind` called `name` comes from; nil if there is none.
  public func origin(of name: String, kind: PolicyKind = .policy) -> PolicyOrigin? {
    switch kind {
    case .policy: policies.entries[name]?.origin
    case .lockout: profiles.entries[name]?.origin
    case .passcodeDelay: delays.entries[name]?.origin
    case .sensor: sensors.entries[name]?.origin
    }
  }

  /// The text of the file of the `kind` called `name`; nil if there is none.
  ///
  /// What is not UTF-8 in a file that cannot be used is replaced.
  public func source(of name: String, kind: PolicyKind = .policy) -> String? {
    let bytes =
      switch kind {
      case .policy: policies.entries[name]?.bytes
      case .lockout: profiles.entries[name]?.bytes
      case .passcodeDelay: delays.entries[name]?.bytes
      case .sensor: sensors.entries[name]?.bytes
      }
    return bytes.map { String(decoding: $0, as: UTF8.self) }
  }

  /// Whether `bytes` would be a policy here if the file lay in the administrator's directory, or in
  /// a user's own; nothing is added.
  public func check(
    _ bytes: [UInt8],
    file: String,
    asUser: Bool = false
  ) -> Result<Policy, PolicyError> {
    Result { () throws(PolicyError) in
      try read(bytes, file, name: nil, asUser: asUser).policy
    }
  }

  /// What is wrong with `bytes` as a file of `kind` in the administrator's directory, or in a user's
  /// own, which holds policies only; nil when nothing is.
  public func problem(
    in bytes: [UInt8],
    file: String,
    kind: PolicyKind,
    asUser: Bool = false
  ) -> PolicyError? {
    do throws(PolicyError) {
      switch kind {
      case .policy: _ = try check(bytes, file: file, asUser: asUser).get()
      case .lockout: _ = try LockoutProfileFile.parse(bytes, file: file)
      case .passcodeDelay: _ = try PasscodeDelaysFile.parse(bytes, file: file)
      case .sensor: _ = try SensorProfileFile.parse(bytes, file: file)
      }
    } catch { return error }
    return asUser && kind != .policy ? Self.misplaced(file) : nil
  }
}

extension PolicyCatalog {
  private mutating func add(_ file: ShippedPolicies.File) {
    let origin = PolicyOrigin.shipped(file.path)
    add(file.kind, file.name, file.bytes, from: origin)
  }

  /// Puts one file of the shipped or the administrator's ones on its shelf.
  mutating func add(
    _ kind: PolicyKind,
    _ name: String,
    _ bytes: [UInt8],
    from origin: PolicyOrigin
  ) {
    let path = origin.path
    switch kind {
    case .policy:
      policies.put(name, bytes, from: origin) { () throws(PolicyError) in
        let parsed = try PolicyFile.Parsed(bytes, file: path)
        try Self.check(parsed.policy.name, is: name, in: parsed.object)
        return parsed
      }
    case .lockout:
      profiles.put(name, bytes, from: origin) { () throws(PolicyError) in
        let (profile, object) = try LockoutProfileFile.read(bytes, file: path)
        try Self.check(profile.name, is: name, in: object)
        return profile
      }
    case .passcodeDelay:
      delays.put(name, bytes, from: origin) { () throws(PolicyError) in
        let (table, object) = try PasscodeDelaysFile.read(bytes, file: path)
        try Self.check(table.name, is: name, in: object)
        return table
      }
    case .sensor:
      sensors.put(name, bytes, from: origin) { () throws(PolicyError) in
        let (profile, object) = try SensorProfileFile.read(bytes, file: path)
        try Self.check(profile.name, is: name, in: object)
        return profile
      }
    }
  }

  /// A file says its name itself, so that a copy under another name is noticed.
  static func check(_ found: String, is name: String, in object: PolicyObject) throws(PolicyError) {
    guard found != name, let value = object.find("name") else { return }
    throw object.document.error(
      .notAllowed(key: "name", found: found, allowed: "\(name), as the file is called"),
      at: value
    )
  }

  /// Policies that name a lockout profile hold only if that profile does.
  private mutating func checkReferences() {
    for name in policies.names {
      guard case .success(let parsed)? = policies.entries[name]?.content else { continue }
      do throws(PolicyError) {
        try checkProfile(parsed)
        try checkSystemACR(parsed)
      } catch { policies.spoil(name, error) }
    }
  }

  func checkProfile(_ parsed: PolicyFile.Parsed) throws(PolicyError) {
    guard let name = parsed.policy.lockout, let value = parsed.object.find("lockout") else {
      return
    }
    guard profiles.entries[name] != nil else {
      throw parsed.object.document.error(profiles.missing(name).problem, at: value)
    }
    _ = try profiles.find(name).get()
  }

  func checkSystemACR(_ parsed: PolicyFile.Parsed) throws(PolicyError) {
    guard parsed.policy.acr.lowercased() == Self.userACR else { return }
    // Without an acr of its own the name made it.
    let value = parsed.object.find("acr") ?? parsed.object.find("name") ?? parsed.object.value
    throw parsed.object.document.error(
      .notAllowed(
        key: "acr",
        found: parsed.policy.acr,
        allowed: "any that users' own policies do not carry"
      ),
      at: value
    )
  }
}
