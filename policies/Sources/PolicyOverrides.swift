import LocalAuthCore
import LocalAuthJSON
import LocalAuthSensor

/// The meaning of a path below a policy directory.
private enum Place {
  case file(PolicyKind, String)
  case ignored
  case stray

  /// Hidden files, such as those of editors, are ignored; all others must be `KIND/NAME.json`.
  init(_ path: String) {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard let file = parts.last, !file.hasPrefix(".") else {
      self = .ignored
      return
    }
    guard parts.count == 2, let kind = PolicyKind(rawValue: String(parts[0])),
      file.hasSuffix(".json")
    else {
      self = .stray
      return
    }
    let name = String(file.dropLast(".json".count))
    self = PolicyText.isName(name) ? .file(kind, name) : .stray
  }
}

extension PolicyCatalog {
  private static let allowedPaths =
    PolicyText.list(PolicyKind.allCases.map { "\($0.rawValue)/NAME.json" })
    + " with NAME of \(PolicyText.nameRule)"

  /// Returns the error for a misplaced file in a user's own directory.
  static func misplaced(_ path: String) -> PolicyError {
    PolicyError(
      .misplaced(allowed: "policy/NAME.json with NAME of \(PolicyText.nameRule)"),
      file: path
    )
  }

  /// Returns the error of `bytes` as a file of `kind` that is called `name` in the administrator's directory, or in
  /// a user's own; nil if there is none.
  public func problem(
    in bytes: [UInt8],
    file: String,
    kind: PolicyKind,
    called name: String,
    asUser: Bool = false
  ) -> PolicyError? {
    if let problem = problem(in: bytes, file: file, kind: kind, asUser: asUser) { return problem }
    guard case .file(_, let place) = Place("\(kind.rawValue)/\(name)") else {
      return asUser
        ? Self.misplaced(file) : PolicyError(.misplaced(allowed: Self.allowedPaths), file: file)
    }
    do throws(PolicyError) {
      let (found, object) = try Self.named(bytes, file, kind)
      try Self.check(found, is: place, in: object)
      return nil
    } catch { return error }
  }

  /// Returns the name that `bytes` state as a file of `kind`; nil if they have a mistake.
  public static func name(in bytes: [UInt8], kind: PolicyKind) -> String? {
    try? named(bytes, "", kind).name
  }

  private static func named(
    _ bytes: [UInt8],
    _ file: String,
    _ kind: PolicyKind
  ) throws(PolicyError) -> (name: String, object: PolicyObject) {
    switch kind {
    case .policy:
      let parsed = try PolicyFile.Parsed(bytes, file: file)
      return (parsed.policy.name, parsed.object)
    case .lockout:
      let (profile, object) = try LockoutProfileFile.read(bytes, file: file)
      return (profile.name, object)
    case .passcodeDelay:
      let (table, object) = try PasscodeDelaysFile.read(bytes, file: file)
      return (table.name, object)
    case .sensor:
      let (profile, object) = try SensorProfileFile.read(bytes, file: file)
      return (profile.name, object)
    }
  }

  mutating func add(system directory: PolicyDirectory) {
    for file in directory.files {
      let path = "\(directory.path)/\(file.path)"
      switch Place(file.path) {
      case .ignored: break
      case .stray: strays.append(PolicyError(.misplaced(allowed: Self.allowedPaths), file: path))
      case .file(let kind, let name): add(kind, name, file.contents, path: path)
      }
    }
    guard let failure = directory.failure else { return }
    // The names that the directory replaces are unknown, so none can be used.
    let error = PolicyError(.unreadable(failure), file: directory.path)
    strays.append(error)
    policies.spoilAll(error)
    profiles.spoilAll(error)
    delays.spoilAll(error)
    sensors.spoilAll(error)
  }

  private mutating func add(
    _ kind: PolicyKind,
    _ name: String,
    _ contents: PolicyDirectory.File.Contents,
    path: String
  ) {
    switch contents {
    case .bytes(let bytes): add(kind, name, bytes, from: .system(path))
    case .unreadable(let reason):
      add(kind, name, [], from: .system(path))
      let error = PolicyError(.unreadable(reason), file: path)
      switch kind {
      case .policy: policies.spoil(name, error)
      case .lockout: profiles.spoil(name, error)
      case .passcodeDelay: delays.spoil(name, error)
      case .sensor: sensors.spoil(name, error)
      }
    }
  }

  mutating func add(user directory: PolicyDirectory) {
    if let failure = directory.failure {
      let error = PolicyError(.unreadable(failure), file: directory.path)
      userFailure = error
      // The names are unknown, so one entry reports the failure for all of them.
      policies.put(Self.userPrefix, [], from: .user(directory.path)) {
        () throws(PolicyError) in throw error
      }
    }
    for file in directory.files {
      let path = "\(directory.path)/\(file.path)"
      switch Place(file.path) {
      case .ignored: break
      case .file(.policy, let name): add(userPolicy: name, file.contents, path: path)
      case .file, .stray:
        strays.append(Self.misplaced(path))
      }
    }
  }

  private mutating func add(
    userPolicy name: String,
    _ contents: PolicyDirectory.File.Contents,
    path: String
  ) {
    let key = Self.userPrefix + name
    let bytes: [UInt8]
    let content: Result<PolicyFile.Parsed, PolicyError>
    switch contents {
    case .bytes(let found):
      bytes = found
      content = Result { () throws(PolicyError) in
        try read(found, path, name: name, asUser: true)
      }
    case .unreadable(let reason):
      bytes = []
      content = .failure(PolicyError(.unreadable(reason), file: path))
    }
    policies.put(key, bytes, from: .user(path)) { () throws(PolicyError) in try content.get() }
  }

  /// Parses a policy and checks it against the catalog; `name`, if given, must be the policy's
  /// name.
  func read(
    _ bytes: [UInt8],
    _ file: String,
    name: String?,
    asUser: Bool
  ) throws(PolicyError) -> PolicyFile.Parsed {
    var parsed = try PolicyFile.Parsed(bytes, file: file)
    if let name { try Self.check(parsed.policy.name, is: name, in: parsed.object) }
    try checkProfile(parsed)
    guard asUser else {
      try checkSystemACR(parsed)
      return parsed
    }
    try setUserACR(&parsed)
    parsed.policy.name = Self.userPrefix + parsed.policy.name
    return parsed
  }

  /// A user's policy never gets the ACR of one of the machine's policies, whatever it asks for.
  private func setUserACR(_ parsed: inout PolicyFile.Parsed) throws(PolicyError) {
    guard let value = parsed.object.find("acr") else {
      parsed.policy.acr = Self.userACR
      return
    }
    // Consumers may compare URNs without case, so an ACR that differs only in case is rejected too.
    let acr = parsed.policy.acr
    let lowered = acr.lowercased()
    let isReserved = acr != Self.userACR && lowered.hasPrefix(Self.ownACRs)
    guard !isReserved, !machineACRs.contains(lowered) else {
      throw parsed.object.document.error(
        .notAllowed(
          key: "acr",
          found: acr,
          allowed: "\(Self.userACR), or one that no policy of this machine carries"
        ),
        at: value
      )
    }
  }

  private var machineACRs: Set<String> {
    var acrs: Set<String> = []
    for (name, entry) in policies.entries where !name.hasPrefix(Self.userPrefix) {
      if case .success(let parsed) = entry.content { acrs.insert(parsed.policy.acr.lowercased()) }
    }
    return acrs
  }
}
