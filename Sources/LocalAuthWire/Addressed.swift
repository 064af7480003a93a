/// A call that says whose devices it is about and where it comes from: the call's own fields, `user`
/// and `origin`.
///
/// Every method of ours takes both, so they are described once, here; the service says who may use them.
public struct Addressed<Call: WireObject>: WireObject {
  /// The call itself.
  public var call = Call()
  /// The user's uid; nil for the caller's own.
  public var user: Int64?
  /// Where the request comes from: `owner`, `user:UID` or `host:NAME`; nil for what the kernel says.
  public var origin: String?

  /// A call about the caller's own devices, all of whose fields are absent.
  public init() {}

  /// `call`, about the devices of `user`.
  public init(_ call: Call, to user: UInt32) {
    self.call = call
    self.user = Int64(user)
  }

  /// Hands over the call's fields, then the user and the origin.
  public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
    try call.map(&mapper)
    try mapper.optional("user", &user)
    try mapper.optional("origin", &origin)
  }
}
