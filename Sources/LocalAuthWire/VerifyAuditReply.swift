extension DeviceMessages {
  /// Whether the copy of the audit is what was written.
  public struct VerifyAuditReply: WireReply, Sendable {
    /// Whether it is.
    public var intact: Bool = false
    /// How many lines there are.
    public var lines: Int64 = 0
    /// What is wrong with it.
    public var message: String?
    /// Everything absent, empty or zero.
    public init() {}
    /// Hands over every field.
    public mutating func map<Mapper: FieldMapper & ~Copyable>(
      _ mapper: inout Mapper
    ) throws(WireError) {
      try mapper.required("intact", &intact)
      try mapper.required("lines", &lines)
      try mapper.optional("message", &message)
    }
  }
}
