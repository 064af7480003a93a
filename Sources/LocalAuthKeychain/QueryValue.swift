/// A value of a dictionary that describes an item or a search, as a client gave it.
///
/// The item's data is a secret: its bytes travel outside the dictionary in wiped memory, and the
/// dictionary records only their presence.
public enum QueryValue: Hashable, Sendable {
  case text(String)
  case data([UInt8])
  case number(Int64)
  /// A real Boolean; the number 1 is not one.
  case boolean(Bool)
  /// Milliseconds since 1970-01-01 UTC.
  case date(Int64)
  case identifier(ItemIdentifier)
  case accessControl(AccessControl)
  case list([QueryValue])
  /// Bytes held outside the dictionary; only `v_Data` and `u_CredRef` accept them.
  case secret
  /// An object that only the client's front end knows: a context, a key, a trust policy.
  case opaque
  case null
}
