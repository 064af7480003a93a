import CLocalAuthPAM
import Glibc

extension PAMWorker {
  /// Serves an inherited descriptor: a connected socket until its end, or one connection after the
  /// other from a listening one.
  ///
  /// Only root and the worker's own user may connect, by the kernel's word; others are hung up on.
  /// Returns why it stopped.
  public static func serve(_ descriptor: Int32) -> WorkerEnding {
    guard isListening(descriptor) else {
      var worker = PAMWorker(descriptor: descriptor)
      return worker.run()
    }
    while true {
      let connection = accept(descriptor, nil, nil)
      if connection >= 0, la_pam_peer_is_trusted(connection) {
        var worker = PAMWorker(descriptor: connection)
        _ = worker.run()
      } else if connection >= 0 {
        close(connection)
      } else if errno != EINTR && errno != ECONNABORTED {
        return .failed(errno: errno)
      }
    }
  }

  private static func isListening(_ descriptor: Int32) -> Bool {
    var listens: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    // SAFETY: both variables outlive the call, and `size` is the first one's.
    let code = unsafe getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size)
    return code == 0 && listens != 0
  }
}
