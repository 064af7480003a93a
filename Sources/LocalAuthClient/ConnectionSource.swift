/// Where connections to a service come from: a daemon's socket, or an engine inside the process.
///
/// Used from any thread.
public protocol ConnectionSource: Sendable {
  /// A new connection, to a service that is started first where that is possible.
  ///
  /// - Throws: ``ClientError``.
  func connect() throws(ClientError) -> DaemonConnection
  /// A new connection to the service that runs already; none is started.
  ///
  /// - Throws: ``ClientError``.
  func connectToRunning() throws(ClientError) -> DaemonConnection
}

extension DaemonAddress: ConnectionSource {}
