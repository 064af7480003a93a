package import LocalAuthClient
import LocalAuthHost
import LocalAuthUnix
import Synchronization

/// An engine inside the process: a host with its event loop, on one thread that LocalAuth owns.
///
/// Clients reach it over a socket pair, with the calls that a daemon answers, so that there is one
/// way through the code and the caller is the kernel's word here too. It ends with the last
/// reference, and waits for its thread then; a child of `fork` has none.
package final class EngineThread: ConnectionSource {
  private let loop: LoopHandle
  private let host: LoopBound<Host>
  private let thread: SystemThread

  /// What the thread takes over.
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
      // Without its loop the host goes too, and every client finds its connection closed.
      try? taken?.loop.run()
    }
  }

  /// Starts an engine whose state is kept in `directory`, or in memory with nil.
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
    // A mistake in it would show as items that are nobody's.
    if let failure = host.entitlementsFailure { throw .engine(failure) }
    self.loop = loop.handle
    self.host = LoopBound(host, to: loop)
    let handover = Handover(Parts(loop: loop, host: host))
    do throws(SystemError) {
      thread = try SystemThread(name: "localauth") { handover.run() }
    } catch {
      throw .engine("\(error)")
    }
  }

  deinit {
    loop.post { [host] in host.value.shutDown() }
    loop.stop()
    thread.join()
  }

  /// A connection whose other end the engine serves.
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

  /// The same: the engine runs for as long as it is there.
  package func connectToRunning() throws(ClientError) -> DaemonConnection { try connect() }
}

/// Carries a descriptor to another thread; one that nobody takes is closed.
private final class SentDescriptor: Sendable {
  private let held: Mutex<FileDescriptor?>

  init(_ descriptor: consuming FileDescriptor) { held = Mutex(consume descriptor) }

  func take() -> FileDescriptor? { held.withLock { held in held.take() } }
}
