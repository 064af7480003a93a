import LocalAuthCore
import LocalAuthSecret
import LocalAuthUnix
import LocalAuthWire

/// The methods of `io.localauth.Daemon`.
enum DaemonMethods {
  static let handlers = [
    Handler(Methods.daemonStatus, status),
    Handler(Methods.reloadDaemon, reload),
    Handler(Methods.stopDaemon, stop),
  ]

  private static func status(_: ServiceMessages.Empty, _ call: borrowing Call) {
    var reply = DaemonMessages.StatusReply()
    reply.daemon = DaemonMessages.Daemon(call.server)
    call.reply(reply)
  }

  private static func reload(_: ServiceMessages.Empty, _ call: borrowing Call) {
    var reply = DaemonMessages.ReloadReply()
    reply.problems = call.server.reload()
    call.reply(reply)
  }

  private static func stop(
    _: ServiceMessages.Empty,
    _ call: borrowing Call
  ) throws(WireError) {
    guard let stop = call.server.onStop else {
      throw .notPermitted("The service is part of a program, and ends with it.")
    }
    call.reply(ServiceMessages.Empty())
    stop()
  }
}

extension DaemonMessages.Daemon {
  /// The wire form of the service's state.
  init(_ server: Server) {
    self.init()
    version = server.description.version
    pid = Int64(server.description.pid)
    uptimeSeconds = (SystemClock.bootNow() - server.started).components.seconds
    connections = Int64(server.connectionCount)
    memoryLocked = Secret.isLocked
    storage = server.description.storage
    socket = server.description.socket
  }
}
