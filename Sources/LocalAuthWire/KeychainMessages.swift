/// What `io.localauth.Keychain` hears; its description documents the fields.
public enum KeychainMessages {
  /// The interface's name.
  public static let interface = "io.localauth.Keychain"

  /// How somebody may be asked, which every call about items says.
  public struct Asking: Sendable {
    /// The device.
    public var device: String?
    /// The context whose authorizations count; a call without one has a context of its own.
    public var context: Int64?
    /// Why, as the person reads it.
    public var reason: String?
    /// Whether somebody can be asked; true when absent.
    public var interactive: Bool?
    /// Whether the caller has no user interface, so that only a script that waits can answer.
    public var agent: Bool?
    /// How long to wait; 30 s when absent.
    public var timeoutMilliseconds: Int64?
    /// Events in place of a person.
    public var script: WireSecret?
    /// Whether the script stood on a command line.
    public var scriptIsArgument: Bool?
    /// Whether a simulated success counts.
    public var allowSimulated: Bool?
    /// The password that the program has for its own items.
    public var applicationPassword: WireSecret?
    /// Text of the fallback button.
    public var fallbackTitle: String?
    /// Text of the cancel button.
    public var cancelTitle: String?
    /// Everything absent.
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
      try mapper.optional("fallbackTitle", &fallbackTitle)
      try mapper.optional("cancelTitle", &cancelTitle)
    }
  }

  /// A call that may ask somebody.
  public protocol AskingCall: WireObject, Sendable {
    /// How.
    var asking: Asking { get set }
  }

  /// The parameters of `Add`.
  public struct AddCall: AskingCall {
    /// What the item is.
    public var query = WireQuery()
    /// The item's data, base64.
    public var data: WireSecret?
    /// How somebody may be asked.
    public var asking = Asking()
    /// Everything absent, empty or zero.
    public init() {}
    /// Hands over every field.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("query", &query)
      try mapper.optional("data", &data)
      try asking.map(&mapper)
    }
  }

  /// One of the items of `AddAll`.
  public struct NewItem: WireObject, Sendable {
    /// What the item is.
    public var query = WireQuery()
    /// The item's data, base64.
    public var data: WireSecret?
    /// Everything absent, empty or zero.
    public init() {}
    /// Hands over every field.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("query", &query)
      try mapper.optional("data", &data)
    }
  }

  /// The parameters of `AddAll`.
  public struct AddAllCall: AskingCall {
    /// The items, all of which are added or none.
    public var items: [NewItem] = []
    /// How somebody may be asked.
    public var asking = Asking()
    /// Everything absent, empty or zero.
    public init() {}
    /// Hands over every field.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("items", &items)
      try asking.map(&mapper)
    }
  }

  /// The parameters of `Copy`.
  public struct CopyCall: AskingCall {
    /// What is searched, and what is wanted of it.
    public var query = WireQuery()
    /// Where an answer that was cut off goes on.
    public var after: String?
    /// How somebody may be asked.
    public var asking = Asking()
    /// Everything absent, empty or zero.
    public init() {}
    /// Hands over every field.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("query", &query)
      try mapper.optional("after", &after)
      try asking.map(&mapper)
    }
  }

  /// The parameters of `Update`.
  public struct UpdateCall: AskingCall {
    /// Which items.
    public var query = WireQuery()
    /// What becomes of them.
    public var changes = WireQuery()
    /// Their new data, base64.
    public var data: WireSecret?
    /// How somebody may be asked.
    public var asking = Asking()
    /// Everything absent, empty or zero.
    public init() {}
    /// Hands over every field.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("query", &query)
      try mapper.required("changes", &changes)
      try mapper.optional("data", &data)
      try asking.map(&mapper)
    }
  }

  /// The parameters of `Delete`.
  public struct DeleteCall: AskingCall {
    /// Which items.
    public var query = WireQuery()
    /// How somebody may be asked.
    public var asking = Asking()
    /// Everything absent, empty or zero.
    public init() {}
    /// Hands over every field.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("query", &query)
      try asking.map(&mapper)
    }
  }

  /// The parameters of `GenerateKey`.
  public struct GenerateKeyCall: AskingCall {
    /// What the key is.
    public var query = WireQuery()
    /// How somebody may be asked.
    public var asking = Asking()
    /// Everything absent, empty or zero.
    public init() {}
    /// Hands over every field.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("query", &query)
      try asking.map(&mapper)
    }
  }

  /// The parameters of `Sign`.
  public struct SignCall: AskingCall {
    /// Which key.
    public var query = WireQuery()
    /// Apple's name of the algorithm.
    public var algorithm: String = ""
    /// What is signed: a message or a digest, as the algorithm says.
    public var message = WireBytes([])
    /// How somebody may be asked.
    public var asking = Asking()
    /// Everything absent, empty or zero.
    public init() {}
    /// Hands over every field.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("query", &query)
      try mapper.required("algorithm", &algorithm)
      try mapper.required("message", &message)
      try asking.map(&mapper)
    }
  }

  /// The parameters of `ExchangeKeys`.
  public struct ExchangeKeysCall: AskingCall {
    /// Which key.
    public var query = WireQuery()
    /// Apple's name of the algorithm.
    public var algorithm: String = ""
    /// The other side's public key.
    public var publicKey = WireBytes([])
    /// How many bytes are derived; 32 when absent.
    public var size: Int64?
    /// What goes into the derivation besides.
    public var sharedInfo: WireBytes?
    /// How somebody may be asked.
    public var asking = Asking()
    /// Everything absent, empty or zero.
    public init() {}
    /// Hands over every field.
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
    /// What asks for proof.
    public var accessControl = WireAccessControl()
    /// What it is proven for: `decrypt`, `encrypt`, `delete`, `sign`, `computeKey`, or `useKey` for the
    /// last two at once.
    public var operation: String = ""
    /// How somebody may be asked.
    public var asking = Asking()
    /// Everything absent, empty or zero.
    public init() {}
    /// Hands over every field.
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
    /// Everything absent, empty or zero.
    public init() {}
    /// Hands over every field.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("context", &context)
    }
  }
}
