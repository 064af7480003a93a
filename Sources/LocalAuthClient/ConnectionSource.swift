/// A source of connections to a service: a daemon's socket, or an engine inside the process.
///
/// Safe to use from any thread.
public protocol ConnectionSource: Sendable {
  /// Opens a connection, after starting the service if that is necessary and possible.
  ///
  /// - Throws: ``ClientError``.
  func connect() throws(ClientError) -> DaemonConnection
  /// Opens a connection to a service that is already running; starts none.
  ///
  /// - Throws: ``ClientError``.
  func connectToRunning() throws(ClientError) -> DaemonConnection
}

extension DaemonAddress: ConnectionSource {}
