public import LocalAuthKeychain
public import LocalAuthSecret

/// A call on a device's keychain.
public struct KeychainRequest {
  /// The kinds of operation.
  public enum Operation {
    /// Adds all of the items or none.
    case add([NewItem])
    /// Searches, continuing after the cursor of an earlier answer; the limit applies to what is
    /// left.
    case copy(QueryDictionary, after: KeychainCursor?)
    /// Answers several searches together, each of which must find exactly one item.
    case copyEach([QueryDictionary])
    case update(QueryDictionary, changes: QueryDictionary, data: SecretBox?)
    /// Deletes what the dictionary finds, or only counts it.
    case delete(QueryDictionary, onlyCounts: Bool = false)
    /// Makes a private key that never leaves the keychain; the dictionary describes it.
    case generateKey(QueryDictionary)
    /// Uses the first private key that matches.
    case useKey(QueryDictionary, KeyUse)
    /// Proves in advance, in one evaluation, what an access control requires for these operations.
    case evaluate(AccessControl, [AccessOperation])
  }

  /// The operation to perform.
  public var operation: Operation
  /// How to prompt, on which device, and whether a simulated one is accepted; its policy is
  /// ignored.
  public var asking: EvaluationRequest
  /// The context whose authorizations are used and extended.
  public var context: ContextIdentity
  /// The caller's access groups.
  public var groups: AccessGroups
  /// The program's own password for its items.
  public var applicationPassword: SecretBox?
  /// The bytes after which a search's answer is cut; it continues with a cursor.
  public var answerBytesMax = AnswerSize.bytesMax
  /// The most bytes of items that a change or a join may hold before its one commit; 32 MiB, about
  /// thirty thousand passwords.
  public var heldBytesMax = 32 << 20

  /// The request for `operation`.
  public init(
    _ operation: Operation,
    asking: EvaluationRequest,
    context: ContextIdentity,
    groups: AccessGroups
  ) {
    self.operation = operation
    self.asking = asking
    self.context = context
    self.groups = groups
  }
}

/// An item to be added.
public struct NewItem {
  /// Its attributes; `v_Data` in them stands for ``data``.
  public var dictionary: QueryDictionary
  /// Its data, if any.
  public var data: SecretBox?

  /// An item with these attributes and data.
  public init(_ dictionary: QueryDictionary, data: SecretBox?) {
    self.dictionary = dictionary
    self.data = data
  }
}

/// Where a list that was cut continues.
public enum KeychainCursor: Hashable, Sendable {
  /// After the item with this key, in the `group`th of the caller's groups, in their order.
  case key(ItemHash, group: Int)
  /// After this item, in the order in which items were added.
  case age(ItemIdentifier)
}

/// An item that a call found or made.
public struct FoundItem: Sendable {
  /// The item without its data.
  public var item: Item
  /// Its data, if requested and permitted.
  public var data: SecretBox?
}

/// The result of a keychain call.
public struct KeychainAnswer: Sendable {
  /// Why the call failed; nil for success.
  public var error: KeychainError?
  /// The index of the new item or of the search that failed, from 0; nil if the failure concerns none
  /// of them.
  public var failedItem: Int?
  /// The last evaluation the call needed, if any.
  public var evaluation: EvaluationResult?
  /// The items found or made, as far as the call returns them.
  public var items: [FoundItem]
  /// What to return of each item; for several new items, the union of their requests.
  public var returns: ReturnSet
  /// How many items were changed or deleted, or would be deleted; nil for other calls.
  public var count: Int?
  /// The result of using a private key.
  public var keyUse: KeyUseResult?
  /// Where the list continues; nil if it is complete.
  public var next: KeychainCursor?

  /// An answer with these parts.
  public init(
    error: KeychainError? = nil,
    failedItem: Int? = nil,
    evaluation: EvaluationResult? = nil,
    items: [FoundItem] = [],
    returns: ReturnSet = [],
    next: KeychainCursor? = nil
  ) {
    self.error = error
    self.failedItem = failedItem
    self.evaluation = evaluation
    self.items = items
    self.returns = returns
    self.next = next
  }

  /// The answer to a call that changed or deleted `count` items.
  static func counting(_ count: Int) -> Self {
    var answer = Self()
    answer.count = count
    return answer
  }
}

/// An event that a keychain call sends to its caller.
public enum KeychainEvent: Sendable {
  /// An event of an evaluation in progress, except its end.
  case asking(SessionEvent)
  /// The last event.
  case finished(KeychainAnswer)
}
