/// The access groups that a client may use, the first of them for what it adds without saying.
public struct AccessGroups: Hashable, Sendable {
  /// Items of tokens are here; nobody adds, changes or deletes them through the keychain.
  public static let token = "com.apple.token"
  /// The entry that opens every group.
  public static let wildcard = "*"

  /// The group of what is the service's own: no client has it, whatever its groups are.
  public static let internalGroup = "\u{0}localauth"

  /// The groups in their order: keychain groups, application identifier, application groups.
  public var names: [String]

  /// The client's groups; none at all means that it may do nothing.
  public init(_ names: [String]) { self.names = names }

  /// Which groups' items a call is about.
  public enum Scope: Hashable, Sendable {
    /// Every group but these.
    case every(except: [String])
    case only([String])

    /// Whether items of `group` are in it.
    public func contains(_ group: String) -> Bool {
      switch self {
      case .every(let except):
        !AccessGroups.isInternal(group) && !AccessGroups.names(except, contain: group)
      case .only(let names): AccessGroups.names(names, contain: group)
      }
    }
  }

  /// Throws where the client has no group: then every call fails, before anything else is read.
  func requireAny() throws(KeychainError) {
    guard !names.isEmpty else { throw .accessGroup(nil) }
  }

  /// Whether the client may use `group`, and write to it where `writing`.
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
    // The wildcard names no group, so a client that has nothing else must say which it means.
    let first = names.first { $0 != Self.wildcard }
    guard let first, allows(first, writing: true) else { throw .accessGroup(first) }
    return first
  }

  /// The group that an item is moved to, which must be named.
  func groupToMove(to explicit: QueryValue) throws(KeychainError) -> String {
    try name(explicit, writing: true)
  }

  /// The groups whose items a call is about.
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
