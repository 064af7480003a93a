import CLocalAuthLinux
import Glibc

extension PAMWorker {
  /// Serves an inherited descriptor: a connected socket until its end, or one connection after the
  /// other from a listening one.
  ///
  /// Only root and the worker's own user may connect, by the kernel's word; others are hung up on.
  /// Returns why it stopped.
  public static func serve(_ descriptor: Int32) -> WorkerEnding {
    guard la_socket_is_listener(descriptor) == 1 else {
      var worker = PAMWorker(descriptor: descriptor)
      return worker.run()
    }
    while true {
      let connection = la_socket_accept(descriptor)
      if connection >= 0, isTrusted(connection) {
        var worker = PAMWorker(descriptor: connection)
        _ = worker.run()
      } else if connection >= 0 {
        close(connection)
      } else if connection != -EINTR && connection != -ECONNABORTED {
        return .failed(errno: -connection)
      }
    }
  }

  private static func isTrusted(_ connection: Int32) -> Bool {
    var peer = la_peer()
    // SAFETY: `peer` outlives the call that fills it.
    guard unsafe la_peer_credentials(connection, &peer) >= 0 else { return false }
    return peer.uid == 0 || peer.uid == geteuid()
  }
}
