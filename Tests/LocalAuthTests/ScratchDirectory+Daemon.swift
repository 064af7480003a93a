import Glibc
import LocalAuthClient
import LocalAuthTestSupport
import LocalAuthUnix
import LocalAuthWire

extension ScratchDirectory {
  /// Ends the daemon that was started here, and waits until it is gone.
  func stopDaemon(_ address: DaemonAddress) {
    guard var connection = try? address.connectToRunning(),
      let reply = try? connection.call(Methods.status, DeviceMessages.DeviceCall())
    else { return }
    kill(pid_t(reply.daemon.pid), SIGTERM)
    // The connection closes when the process is gone.
    _ = try? connection.call(Methods.status, DeviceMessages.DeviceCall())
    while (try? connection.wait(alsoFor: [], until: nil))?.isSocketReady == false {}
  }
}
