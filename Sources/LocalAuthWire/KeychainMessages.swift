/// The messages of `io.localauth.Keychain`; the interface description documents the fields.
public enum KeychainMessages {
  /// The interface's name.
  public static let interface = "io.localauth.Keychain"

  /// How to ask a person; part of every call about items.
  public struct Asking: Sendable {
    /// The device.
    public var device: String?
    /// The context whose authorizations count; a call without one has its own.
    public var context: Int64?
    /// The reason shown to the person.
    public var reason: String?
    /// Whether a person can be asked; true when absent.
    public var interactive: Bool?
    /// Whether the caller has no user interface, so that only a queued script can answer.
    public var agent: Bool?
    /// How long to wait; 30 s when absent.
    public var timeoutMilliseconds: Int64?
    /// The script that stands in for a person.
    public var script: WireSecret?
    /// Whether the script came from a command line.
    public var scriptIsArgument: Bool?
    /// Whether a simulated success counts.
    public var allowSimulated: Bool?
    /// The application password that the program has for its own items.
    public var applicationPassword: WireSecret?
    /// After how many wrong passcodes a prompt ends, for a caller that has no other.
    public var passcodeTries: Int64?
    /// The title of the fallback button.
    public var fallbackTitle: String?
    /// The title of the cancel button.
    public var cancelTitle: String?
    /// Creates a value whose fields are all absent.
    public init() {}

    mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.optional("device", &device)
      try mapper.optional("context", &context)
      try mapper.optional("reason", &reason)
      try mapper.optional("interactive", &interactive)
      try mapper.optional("agent", &agent)
      try mapper.optional("timeoutMilliseconds", &timeoutMilliseconds)
      try mapper.optional("script", &script)
      try mapper.optional("scriptIsArgument", &scriptIsArgument)
      try mapper.optional("allowSimulated", &allowSimulated)
      try mapper.optional("applicationPassword", &applicationPassword)
      try mapper.optional("passcodeTries", &passcodeTries)
      try mapper.optional("fallbackTitle", &fallbackTitle)
      try mapper.optional("cancelTitle", &cancelTitle)
    }
  }

  /// A call that may ask a person.
  public protocol AskingCall: WireObject, Sendable {
    /// How to ask a person.
    var asking: Asking { get set }
  }

  /// The parameters of `Add`.
  public struct AddCall: AskingCall {
    /// The item's attributes and what to return of it.
    public var query = WireQuery()
    /// The item's data, in base64.
    public var data: WireSecret?
    /// How to ask a person.
    public var asking = Asking()
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("query", &query)
      try mapper.optional("data", &data)
      try asking.map(&mapper)
    }
  }

  /// One of the items of `AddAll`.
  public struct NewItem: WireObject, Sendable {
    /// The item's attributes and what to return of it.
    public var query = WireQuery()
    /// The item's data, in base64.
    public var data: WireSecret?
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("query", &query)
      try mapper.optional("data", &data)
    }
  }

  /// The parameters of `AddAll`.
  public struct AddAllCall: AskingCall {
    /// The items; either all of them are added or none.
    public var items: [NewItem] = []
    /// How to ask a person.
    public var asking = Asking()
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("items", &items)
      try asking.map(&mapper)
    }
  }

  /// The parameters of `Copy`.
  public struct CopyCall: AskingCall {
    /// The search and what to return.
    public var query = WireQuery()
    /// Further searches, answered together with the first; then each must find exactly one item.
    public var also: [WireQuery]?
    /// The cursor at which a previous answer ended.
    public var after: String?
    /// How to ask a person.
    public var asking = Asking()
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("query", &query)
      try mapper.optional("also", &also)
      try mapper.optional("after", &after)
      try asking.map(&mapper)
    }
  }

  /// The parameters of `Update`.
  public struct UpdateCall: AskingCall {
    /// The query for the items.
    public var query = WireQuery()
    /// The attributes to change.
    public var changes = WireQuery()
    /// The items' new data, in base64.
    public var data: WireSecret?
    /// How to ask a person.
    public var asking = Asking()
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("query", &query)
      try mapper.required("changes", &changes)
      try mapper.optional("data", &data)
      try asking.map(&mapper)
    }
  }

  /// The parameters of `Delete`.
  public struct DeleteCall: AskingCall {
    /// The query for the items.
    public var query = WireQuery()
    /// Whether to count the items and leave them where they are.
    public var countOnly: Bool?
    /// How to ask a person.
    public var asking = Asking()
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("query", &query)
      try mapper.optional("countOnly", &countOnly)
      try asking.map(&mapper)
    }
  }

  /// The parameters of `GenerateKey`.
  public struct GenerateKeyCall: AskingCall {
    /// The key's attributes.
    public var query = WireQuery()
    /// How to ask a person.
    public var asking = Asking()
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("query", &query)
      try asking.map(&mapper)
    }
  }

  /// The parameters of `Sign`.
  public struct SignCall: AskingCall {
    /// The query for the key.
    public var query = WireQuery()
    /// Apple's name of the algorithm.
    public var algorithm: String = ""
    /// The message or digest to sign, depending on the algorithm.
    public var message = WireBytes([])
    /// How to ask a person.
    public var asking = Asking()
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("query", &query)
      try mapper.required("algorithm", &algorithm)
      try mapper.required("message", &message)
      try asking.map(&mapper)
    }
  }

  /// The parameters of `ExchangeKeys`.
  public struct ExchangeKeysCall: AskingCall {
    /// The query for the key.
    public var query = WireQuery()
    /// Apple's name of the algorithm.
    public var algorithm: String = ""
    /// The other party's public key.
    public var publicKey = WireBytes([])
    /// The number of bytes to derive; 32 when absent.
    public var size: Int64?
    /// Additional input to the derivation.
    public var sharedInfo: WireBytes?
    /// How to ask a person.
    public var asking = Asking()
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("query", &query)
      try mapper.required("algorithm", &algorithm)
      try mapper.required("publicKey", &publicKey)
      try mapper.optional("size", &size)
      try mapper.optional("sharedInfo", &sharedInfo)
      try asking.map(&mapper)
    }
  }

  /// The parameters of `EvaluateAccessControl`.
  public struct EvaluateAccessControlCall: AskingCall {
    /// The access control that asks for proof.
    public var accessControl = WireAccessControl()
    /// The operation to prove it for: `decrypt`, `encrypt`, `delete`, `sign`, `computeKey`, or
    /// `useKey` for the last two at once.
    public var operation: String = ""
    /// How to ask a person.
    public var asking = Asking()
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("accessControl", &accessControl)
      try mapper.required("operation", &operation)
      try asking.map(&mapper)
    }
  }

  /// The parameters of `InvalidateContext`.
  public struct InvalidateContextCall: WireObject, Sendable {
    /// The context's number.
    public var context: Int64 = 0
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("context", &context)
    }
  }
}
