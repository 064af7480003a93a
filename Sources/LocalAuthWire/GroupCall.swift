/// Which access group on which device a call is about: documents, key-value stores and tables are kept for groups.
public struct GroupTarget: Hashable, Sendable {
  /// The device; the user's own machine when absent.
  public var device: String?
  /// Whether a simulated device counts.
  public var allowSimulated: Bool?
  /// The access group; the first of the caller when absent.
  public var group: String?
  /// The number that the program has chosen for itself, so that it is not told of its own changes.
  ///
  /// Only calls that write or watch carry it.
  public var writer: Int64?

  /// Creates a target whose fields are all absent.
  public init() {}

  /// Passes the fields of a call that only reads to `mapper`; `name` is what its interface calls the group.
  mutating func map(
    _ mapper: inout some FieldMapper,
    as name: StaticString
  ) throws(WireError) {
    try mapper.optional("device", &device)
    try mapper.optional("allowSimulated", &allowSimulated)
    try mapper.optional(name, &group)
  }

  /// Passes the fields of a call that writes or watches to `mapper`.
  mutating func mapWithWriter(
    _ mapper: inout some FieldMapper,
    as name: StaticString
  ) throws(WireError) {
    try map(&mapper, as: name)
    try mapper.optional("writer", &writer)
  }
}

/// A call about what is kept for an access group.
public protocol GroupCall: WireObject {
  /// The group on its device.
  var target: GroupTarget { get set }
}
