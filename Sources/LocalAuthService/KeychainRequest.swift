public import LocalAuthKeychain
public import LocalAuthSecret

/// What a caller asks of a device's keychain.
public struct KeychainRequest {
  /// What is to be done.
  public enum Operation {
    /// Adds all of them or none.
    case add([NewItem])
    /// Goes on after a cursor that an earlier answer gave; its limit is for what is still to come.
    case copy(QueryDictionary, after: KeychainCursor?)
    case update(QueryDictionary, changes: QueryDictionary, data: SecretBox?)
    case delete(QueryDictionary)
    /// Makes a private key that never leaves the keychain; the dictionary describes it.
    case generateKey(QueryDictionary)
    /// Uses the first private key that matches.
    case useKey(QueryDictionary, KeyUse)
    /// Proves beforehand, at once, what an access control asks for before each of these.
    case evaluate(AccessControl, [AccessOperation])
  }

  /// What is to be done.
  public var operation: Operation
  /// How somebody may be asked, on which device, and whether a simulated one counts; its policy says
  /// nothing here.
  public var asking: EvaluationRequest
  /// Whose authorizations count, and who gets new ones.
  public var context: ContextIdentity
  /// The caller's access groups.
  public var groups: AccessGroups
  /// The password that the program has for its own items.
  public var applicationPassword: SecretBox?
  /// The bytes of an answer to a search, after which the list is cut and goes on with its cursor.
  public var answerBytesMax = AnswerSize.bytesMax
  /// The bytes that a call may hold of items that it changes, or joins, before one commit; 32 MiB, some
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

/// An item that is to be added.
public struct NewItem {
  /// What it is; `v_Data` in it stands for ``data``.
  public var dictionary: QueryDictionary
  /// Its data, if any.
  public var data: SecretBox?

  /// An item of this description and data.
  public init(_ dictionary: QueryDictionary, data: SecretBox?) {
    self.dictionary = dictionary
    self.data = data
  }
}

/// Where a list that was cut off goes on.
public enum KeychainCursor: Hashable, Sendable {
  /// After the item of this key, in the `group`th of the caller's groups, in their order.
  case key(ItemHash, group: Int)
  /// After this item, in the order of their addition.
  case age(ItemIdentifier)
}

/// An item that a call found or made.
public struct FoundItem: Sendable {
  /// All of it but its data.
  public var item: Item
  /// Its data, where it was asked for and may be known.
  public var data: SecretBox?
}

/// How a keychain call ended.
public struct KeychainAnswer: Sendable {
  /// Why it failed; nil for a success.
  public var error: KeychainError?
  /// At which of the new items, counted from 0; nil where it was about none of them.
  public var failedItem: Int?
  /// The evaluation that it took, if any.
  public var evaluation: EvaluationResult?
  /// What it found or made, as far as the call asks for it.
  public var items: [FoundItem]
  /// What of each item is wanted; of several new ones, what of any of them is.
  public var returns: ReturnSet
  /// What a private key was used for gave.
  public var keyUse: KeyUseResult?
  /// Where the list goes on; nil when it is whole.
  public var next: KeychainCursor?

  /// The answer with these parts.
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
}

/// What a keychain call tells its caller while it runs.
public enum KeychainEvent: Sendable {
  /// Of an evaluation under way; never its end.
  case asking(SessionEvent)
  /// The last event.
  case finished(KeychainAnswer)
}
