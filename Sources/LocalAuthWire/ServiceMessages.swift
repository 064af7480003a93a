/// The messages of `org.varlink.service`, and the parameters of every error.
public enum ServiceMessages {
  /// The interface's name.
  public static let interface = "org.varlink.service"

  /// No parameters.
  public struct Empty: WireObject, Sendable {
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {}
  }

  /// The reply to `GetInfo`.
  public struct InfoReply: WireReply, Sendable {
    /// The maker of the service.
    public var vendor: String = ""
    /// The name of the service.
    public var product: String = ""
    /// Its version.
    public var version: String = ""
    /// The address of its documentation.
    public var url: String = ""
    /// Its interfaces.
    public var interfaces: [String] = []
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("vendor", &vendor)
      try mapper.required("product", &product)
      try mapper.required("version", &version)
      try mapper.required("url", &url)
      try mapper.required("interfaces", &interfaces)
    }
  }

  /// The parameters of `GetInterfaceDescription`.
  public struct DescriptionCall: WireObject, Sendable {
    /// The interface's name.
    public var interface: String = ""
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("interface", &interface)
    }
  }

  /// The reply to `GetInterfaceDescription`.
  public struct DescriptionReply: WireReply, Sendable {
    /// Its description.
    public var description: String = ""
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("description", &description)
    }
  }

  /// The parameters of all errors together; each error has some of them.
  public struct ErrorParameters: WireReply, Sendable {
    /// What is wrong and how to correct it.
    public var message: String?
    /// The policy that the error is about.
    public var policy: String?
    /// The device that the error is about.
    public var device: String?
    /// A row of the outcome table.
    public var outcome: String?
    /// The sensor's code for the error.
    public var code: String?
    /// Seconds until another attempt is allowed.
    public var retryAfterSeconds: Int64?
    /// The interface that was not found.
    public var interface: String?
    /// The method that was not found.
    public var method: String?
    /// The parameter that is wrong.
    public var parameter: String?
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.optional("message", &message)
      try mapper.optional("policy", &policy)
      try mapper.optional("device", &device)
      try mapper.optional("outcome", &outcome)
      try mapper.optional("code", &code)
      try mapper.optional("retryAfterSeconds", &retryAfterSeconds)
      try mapper.optional("interface", &interface)
      try mapper.optional("method", &method)
      try mapper.optional("parameter", &parameter)
    }
  }
}
