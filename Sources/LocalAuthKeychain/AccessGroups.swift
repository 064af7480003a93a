/// The access groups that a client may use; the first is for items it adds without naming a group.
public struct AccessGroups: Hashable, Sendable {
  /// The group of token items, which cannot be added, changed or deleted through the keychain.
  public static let token = "com.apple.token"
  /// The entry that gives access to every group.
  public static let wildcard = "*"

  /// The group of the service's own items; no client has it, whatever its groups are.
  public static let internalGroup = "\u{0}localauth"

  /// The groups in their order: keychain groups, application identifier, application groups.
  public var names: [String]

  /// The client's groups; a client without any may do nothing.
  public init(_ names: [String]) { self.names = names }

  /// The groups whose items a call applies to.
  public enum Scope: Hashable, Sendable {
    /// Every group but these.
    case every(except: [String])
    case only([String])

    /// Whether items of `group` are in scope.
    public func contains(_ group: String) -> Bool {
      switch self {
      case .every(let except):
        !AccessGroups.isInternal(group) && !AccessGroups.names(except, contain: group)
      case .only(let names): AccessGroups.names(names, contain: group)
      }
    }
  }

  /// Throws if the client has no group: then every call fails before its dictionary is parsed.
  func requireAny() throws(KeychainError) {
    guard !names.isEmpty else { throw .accessGroup(nil) }
  }

  /// Whether the client may use `group`, for writing if `writing` is true.
  public func allows(_ group: String, writing: Bool) -> Bool {
    guard !(writing && group == Self.token), group != Self.wildcard, !Self.isInternal(group)
    else { return false }
    return names.contains(Self.wildcard) || Self.names(names, contain: group)
  }

  private static func isInternal(_ group: String) -> Bool { group.utf8.first == 0 }

  /// Compares bytes: two spellings of one character are two groups, as they are to a hash.
  private static func names(_ names: [String], contain group: String) -> Bool {
    names.contains { $0.hasBytes(of: group) }
  }

  /// The group that an item is added to.
  public func groupToAdd(to explicit: QueryValue?) throws(KeychainError) -> String {
    try requireAny()
    if let explicit { return try name(explicit, writing: true) }
    // The wildcard is not a group, so a client that has nothing else must name one.
    let first = names.first { $0 != Self.wildcard }
    guard let first, allows(first, writing: true) else { throw .accessGroup(first) }
    return first
  }

  /// The group that an item is moved to, which must be named.
  func groupToMove(to explicit: QueryValue) throws(KeychainError) -> String {
    try name(explicit, writing: true)
  }

  /// The groups whose items a call applies to.
  public func scope(of explicit: QueryValue?, writing: Bool) throws(KeychainError) -> Scope {
    try requireAny()
    if let explicit { return .only([try name(explicit, writing: writing)]) }
    if names.contains(Self.wildcard) { return .every(except: writing ? [Self.token] : []) }
    return .only(names.filter { allows($0, writing: writing) })
  }

  private func name(_ value: QueryValue, writing: Bool) throws(KeychainError) -> String {
    guard case .text(let group) = value else { throw .accessGroup(nil) }
    guard allows(group, writing: writing) else { throw .accessGroup(group) }
    return group
  }
}
