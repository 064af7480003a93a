import LocalAuth
import LocalAuthClient
import LocalAuthUnix
import LocalAuthWire
import Synchronization

/// The thread that hears what others change in a container, from the first listener on.
final class DocumentFollower: Sendable {
  private struct State {
    var listeners = ChangeListeners<DocumentChange>()
    var isRunning = false
    /// Whether the service tells what is changed, so that who comes later only has to list.
    var isFollowing = false
    var isEnding = false
  }

  /// How long to wait before the service is looked for again.
  private static let pause = Duration.seconds(1)

  private let state = Mutex(State())
  private let place: Result<DocumentService, AuthError>
  private let wakeUp: WakeUp?

  init(_ place: Result<DocumentService, AuthError>) {
    self.place = place
    wakeUp = try? WakeUp()
  }

  /// Ends the thread.
  func end() {
    let listeners = state.withLock { state in
      state.isEnding = true
      return state.listeners
    }
    wakeUp?.ring()
    listeners.finish()
  }

  func changes() -> AsyncStream<DocumentChange> {
    ChangeListeners.stream { continuation in
      let number = state.withLock { state in
        if state.isFollowing { continuation.yield(.all) }
        return state.listeners.add(continuation)
      }
      begin()
      return { [weak self] in self?.state.withLock { $0.listeners.remove(number) } }
    }
  }

  func onChange(_ body: @escaping @Sendable (DocumentChange) -> Void) {
    let isFollowing = state.withLock { state in
      state.listeners.add(body)
      return state.isFollowing
    }
    if isFollowing { body(.all) }
    begin()
  }

  // MARK: The thread

  private func begin() {
    let isFirst = state.withLock { state in
      defer { state.isRunning = true }
      return !state.isRunning && !state.isEnding
    }
    guard isFirst, let wakeUp else { return }
    _ = try? SystemThread(name: "localauth-docs") { [self] in run(wakeUp) }
  }

  private func run(_ wakeUp: WakeUp) {
    while !state.withLock({ $0.isEnding }) {
      do throws(ClientError) { try follow(wakeUp) } catch {
        state.withLock { $0.isFollowing = false }
        wakeUp.wait(until: .after(Self.pause))
      }
    }
  }

  /// Tells what is changed until the container is let go; throws when the service is away.
  private func follow(_ wakeUp: WakeUp) throws(ClientError) {
    guard case .success(let place) = place else { throw .unreachable("no device is named") }
    var stream = try place.source.connectToRunning()
    try stream.begin(Methods.watchDocuments, place.address.watch)
    while true {
      wakeUp.clear()
      guard !state.withLock({ $0.isEnding }) else { return }
      while try stream.wait(alsoFor: [], until: .after(.zero)).isSocketReady {
        let (reply, continues) = try stream.next(Methods.watchDocuments)
        guard continues else { throw .protocolError("a watch that ended") }
        tell(DocumentChange(reply))
      }
      _ = try stream.wait(alsoFor: [wakeUp.descriptor], until: nil)
    }
  }

  private func tell(_ change: DocumentChange) {
    let listeners = state.withLock { state in
      state.isFollowing = true
      return state.listeners
    }
    listeners.tell(change)
  }
}
