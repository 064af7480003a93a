/// The messages of `io.localauth.Daemon`; the interface description documents the fields.
public enum DaemonMessages {
  /// The interface's name.
  public static let interface = "io.localauth.Daemon"

  /// The state of the daemon.
  public struct Daemon: WireReply, Sendable {
    /// Its version.
    public var version: String = ""
    /// Its process identifier.
    public var pid: Int64 = 0
    /// How long it has been running, in seconds.
    public var uptimeSeconds: Int64 = 0
    /// The number of open connections.
    public var connections: Int64 = 0
    /// Whether secrets are kept out of swap.
    public var memoryLocked: Bool = false
    /// Where its state is kept.
    public var storage: String = ""
    /// The socket that it listens on; absent if it is part of another program.
    public var socket: String?
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("version", &version)
      try mapper.required("pid", &pid)
      try mapper.required("uptimeSeconds", &uptimeSeconds)
      try mapper.required("connections", &connections)
      try mapper.required("memoryLocked", &memoryLocked)
      try mapper.required("storage", &storage)
      try mapper.optional("socket", &socket)
    }
  }

  /// The reply to `Status`.
  public struct StatusReply: WireReply, Sendable {
    /// The daemon.
    public var daemon: Daemon = Daemon()
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("daemon", &daemon)
    }
  }

  /// The reply to `Reload`.
  public struct ReloadReply: WireReply, Sendable {
    /// The mistakes in the files that were read, one line each.
    public var problems: [String] = []
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("problems", &problems)
    }
  }
}
