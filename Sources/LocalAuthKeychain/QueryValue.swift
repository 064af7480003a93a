/// A value of a dictionary that describes an item or a search, as a client gave it.
///
/// The item's data is a secret: its bytes travel beside the dictionary in wiped memory, and the
/// dictionary only says that they are there.
public enum QueryValue: Hashable, Sendable {
  case text(String)
  case data([UInt8])
  case number(Int64)
  /// A real Boolean, which the number 1 is not.
  case boolean(Bool)
  /// Milliseconds since 1970-01-01 UTC.
  case date(Int64)
  case identifier(ItemIdentifier)
  case accessControl(AccessControl)
  case list([QueryValue])
  /// Bytes that are held elsewhere; nothing but `v_Data` and `u_CredRef` takes them.
  case secret
  /// An object that only its face knows: a context, a key, a trust policy.
  case opaque
  case null
}
