import LocalAuth
import LocalAuthClient
import LocalAuthSync
import LocalAuthUnix
import LocalAuthWire
import Synchronization

/// The way between one program's memory of a store and the service.
///
/// A thread follows what others write, and writes what was set a moment ago. Reading and writing take turns on one
/// connection, so that what is read is never older than what was written.
final class KeyValueLine: Sendable {
  private struct State {
    var memory = KeyValueMemory()
    var failure: KeyValueFailure?
    /// When what was set is written; nil if nothing waits.
    var due: Deadline?
    var isEnding = false
    var listeners = ChangeListeners<KeyValueStoreChange>()
  }

  /// How long what was set waits for more.
  private static let delay = Duration.milliseconds(200)
  /// How long to wait before the service is looked for again.
  private static let pause = Duration.seconds(1)

  private let state = Mutex(State())
  /// The connection for reading and writing.
  private let connection = Mutex<DaemonConnection?>(nil)
  private let address: Result<Place, KeyValueFailure>
  private let wakeUp: WakeUp?

  private struct Place: Sendable {
    let address: GroupAddress
    let source: any ConnectionSource
  }

  /// Reads the store, if it can be reached, and begins to follow it.
  init(_ store: String?, _ device: Device) {
    wakeUp = try? WakeUp()
    do throws(AuthError) {
      let (choice, source) = try device.resolved()
      let writer = Int64.random(in: 0 ... .max)
      let address = GroupAddress(choice, store, writer: writer)
      self.address = .success(Place(address: address, source: source))
    } catch { address = .failure(.service(error)) }
    exchange(isThorough: false)
    // Without a thread nothing arrives by itself, and `synchronize` still does all.
    _ = try? SystemThread(name: "localauth-kv") { [self] in run() }
  }

  /// Ends the thread, once it has written what was set.
  func end() {
    let listeners = state.withLock { state in
      state.isEnding = true
      return state.listeners
    }
    wakeUp?.ring()
    listeners.finish()
  }

  // MARK: The program

  var failure: KeyValueFailure? { state.withLock { $0.failure } }
  var values: [KeyValueKey: KeyValueMemory.Zone.Value] { state.withLock { $0.memory.values } }
  func value(_ key: KeyValueKey) -> [UInt8]? { state.withLock { $0.memory.values[key]?.content } }

  func set(_ key: KeyValueKey, to list: [UInt8]?) throws(KeyValueFailure) {
    do throws(KeyValueRefusal) {
      let isFirst = try state.withLock { state throws(KeyValueRefusal) in
        try state.memory.set(key, to: list)
        guard state.due == nil, state.memory.hasUnsent else { return false }
        state.due = .after(Self.delay)
        return true
      }
      if isFirst { wakeUp?.ring() }
    } catch {
      if case .quota(let notice) = error { tell([notice]) }
      throw .overQuota
    }
  }

  func synchronize() -> Bool { exchange(isThorough: true) }

  func changes() -> AsyncStream<KeyValueStoreChange> {
    ChangeListeners.stream { continuation in
      let number = state.withLock { $0.listeners.add(continuation) }
      return { [weak self] in self?.state.withLock { $0.listeners.remove(number) } }
    }
  }

  func onChange(_ body: @escaping @Sendable (KeyValueStoreChange) -> Void) {
    state.withLock { $0.listeners.add(body) }
  }

  private func tell(_ notices: [KeyValueNotice]) {
    let listeners = state.withLock { $0.listeners }
    for notice in notices { listeners.tell(KeyValueStoreChange(notice)) }
  }

  // MARK: The service

  /// Writes what was set, and reads all where the service may have something else.
  ///
  /// - Parameter isThorough: Whether the service is asked for the number of changes.
  /// - Returns: whether that worked.
  @discardableResult
  private func exchange(isThorough: Bool) -> Bool {
    perform { (connection, address, notices) throws(ClientError) in
      if !state.withLock({ $0.memory.isLoaded }) { try read(&connection, address, &notices) }
      let isWritten = try write(&connection, address, &notices)
      let known = state.withLock { $0.memory.revision }
      // The answer to a write has told the number.
      guard known == nil || isThorough && !isWritten else { return }
      let reply = try connection.call(Methods.watchKeyValues, address.call())
      if reply.revision != known { try read(&connection, address, &notices) }
    }
  }

  /// Does `body` on the connection, tells what came of it, and keeps why it failed.
  private func perform(
    _ body: (inout DaemonConnection, GroupAddress, inout [KeyValueNotice]) throws(ClientError) ->
      Void
  ) -> Bool {
    var notices: [KeyValueNotice] = []
    var failure: KeyValueFailure?
    connection.withLock { held in
      do throws(KeyValueFailure) {
        let place = try address.get()
        do throws(ClientError) {
          var connection = if let held = held.take() { held } else { try place.source.connect() }
          try body(&connection, place.address, &notices)
          held = consume connection
        } catch { throw KeyValueFailure(error) }
      } catch { failure = error }
    }
    state.withLock { state in
      state.failure = failure
      if failure != nil, state.memory.hasUnsent { state.due = .after(Self.pause) }
    }
    tell(notices)
    return failure == nil
  }

