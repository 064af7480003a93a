import CLocalAuthFuse
import Glibc
import LocalAuthUnix
import Synchronization

/// The files and directories that the kernel knows, by number and by what they are.
final class NodeTable: Sendable {
  private struct Entry {
    let node: Node
    /// How often the kernel was told of it, and has not forgotten it.
    var lookups: UInt64
  }

  private struct State {
    var entries: [UInt64: Entry] = [:]
    var numbers: [FileIdentity: UInt64] = [:]
    var next = Node.root + 1
  }

  private let state: Mutex<State>

  init(_ root: Node) {
    var first = State()
    first.entries[Node.root] = Entry(node: root, lookups: 1)
    first.numbers[root.identity] = Node.root
    state = Mutex(first)
  }

  /// The node that the kernel calls `number`.
  func node(_ number: UInt64) throws(Refusal) -> Node {
    guard let entry = state.withLock({ $0.entries[number] }) else { throw Refusal(ESTALE) }
    return entry.node
  }

  /// All of them.
  var all: [Node] { state.withLock { $0.entries.values.map(\.node) } }

  /// The node of the file on `place`, of which the kernel is told once more.
  func lookup(_ place: consuming FileDescriptor, _ status: stat) -> Node {
    var place = Optional(place)
    return state.withLock { state in
      if let number = state.numbers[FileIdentity(status)], let known = state.entries[number] {
        state.entries[number]?.lookups += 1
        return known.node
      }
      guard let taken = place.take() else { preconditionFailure("a place is taken once") }
      let node = Node(state.next, taken, status)
      state.next += 1
      state.entries[node.number] = Entry(node: node, lookups: 1)
      state.numbers[node.identity] = node.number
      return node
    }
  }

  /// The kernel has forgotten as many of what it was told.
  func forget(_ number: UInt64, _ lookups: UInt64) {
    guard number != Node.root else { return }
    // What is let go of closes its descriptors after the lock.
    let gone = state.withLock { state -> Node? in
      guard var entry = state.entries[number] else { return nil }
      entry.lookups -= min(lookups, entry.lookups)
      state.entries[number] = entry
      guard entry.lookups == 0 else { return nil }
      state.entries[number] = nil
      state.numbers[entry.node.identity] = nil
      return entry.node
    }
    gone?.close()
  }
}
