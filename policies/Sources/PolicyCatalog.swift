public import LocalAuthCore
import LocalAuthJSON
public import LocalAuthSensor

/// All policies, lockout profiles, passcode delay tables and sensor profiles in force, by name.
///
/// Files in the administrator's directory replace shipped files or add to them; a user's own
/// directory adds policies under `user/` and changes nothing else. An invalid file disables only
/// its own name, and never brings back the file it was meant to replace. If the directory cannot be
/// listed, the names it replaces are unknown and none can be used.
///
/// The catalog is a value: rebuild it when a directory has changed. A system daemon and PAM build
/// it without a user's directory.
public struct PolicyCatalog: Sendable {
  /// The ACR of a success under a user's own policy.
  public static let userACR = "urn:localauth:acr:user"
  /// The prefix of LocalAuth's ACRs; of these, a user's policy may carry only ``userACR``.
  static let ownACRs = "urn:localauth:acr:"
  static let userPrefix = "user/"

  var policies = PolicyShelf<PolicyFile.Parsed>(.policy)
  var profiles = PolicyShelf<LockoutProfile>(.lockout)
  var delays = PolicyShelf<PasscodeDelays>(.passcodeDelay)
  var sensors = PolicyShelf<SensorProfile>(.sensor)
  /// Misplaced files that are ignored, and folders that could not be listed.
  var strays: [PolicyError] = []
  var userFailure: PolicyError?

  /// Creates the catalog of the shipped files, the administrator's directory and a user's own.
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
  /// The usable sensor profiles, in the order of their names.
  public var sensorProfiles: [SensorProfile] {
    sensors.names.compactMap { try? sensors.find($0).get() }
  }

  /// Everything unusable and the reason, for a log at start-up.
  public var problems: [PolicyError] {
    var seen: Set<PolicyError> = []
    return (strays + policies.errors + profiles.errors + delays.errors + sensors.errors)
      .filter { seen.insert($0).inserted }
  }

  /// Returns the policy called `name`, or the reason it cannot be used.
  public func policy(named name: String) -> Result<Policy, PolicyError> {
    if let userFailure, name.hasPrefix(Self.userPrefix) { return .failure(userFailure) }
    return policies.find(name).map(\.policy)
  }

  /// Returns the lockout profile called `name`, or the reason it cannot be used.
  public func lockoutProfile(named name: String) -> Result<LockoutProfile, PolicyError> {
    profiles.find(name)
  }

  /// Returns the passcode delay table called `name`, or the reason it cannot be used.
  public func passcodeDelays(named name: String) -> Result<PasscodeDelays, PolicyError> {
    delays.find(name)
  }

  /// Returns the sensor profile called `name`, or the reason it cannot be used.
  public func sensorProfile(named name: String) -> Result<SensorProfile, PolicyError> {
    sensors.find(name)
  }

  /// Returns the origin of the `kind` called `name`; nil if there is none.
  public func origin(of name: String, kind: PolicyKind = .policy) -> PolicyOrigin? {
    switch kind {
    case .policy: policies.entries[name]?.origin
    case .lockout: profiles.entries[name]?.origin
    case .passcodeDelay: delays.entries[name]?.origin
    case .sensor: sensors.entries[name]?.origin
    }
  }

  /// Returns the file text of the `kind` called `name`; nil if there is none.
  ///
  /// In an unusable file, bytes that are not UTF-8 become replacement characters.
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

  /// Parses `bytes` as a policy in the administrator's directory, or in a user's own, without
  /// adding it.
  public func check(
    _ bytes: [UInt8],
    file: String,
    asUser: Bool = false
  ) -> Result<Policy, PolicyError> {
    Result { () throws(PolicyError) in
      try read(bytes, file, name: nil, asUser: asUser).policy
    }
  }

  /// Returns the error of `bytes` as a file of `kind` in the administrator's directory, or in a
  /// user's own, which holds policies only; nil if there is none.
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

  /// Adds a shipped file or one of the administrator's to its shelf.
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

  /// Checks the name that a file states, so that a copy under another file name is noticed.
  static func check(_ found: String, is name: String, in object: PolicyObject) throws(PolicyError) {
    guard found != name, let value = object.find("name") else { return }
    throw object.document.error(
      .notAllowed(key: "name", found: found, allowed: "\(name), as the file is called"),
      at: value
    )
  }

  /// Disables policies whose lockout profile cannot be used, or that claim the users' ACR.
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
    // If there is no `acr` key, the ACR was derived from the name.
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