  private func read(
    _ connection: inout DaemonConnection,
    _ address: GroupAddress,
    _ notices: inout [KeyValueNotice]
  ) throws(ClientError) {
    let read = try connection.readKeyValues(address)
    notices += state.withLock { $0.memory.read(read.values, of: nil, at: read.revision) }
  }

  /// Writes what was set; whether there was anything.
  private func write(
    _ connection: inout DaemonConnection,
    _ address: GroupAddress,
    _ notices: inout [KeyValueNotice]
  ) throws(ClientError) -> Bool {
    let unsent = state.withLock { state in
      state.due = nil
      return state.memory.takeUnsent()
    }
    guard !unsent.isEmpty else { return false }
    let refused: [String]
    do throws(ClientError) {
      let written = try connection.writeKeyValues(unsent, address)
      state.withLock { $0.memory.written(at: written.revision, isChange: written.isChange) }
      refused = written.refused
    } catch {
      state.withLock { $0.memory.writingFailed() }
      throw error
    }
    guard !refused.isEmpty else { return true }
    // Others have filled the store meanwhile: what it has counts again.
    let read = try connection.readKeyValues(of: refused, address)
    state.withLock { _ = $0.memory.read(read.values, of: refused, at: read.revision) }
    notices.append(KeyValueNotice(.quota, refused.map { KeyValueKey($0) }))
    return true
  }

  // MARK: The thread

  private func run() {
    var stream: DaemonConnection?
    while true {
      wakeUp?.clear()
      let (isEnding, isDue) = state.withLock { state in
        (state.isEnding, state.due.map { state.isEnding || $0.hasPassed } ?? false)
      }
      if isDue { exchange(isThorough: false) }
      guard !isEnding else { return }
      do throws(ClientError) {
        if stream == nil { stream = try follow() }
        while try stream?.wait(alsoFor: [], until: .after(.zero)).isSocketReady == true {
          try hear(&stream)
        }
      } catch { stream = nil }
      let next = [state.withLock { $0.due }, stream == nil ? .after(Self.pause) : nil]
        .compactMap { $0 }.min()
      wait(on: &stream, until: next)
    }
  }

  private func wait(on stream: inout DaemonConnection?, until deadline: Deadline?) {
    guard let wakeUp else {
      _ = try? stream?.wait(alsoFor: [], until: deadline ?? .after(Self.pause))
      return
    }
    let isWaiting: Void? = try? {
      () throws(ClientError) in
      _ = try stream?.wait(alsoFor: [wakeUp.descriptor], until: deadline)
    }()
    if stream == nil || isWaiting == nil { wakeUp.wait(until: deadline ?? .after(Self.pause)) }
  }

  /// Begins to follow what others write, and reads what they have written so far.
  private func follow() throws(ClientError) -> DaemonConnection? {
    guard case .success(let place) = address else { return nil }
    var stream = try place.source.connectToRunning()
    do throws(ClientError) {
      try stream.begin(Methods.watchKeyValues, place.address.call())
      let revision = try stream.next(Methods.watchKeyValues, until: .after(.seconds(30))).reply
        .revision
      let known = state.withLock { $0.memory.isLoaded ? $0.memory.revision : nil }
      guard revision != known || state.withLock({ $0.failure != nil }) else { return stream }
    } catch {
      state.withLock { $0.failure = KeyValueFailure(error) }
      throw error
    }
    guard exchange(isThorough: true) else { return nil }
    return stream
  }

  /// Hears of a change, and reads what was changed.
  private func hear(_ stream: inout DaemonConnection?) throws(ClientError) {
    guard let (reply, continues) = try stream?.next(Methods.watchKeyValues) else { return }
    guard continues, let reason = reply.reason.flatMap({ KeyValueNotice.Reason(rawValue: Int($0)) })
    else { throw .protocolError("a change without its reason") }
    guard !reply.keys.isEmpty else {
      // The device was erased: nothing is as it was.
      guard exchange(isThorough: true) else { throw .unreachable("the change cannot be read") }
      return
    }
    let isDone = perform { (connection, address, notices) throws(ClientError) in
      let read = try connection.readKeyValues(of: reply.keys, address)
      let found = state.withLock {
        $0.memory.read(read.values, of: reply.keys, at: reply.revision)
      }
      if reason == .quota {
        notices += found + [KeyValueNotice(.quota, reply.keys.map { KeyValueKey($0) })]
      } else {
        notices += found.map { KeyValueNotice($0.reason == .server ? reason : $0.reason, $0.keys) }
      }
    }
    if !isDone { throw .unreachable("the change cannot be read") }
  }
}

extension KeyValueStoreChange {
  fileprivate init(_ notice: KeyValueNotice) {
    let reason: Reason =
      switch notice.reason {
      case .server: .server
      case .initial: .initial
      case .quota: .quotaViolation
      case .account: .account
      }
    self.init(reason: reason, keys: notice.keys.map(\.text))
  }
}
