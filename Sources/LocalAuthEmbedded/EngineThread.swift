package import LocalAuthClient
import LocalAuthHost
import LocalAuthUnix
import Synchronization

/// An engine inside the process: a host with its event loop, on one thread that LocalAuth owns.
///
/// Clients reach it over a socket pair with the daemon's calls. So the daemon and the engine share
/// one code path, and the kernel vouches for the caller here too. The engine ends with its last
/// reference, after joining its thread. It does not exist in a child of `fork`.
package final class EngineThread: ConnectionSource {
  private let loop: LoopHandle
  private let host: LoopBound<Host>
  private let thread: SystemThread

  /// The objects handed over to the thread.
  private struct Parts {
    let loop: EventLoop
    let host: Host
  }

  private final class Handover: Sendable {
    private let parts: Mutex<Parts?>

    init(_ parts: sending Parts) { self.parts = Mutex(parts) }

    func run() {
      let taken = parts.withLock { parts in
        defer { parts = nil }
        return parts
      }
      // When the loop ends, the host is released too, and every client's connection is closed.
      try? taken?.loop.run()
    }
  }

  /// Starts an engine whose state is kept in `directory`, or in memory if it is nil.
  init(directory: String?, _ options: HostOptions) throws(DeviceError) {
    let loop: EventLoop
    let host: Host
    do throws(HostError) {
      do throws(SystemError) { loop = try EventLoop() } catch { throw .system(error) }
      if let directory {
        host = try Host(directory: directory, on: loop, options: options)
      } else {
        host = try Host(ephemeralOn: loop, options: options)
      }
    } catch {
      throw .engine("\(error)")
    }
    // Fail early: a mistake in the entitlements would otherwise show only as items without an
    // owner.
    if let failure = host.entitlementsFailure { throw .engine(failure) }
    self.loop = loop.handle
    self.host = LoopBound(host, to: loop)
    let handover = Handover(Parts(loop: loop, host: host))
    do throws(SystemError) {
      thread = try SystemThread(name: "localauth", stackSize: Self.stackSize) { handover.run() }
    } catch {
      throw .engine("\(error)")
    }
  }

  /// As much as a main thread has, where the daemon runs its engine: a value of a store may have 128 arrays in each other,
  /// and reading one takes 300 KiB of a build that is not optimised.
  private static let stackSize = 8 << 20

  deinit {
    loop.post { [host] in host.value.shutDown() }
    loop.stop()
    thread.join()
  }

  /// Opens a connection to the engine.
  package func connect() throws(ClientError) -> DaemonConnection {
    do throws(SystemError) {
      let pair = try SocketPair()
      let peer = try PeerIdentity(of: pair.theirs.rawValue)
      let ours = pair.split { ours, theirs in
        let sent = SentDescriptor(theirs)
        loop.post { [host] in
          if let descriptor = sent.take() { host.value.accept(descriptor, peer) }
        }
        return ours
      }
      return DaemonConnection(socket: try ClientSocket(descriptor: ours))
    } catch {
      throw .unreachable("the engine inside this program cannot be reached: \(error)")
    }
  }

  /// As ``connect()``: the engine runs as long as this object exists.
  package func connectToRunning() throws(ClientError) -> DaemonConnection { try connect() }
}

/// Carries a descriptor to another thread, and closes it if it is not taken.
private final class SentDescriptor: Sendable {
  private let held: Mutex<FileDescriptor?>

  init(_ descriptor: consuming FileDescriptor) { held = Mutex(consume descriptor) }

  func take() -> FileDescriptor? { held.withLock { held in held.take() } }
}
