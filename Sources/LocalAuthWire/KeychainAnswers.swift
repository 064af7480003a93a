extension KeychainMessages {
  /// An item that a call found or made; class and identifier are always present, other fields only
  /// if the query asks for them.
  public struct Item: WireReply, Sendable {
    /// Its class, under Apple's name.
    public var itemClass: String = ""
    /// Its UUID.
    public var identifier: String = ""
    /// Its persistent reference.
    public var persistentReference: WireBytes?
    /// Its access group.
    public var group: String?
    /// When it was added, in milliseconds since 1970.
    public var created: Int64?
    /// When it was last changed.
    public var modified: Int64?
    /// Its protection class, in Apple's letters.
    public var accessible: String?
    /// Its access control; absent if nothing must be proven.
    public var accessControl: WireAccessControl?
    /// Whether it is meant for the user's other devices too.
    public var synchronizable: Bool?
    /// Every other attribute.
    public var attributes: WireQuery?
    /// Its data, in base64.
    public var data: WireSecret?
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("class", &itemClass)
      try mapper.required("identifier", &identifier)
      try mapper.optional("persistentReference", &persistentReference)
      try mapper.optional("group", &group)
      try mapper.optional("created", &created)
      try mapper.optional("modified", &modified)
      try mapper.optional("accessible", &accessible)
      try mapper.optional("accessControl", &accessControl)
      try mapper.optional("synchronizable", &synchronizable)
      try mapper.optional("attributes", &attributes)
      try mapper.optional("data", &data)
    }
  }

  /// How a call ended.
  public struct Answer: WireReply, Sendable {
    /// Apple's status.
    public var status: Int64 = 0
    /// The row of the outcome table.
    public var outcome: String = ""
    /// The status that `authctl` exits with.
    public var exit: Int64 = 0
    /// The matching code of `LAError`.
    public var laError: Int64?
    /// What happened, in one sentence.
    public var message: String = ""
    /// The index of the item of `AddAll` or of the search of `Copy` that failed, counted from 0.
    public var failedItem: Int64?
    /// The evaluation that the call took.
    public var evaluation: AuthenticationMessages.Result?
    /// How many items were changed or deleted, or would be deleted.
    public var count: Int64?
    /// The items found or made.
    public var items: [Item] = []
    /// The cursor of the rest of the list; absent if the list is complete.
    public var next: String?
    /// The signature made by a key, in base64.
    public var signature: WireBytes?
    /// The secret that keys agreed on, in base64.
    public var sharedSecret: WireSecret?
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("status", &status)
      try mapper.required("outcome", &outcome)
      try mapper.required("exit", &exit)
      try mapper.optional("laError", &laError)
      try mapper.required("message", &message)
      try mapper.optional("failedItem", &failedItem)
      try mapper.optional("evaluation", &evaluation)
      try mapper.optional("count", &count)
      try mapper.required("items", &items)
      try mapper.optional("next", &next)
      try mapper.optional("signature", &signature)
      try mapper.optional("sharedSecret", &sharedSecret)
    }
  }

  /// A reply to a call that may ask a person; exactly one field is present.
  public struct AskReply: PromptingReply, Sendable {
    /// The number of requests that are ahead of this one.
    public var queued: Int64?
    /// A prompt to show.
    public var prompt: AuthenticationMessages.Prompt?
    /// A notice to show.
    public var notice: AuthenticationMessages.Notice?
    /// The last reply.
    public var answer: Answer?
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.optional("queued", &queued)
      try mapper.optional("prompt", &prompt)
      try mapper.optional("notice", &notice)
      try mapper.optional("answer", &answer)
    }
  }

  /// The reply to `Groups`.
  public struct GroupsReply: WireReply, Sendable {
    /// The caller's application identifier, if known.
    public var applicationIdentifier: String?
    /// Its access groups, the one for new items first.
    public var groups: [String] = []
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.optional("applicationIdentifier", &applicationIdentifier)
      try mapper.required("groups", &groups)
    }
  }
}
