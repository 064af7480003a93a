/// A call with the owner of the devices and its origin: the call's own fields, `user` and `origin`.
///
/// Every method of ours takes both fields, so they are described here once; the service decides who
/// may use them.
public struct Addressed<Call: WireObject>: WireObject {
  /// The call itself.
  public var call = Call()
  /// The owner's uid; nil for the caller's own.
  public var user: Int64?
  /// Where the request comes from: `owner`, `user:UID` or `host:NAME`; nil if the kernel tells.
  public var origin: String?

  /// Creates a call about the caller's own devices, with every field absent.
  public init() {}

  /// Creates `call` about the devices of `user`.
  public init(_ call: Call, to user: UInt32) {
    self.call = call
    self.user = Int64(user)
  }

  /// Passes the call's fields to `mapper`, then the user and the origin.
  public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
    try call.map(&mapper)
    try mapper.optional("user", &user)
    try mapper.optional("origin", &origin)
  }
}
