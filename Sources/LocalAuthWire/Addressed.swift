/// A call that names the user whose devices it is about: the call's own fields, and `user`.
///
/// Every method of ours takes `user`, so it is described once, here; the service says who may use it.
public struct Addressed<Call: WireObject>: WireObject {
  /// The call itself.
  public var call = Call()
  /// The user's uid; nil for the caller's own.
  public var user: Int64?

  /// A call about the caller's own devices, all of whose fields are absent.
  public init() {}

  /// `call`, about the devices of `user`.
  public init(_ call: Call, to user: UInt32) {
    self.call = call
    self.user = Int64(user)
  }

  /// Hands over the call's fields, then the user.
  public mutating func map<Mapper: FieldMapper & ~Copyable>(
    _ mapper: inout Mapper
  ) throws(WireError) {
    try call.map(&mapper)
    try mapper.optional("user", &user)
  }
}
