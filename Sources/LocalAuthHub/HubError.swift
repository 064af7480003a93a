/// Why the hub did not do what was asked.
public enum HubError: Error, Hashable, Sendable {
  /// There is no connection, or it broke; what was asked may have been done.
  case unreachable(String)
  /// The hub refused, with its code of five letters and its reason.
  case refused(code: String, reason: String)
  /// It answered what no hub of this version answers.
  case unexpected(String)
  /// Its schema is of another version.
  case schema(found: Int?, wanted: Int)

  /// Whether the same request may succeed later.
  public var isTemporary: Bool {
    switch self {
    case .unreachable: true
    // Connections, resources, interventions of its administrator, and transactions that met each other.
    case .refused(let code, _): ["08", "53", "57", "40"].contains { code.hasPrefix($0) }
    case .unexpected, .schema: false
    }
  }
}
