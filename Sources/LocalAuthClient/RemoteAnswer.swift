public import LocalAuthCore
public import LocalAuthKeychain
public import LocalAuthSecret
public import LocalAuthWire

/// How a keychain call ended.
public struct RemoteAnswer: Sendable {
  /// Apple's status; it is success if and only if ``outcome`` is.
  public private(set) var status: KeychainStatus
  /// The row of the outcome table.
  public private(set) var outcome: OutcomeCode
  /// What happened, in one sentence.
  public private(set) var message: String
  /// The index of the new item or of the search that failed, counted from 0; nil if the failure was
  /// about none of them.
  public private(set) var failedItem: Int?
  /// The evaluation that the call took; nil if nobody was asked.
  public internal(set) var evaluation: AuthenticationMessages.Result?
  /// How many items were changed or deleted, or would be deleted; nil for other calls.
  public private(set) var count: Int?
  /// The items found or added.
  public private(set) var items: [RemoteItem]
  /// The signature made by a private key.
  public private(set) var signature: [UInt8]?
  /// The secret that keys agreed on; it can be taken once.
  public private(set) var sharedSecret: SecretBox?
  /// The cursor of the rest of the list, for ``KeychainMessages/CopyCall/goOn(after:)``; nil if the
  /// list is complete.
  public private(set) var next: String?

  /// Whether the application password was wrong: authentication failed, although the evaluation, if
  /// any, succeeded.
  public var isPasswordWrong: Bool {
    outcome == .authenticationFailed
      && (evaluation?.isSuccess ?? true)
  }

  /// The answer with another outcome and without anything that was found.
  public func refused(as outcome: OutcomeCode) -> RemoteAnswer {
    var refused = self
    refused.status = KeychainStatus(outcome)
    refused.outcome = outcome
    refused.message = outcome.sentence
    refused.failedItem = nil
    refused.count = nil
    refused.items = []
    refused.next = nil
    refused.signature = nil
    refused.sharedSecret = nil
    return refused
  }

  /// A success without items, for callers that treat finding nothing as one.
  public func foundNothing() -> RemoteAnswer {
    var found = refused(as: .success)
    found.message = KeychainStatus.success.message
    return found
  }

  init(
    _ answer: KeychainMessages.Answer,
    _ parameters: ReplyParameters
  ) throws(WireError) {
    guard let status = Int32(exactly: answer.status).flatMap(KeychainStatus.init(rawValue:)) else {
      throw .invalidParameter("answer.status")
    }
    guard let outcome = OutcomeCode(rawValue: answer.outcome),
      Int64(outcome.exit) == answer.exit, (outcome == .success) == (status == .success)
    else { throw .invalidParameter("answer.outcome") }
    let isEmpty =
      answer.items.isEmpty && answer.next == nil && answer.signature == nil
      && answer.sharedSecret == nil
    guard outcome == .success || isEmpty else {
      throw .invalidParameter("answer.items")
    }
    self.status = status
    self.outcome = outcome
    message = answer.message
    failedItem = answer.failedItem.flatMap { Int(exactly: $0) }
    evaluation = answer.evaluation
    count = answer.count.flatMap { Int(exactly: $0) }
    items = []
    next = answer.next
    signature = answer.signature?.bytes
    sharedSecret = try answer.sharedSecret.map { secret throws(WireError) in
      try parameters.data(secret)
    }
    for item in answer.items { items.append(try RemoteItem(item, parameters)) }
  }
}

/// An item of an answer.
public struct RemoteItem: Sendable {
  /// Its class.
  public let itemClass: ItemClass
  /// Its permanent identifier.
  public let identifier: ItemIdentifier
  /// The item without its data, if its attributes were asked for.
  ///
  /// Its access control is bound to nothing, because only the daemon knows the binding.
  public let item: Item?
  /// Its persistent reference, if asked for.
  public let reference: PersistentReference?
  /// Its data, if asked for and present; it can be taken once.
  public let data: SecretBox?

  fileprivate init(
    _ item: KeychainMessages.Item,
    _ parameters: ReplyParameters
  ) throws(WireError) {
    guard let itemClass = ItemClass(rawValue: item.itemClass) else {
      throw .invalidParameter("items.class")
    }
    guard let identifier = ItemIdentifier(text: item.identifier) else {
      throw .invalidParameter("items.identifier")
    }
    self.itemClass = itemClass
    self.identifier = identifier
    if let bytes = item.persistentReference?.bytes {
      guard let reference = try? PersistentReference(bytes: bytes) else {
        throw .invalidParameter("items.persistentReference")
      }
      self.reference = reference
    } else {
      reference = nil
    }
    if let data = item.data { self.data = try parameters.data(data) } else { data = nil }
    if let group = item.group {
      self.item = try Self.item(item, itemClass, identifier, group)
    } else {
      self.item = nil
    }
  }

  private static func item(
    _ item: KeychainMessages.Item,
    _ itemClass: ItemClass,
    _ identifier: ItemIdentifier,
    _ group: String
  ) throws(WireError) -> Item {
    guard let created = item.created, let modified = item.modified,
      let protection = item.accessible.flatMap(ProtectionClass.init(rawValue:)),
      var attributes = (item.attributes ?? WireQuery()).attributes
    else { throw .invalidParameter("items.attributes") }
    let isTombstone = attributes.removeValue(forKey: .tombstone) == .number(1)
    return Item(
      identifier: identifier,
      itemClass: itemClass,
      group: group,
      accessControl: try item.accessControl?.accessControl() ?? AccessControl(protection),
      isSynchronizable: item.synchronizable ?? false,
      isTombstone: isTombstone,
      created: WallInstant(milliseconds: created),
      modified: WallInstant(milliseconds: modified),
      attributes: attributes,
      hasData: item.data != nil
    )
  }
}

extension KeychainMessages.CopyCall {
  /// Makes the call ask for the items after `answer`, which was its last answer; false if there are
  /// none.
  ///
  /// A limit in the query is reduced by the number of items found.
  public mutating func goOn(after answer: RemoteAnswer) -> Bool {
    guard let next = answer.next else { return false }
    after = next
    var dictionary = query.dictionary
    let key = QueryKey.matchLimit.rawValue
    // Without a limit there is one item to find, and it was found.
    guard let limit = dictionary[key] else { return false }
    if case .number(let count) = limit {
      let left = count - Int64(answer.items.count)
      guard left > 0 else { return false }
      dictionary[key] = .number(left)
    }
    // A dictionary that came from a query can always become one.
    guard let rest = try? WireQuery(dictionary) else { return false }
    query = rest
    return true
  }
}
