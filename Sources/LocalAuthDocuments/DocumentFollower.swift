import LocalAuth
import LocalAuthClient
import LocalAuthUnix
import LocalAuthWire
import Synchronization

/// The thread that hears what others change in a container, from the first listener on.
///
/// It alone tells listeners, so that each hears ``DocumentChange/all`` first and then every change once.
final class DocumentFollower: Sendable {
  private struct State {
    /// Who is told of each change.
    var listeners = ChangeListeners<DocumentChange>()
    /// Who came since the last look, and is told first that any document may be another one.
    var newcomers = ChangeListeners<DocumentChange>()
    var failure: DocumentFailure?
    var isRunning = false
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

  /// Why changes are not heard; nil while they are, and before somebody listens.
  var failure: DocumentFailure? { state.withLock { $0.failure } }

  /// Ends the thread and lets go of who listens.
  func end() {
    let listeners = state.withLock { state in
      defer { (state.listeners, state.newcomers) = (.init(), .init()) }
      state.isEnding = true
      return [state.listeners, state.newcomers]
    }
    wakeUp?.ring()
    for listeners in listeners { listeners.finish() }
  }

  func changes() -> AsyncStream<DocumentChange> {
    ChangeListeners.stream { continuation in
      let number = state.withLock { $0.newcomers.add(continuation) }
      begin()
      return { [weak self] in
        self?.state.withLock { state in
          state.newcomers.remove(number)
          state.listeners.remove(number)
        }
      }
    }
  }

  func onChange(_ body: @escaping @Sendable (DocumentChange) -> Void) {
    state.withLock { $0.newcomers.add(body) }
    begin()
  }

  // MARK: The thread

  private func begin() {
    let isFirst = state.withLock { state in
      defer { state.isRunning = true }
      return !state.isRunning && !state.isEnding
    }
    wakeUp?.ring()
    guard isFirst else { return }
    do throws(AuthError) {
      let place = try place.get()
      guard let wakeUp else {
        throw .internalError("No descriptor is left to follow changes with.")
      }
      do throws(SystemError) {
        _ = try SystemThread(name: "localauth-docs") { [self] in run(place, wakeUp) }
      } catch { throw .internalError("\(error)") }
    } catch {
      // The next listener tries again.
      state.withLock { state in
        state.isRunning = false
        state.failure = .service(error)
      }
    }
  }

  private func run(_ place: DocumentService, _ wakeUp: WakeUp) {
    var startsService = true
    while !isEnding {
      do throws(ClientError) { try follow(place, wakeUp, starting: &startsService) } catch {
        state.withLock { $0.failure = DocumentFailure(error) }
        wakeUp.wait(until: .after(Self.pause))
      }
    }
  }

  private var isEnding: Bool { state.withLock { $0.isEnding } }

  /// Tells what is changed until the container is let go; throws when the service is away.
  private func follow(
    _ place: DocumentService,
    _ wakeUp: WakeUp,
    starting startsService: inout Bool
  ) throws(ClientError) {
    // Whoever ended the service later on may have done so on purpose.
    defer { startsService = false }
    var stream =
      try startsService ? place.source.connect() : place.source.connectToRunning()
    try stream.begin(Methods.watchDocuments, place.address.watch)
    var isHeard = false
    while true {
      wakeUp.clear()
      guard !isEnding else { return }
      while !isEnding, try stream.wait(alsoFor: [], until: .after(.zero)).isSocketReady {
        let (reply, continues) = try stream.next(Methods.watchDocuments)
        guard continues else { throw .protocolError("a watch that ended") }
        tell(DocumentChange(reply))
        isHeard = true
      }
      if isHeard { welcome() }
      _ = try stream.wait(alsoFor: [wakeUp.descriptor], until: nil)
    }
  }

  private func tell(_ change: DocumentChange) {
    let listeners = state.withLock { state in
      state.failure = nil
      // Who came hears it as its first change.
      if change == .all { state.listeners.take(&state.newcomers) }
      return state.listeners
    }
    listeners.tell(change)
  }

  /// Takes in who came since.
  private func welcome() {
    let newcomers = state.withLock { state in
      defer { state.listeners.take(&state.newcomers) }
      return state.newcomers
    }
    newcomers.tell(.all)
  }
}
