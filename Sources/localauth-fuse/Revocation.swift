import LocalAuthFiles
import LocalAuthUnix
import Synchronization

/// Takes the content of files from the kernel when their keys go.
///
/// The keys go first, so that nothing fills the memory again; whoever waits for the lock hears of it once both
/// are gone.
final class Revocation: Sendable {
  private let mounted = Mutex<FileTree?>(nil)

  /// Begins, once the tree is mounted.
  func begin(_ tree: FileTree) { mounted.withLock { $0 = tree } }

  /// Hears how the lock of the device changes, on the thread that takes keys.
  func heard(_ availability: DataAvailability) {
    guard let tree = mounted.withLock({ $0 }) else { return }
    if case .ending = availability {
      // What programs have written to mapped pages is sealed while the key is there; a slow disk keeps no key.
      _ = try? SystemThread(name: "localauth-pages") { Self.forgetPages(of: tree, .locked) }
    } else {
      for node in tree.nodes.all { node.keyWasTaken() }
      Self.forgetPages(of: tree, availability)
    }
  }

  /// Has the kernel forget what is not to be in memory when the device is like that.
  private static func forgetPages(of tree: FileTree, _ availability: DataAvailability) {
    guard let session = tree.session.withLock({ $0 }) else { return }
    for node in tree.nodes.all where !node.isKept(availability) {
      session.forgetPages(of: node.number)
    }
  }
}
