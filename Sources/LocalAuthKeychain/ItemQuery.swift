/// The request of a `SecItemCopyMatching` call.
public struct ItemQuery: Hashable, Sendable {
  /// The items to find.
  public let selection: ItemSelection
  /// How many items to return.
  public let limit: MatchLimit
  /// What to return about each item.
  public let returns: ReturnSet
  /// The options of the call.
  public let options: CallOptions

  /// Parses the query that `dictionary` describes, by a client with these groups.
  ///
  /// Data and an access control in it, if any, are not part of the search.
  public init(_ dictionary: QueryDictionary, groups: AccessGroups) throws(KeychainError) {
    try groups.requireAny()
    let parsed = try QueryParser(dictionary, for: .query)
    selection = try ItemSelection(parsed, groups: groups, writing: false)
    limit = parsed.limit
    returns = parsed.returns
    options = parsed.options
  }
}

/// The request of a `SecItemDelete` call: to delete every item that matches.
public struct ItemDelete: Hashable, Sendable {
  /// The items to delete; of an identity both halves.
  public let selection: ItemSelection
  /// The options of the call.
  public let options: CallOptions

  /// Parses the deletion that `dictionary` describes, by a client with these groups.
  ///
  /// Return kinds and data in it, if any, are ignored.
  public init(_ dictionary: QueryDictionary, groups: AccessGroups) throws(KeychainError) {
    try groups.requireAny()
    let parsed = try QueryParser(dictionary, for: .delete)
    selection = try ItemSelection(parsed, groups: groups, writing: true)
    options = parsed.options
  }

  /// Whether deleting `item` leaves a tombstone for other devices.
  public func leavesTombstone(of item: Item) -> Bool {
    options.leavesTombstone ?? item.leavesDevice
  }
}
