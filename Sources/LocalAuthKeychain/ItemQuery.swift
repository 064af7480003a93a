/// What `SecItemCopyMatching` is asked for.
public struct ItemQuery: Hashable, Sendable {
  /// Which items.
  public let selection: ItemSelection
  /// How many of them.
  public let limit: MatchLimit
  /// What is wanted of each.
  public let returns: ReturnSet
  /// How the call is made.
  public let options: CallOptions

  /// The query that `dictionary` describes, of a client with these groups.
  ///
  /// The data and the access control in it, if any, are no part of the search.
  public init(_ dictionary: QueryDictionary, groups: AccessGroups) throws(KeychainError) {
    try groups.requireAny()
    let parsed = try QueryParser(dictionary, for: .query)
    selection = try ItemSelection(parsed, groups: groups, writing: false)
    limit = parsed.limit
    returns = parsed.returns
    options = parsed.options
  }
}

/// What `SecItemDelete` is asked for: every item that matches.
public struct ItemDelete: Hashable, Sendable {
  /// Which items; of an identity both halves.
  public let selection: ItemSelection
  /// How the call is made.
  public let options: CallOptions

  /// The deletion that `dictionary` describes, of a client with these groups.
  ///
  /// What it wants returned and its data, if any, are ignored.
  public init(_ dictionary: QueryDictionary, groups: AccessGroups) throws(KeychainError) {
    try groups.requireAny()
    let parsed = try QueryParser(dictionary, for: .delete)
    selection = try ItemSelection(parsed, groups: groups, writing: true)
    options = parsed.options
  }

  /// Whether deleting `item` leaves a trace for other devices.
  public func leavesTombstone(of item: Item) -> Bool {
    options.leavesTombstone ?? item.leavesDevice
  }
}
