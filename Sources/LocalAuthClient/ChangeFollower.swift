import LocalAuthUnix
public import LocalAuthWire
import Synchronization

/// The thread that hears what others change in what a group keeps, from the first listener on.
///
/// It alone tells listeners, so that each hears ``Watched/anything`` first and then every change once.
///
/// Safe to use from any thread.
public final class ChangeFollower<
  Call: WireObject & Sendable,
  Reply: WireReply & Sendable,
  Change: Sendable & Equatable
>: Sendable {
  /// What is followed, and how.
  public struct Watched: Sendable {
    /// The service.
    let source: any ConnectionSource
    /// The method that tells of changes.
    let method: RemoteMethod<Call, Reply>
    /// Its parameters.
    let call: Call
    /// The change that a reply tells of.
    let change: @Sendable (Reply) -> Change
    /// What says that anything may be another one.
    let anything: Change

    /// Follows what `method` tells when it is called with `call`.
    public init(
      _ source: any ConnectionSource,
      _ method: RemoteMethod<Call, Reply>,
      _ call: Call,
      anything: Change,
      _ change: @escaping @Sendable (Reply) -> Change
    ) {
      self.source = source
      self.method = method
      self.call = call
      self.anything = anything
      self.change = change
    }
  }

  private struct State {
    /// Who is told of each change.
    var listeners = ChangeListeners<Change>()
    /// Who came since the last look, and is told first that anything may be another one.
    var newcomers = ChangeListeners<Change>()
    var failure: ClientError?
    var isRunning = false
    var isEnding = false
  }

  private let state = Mutex(State())
  private let watched: Watched?
  private let name: String
  private let wakeUp: Result<WakeUp, SystemError>

  /// A follower whose thread is called `name`; nobody hears anything of nil.
  public init(_ watched: Watched?, name: String) {
    self.watched = watched
    self.name = name
    do throws(SystemError) { wakeUp = .success(try WakeUp()) } catch { wakeUp = .failure(error) }
  }

  /// Why changes are not heard; nil while they are, and before somebody listens.
  public var failure: ClientError? { state.withLock { $0.failure } }

  /// Ends the thread and lets go of who listens.
  public func end() {
    let listeners = state.withLock { state in
      defer { (state.listeners, state.newcomers) = (.init(), .init()) }
      state.isEnding = true
      return [state.listeners, state.newcomers]
    }
    ring()
    for listeners in listeners { listeners.finish() }
  }

  /// What others change from now on, until the follower ends.
  public func changes() -> AsyncStream<Change> {
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

  /// Calls `body` with each change from now on, on the follower's thread.
  public func onChange(_ body: @escaping @Sendable (Change) -> Void) {
    state.withLock { $0.newcomers.add(body) }
    begin()
  }

  // MARK: The thread

  private func begin() {
    guard let watched else { return }
    let isFirst = state.withLock { state in
      defer { state.isRunning = true }
      return !state.isRunning && !state.isEnding
    }
    ring()
    guard isFirst else { return }
    do throws(SystemError) {
      let wakeUp = try wakeUp.get()
      _ = try SystemThread(name: name) { [self] in run(watched, wakeUp) }
    } catch {
      // The next listener tries again.
      state.withLock { state in
        state.isRunning = false
        state.failure = .unreachable("changes cannot be followed: \(error)")
      }
    }
  }

  private func run(_ watched: Watched, _ wakeUp: WakeUp) {
    var startsService = true
    while !isEnding {
      do throws(ClientError) { try follow(watched, wakeUp, starting: &startsService) } catch {
        state.withLock { $0.failure = error }
        // The service is looked for again.
        wakeUp.wait(until: .after(.seconds(1)))
      }
    }
  }

  private func ring() { try? wakeUp.get().ring() }

  private var isEnding: Bool { state.withLock { $0.isEnding } }

  /// Tells what is changed until nobody wants it any more; throws when the service is away.
  private func follow(
    _ watched: Watched,
    _ wakeUp: WakeUp,
    starting startsService: inout Bool
  ) throws(ClientError) {
    // Whoever ended the service later on may have done so on purpose.
    defer { startsService = false }
    var stream =
      try startsService ? watched.source.connect() : watched.source.connectToRunning()
    try stream.begin(watched.method, watched.call)
    var isHeard = false
    while true {
      wakeUp.clear()
      guard !isEnding else { return }
      while !isEnding, try stream.wait(alsoFor: [], until: .after(.zero)).isSocketReady {
        let (reply, continues) = try stream.next(watched.method)
        guard continues else { throw .protocolError("a watch that ended") }
        tell(watched.change(reply), anything: watched.anything)
        isHeard = true
      }
      if isHeard { welcome(watched.anything) }
      _ = try stream.wait(alsoFor: [wakeUp.descriptor], until: nil)
    }
  }

  private func tell(_ change: Change, anything: Change) {
    let listeners = state.withLock { state in
      state.failure = nil
      // Who came hears it as its first change.
      if change == anything { state.listeners.take(&state.newcomers) }
      return state.listeners
    }
    listeners.tell(change)
  }

  /// Takes in who came since.
  private func welcome(_ anything: Change) {
    let newcomers = state.withLock { state in
      defer { state.listeners.take(&state.newcomers) }
      return state.newcomers
    }
    newcomers.tell(anything)
  }
}
