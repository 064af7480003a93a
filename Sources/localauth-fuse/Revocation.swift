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
    // A file that is closed from now on is looked at by whoever closes it.
    tree.heard.withLock { $0 = availability }
    if case .ending(let end) = availability {
      // A disk that is slow keeps no key.
      _ = try? SystemThread(name: "localauth-pages") { Self.sealPages(of: tree, until: end) }
    } else {
      Self.forgetPages(of: tree, availability)
      for node in tree.nodes.all {
        node.keyWasTaken()
        if !node.isKept(availability) { node.close() }
      }
    }
  }

  /// Has the kernel write what programs have changed in mapped pages, while the keys are there: now, and once
  /// more shortly before their end.
  private static func sealPages(of tree: FileTree, until end: ContinuousClock.Instant) {
    forgetPages(of: tree, .locked)
    guard let wakeUp = try? WakeUp() else { return }
    wakeUp.wait(until: .after(end - .now - reserve))
    if tree.heard.withLock({ $0 }) == .ending(at: end) { forgetPages(of: tree, .locked) }
  }

  /// How long before the end pages are written once more.
  private static let reserve = Duration.milliseconds(500)

  /// Has the kernel forget what is not to be in memory when the device is like that.
  private static func forgetPages(of tree: FileTree, _ availability: DataAvailability) {
    guard let session = tree.session.withLock({ $0 }) else { return }
    for node in tree.nodes.all where !node.isKept(availability) {
      session.forgetPages(of: node.number)
    }
  }
}
