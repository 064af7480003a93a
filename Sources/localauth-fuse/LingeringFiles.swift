import LocalAuthUnix
import Synchronization

/// Files that nobody has open any more, and that stay open for a moment: many are opened again, and the service
/// is asked for their keys once.
final class LingeringFiles: Sendable {
  private struct State {
    /// The files, the one that was closed first in front; each once.
    var queue: [Node] = []
    /// When each is closed.
    var ends: [UInt64: Deadline] = [:]
    /// Those whose pages the kernel is to forget.
    var forgotten: Set<UInt64> = []

    var first: Deadline? { queue.first.flatMap { ends[$0.number] } }
  }

  /// How long a file stays open, and how many do.
  private static let patience = Duration.seconds(1)
  private static let most = 512

  private let state = Mutex(State())
  private let wakeUp: WakeUp

  init() throws(SystemError) { wakeUp = try WakeUp() }

  /// Begins to close them, on a thread that lives as long as the process.
  func start(_ session: MountSession) throws(SystemError) {
    _ = try SystemThread(name: "localauth-close") { [self] in
      while true {
        wakeUp.wait(until: state.withLock { $0.first })
        for number in state.withLock({ exchange(&$0.forgotten, with: []) }) {
          session.forgetPages(of: number)
        }
        closeExpired()
      }
    }
  }

  /// Has the kernel forget the content of a file.
  ///
  /// It waits for pages that a program is reading, so that no thread may ask for it that answers reads.
  func forgetPages(of number: UInt64) {
    state.withLock { _ = $0.forgotten.insert(number) }
    wakeUp.ring()
  }

  /// Closes `node` in a moment, unless somebody opens it until then.
  func add(_ node: Node) {
    let isUrgent = state.withLock { state in
      if state.ends.updateValue(.after(Self.patience), forKey: node.number) == nil {
        state.queue.append(node)
      }
      return state.queue.count == 1 || state.queue.count > Self.most
    }
    if isUrgent { wakeUp.ring() }
  }

  private func closeExpired() {
    let expired = state.withLock { state in
      var expired: [Node] = []
      // One that was opened and closed again meanwhile is as new as the others behind it.
      for node in state.queue {
        let isLate = state.ends[node.number]?.hasPassed ?? true
        guard isLate || state.queue.count - expired.count > Self.most else { continue }
        state.ends[node.number] = nil
        expired.append(node)
      }
      state.queue.removeAll { state.ends[$0.number] == nil }
      return expired
    }
    for node in expired { node.close() }
  }
}
