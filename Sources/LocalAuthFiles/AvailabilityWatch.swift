import LocalAuthClient
import LocalAuthCore
package import LocalAuthKeychain
import LocalAuthUnix
import LocalAuthWire
import Synchronization

/// Is told how a device's lock changes, on the thread that takes the keys: of an end that is to come at once, and
/// of everything else once the keys are gone that go with it, before anybody else hears of it.
package typealias LockObserver = @Sendable (DataAvailability) -> Void

/// A file whose key goes when the device's state demands it.
package protocol LeasedFile: AnyObject, Sendable {
  var protection: FileProtection { get }
  /// Seals what was written and wipes the key; a file without its key does nothing.
  func takeKey()
}

/// Follows the lock of a device on a thread of its own: tells who wants to know, and takes the keys of
/// open files when their time has come.
final class AvailabilityWatch: Sendable {
  private struct State {
    /// What the service said last, which decides about keys.
    var availability: DataAvailability
    /// What listeners were told last: the keys that have to be gone then are gone.
    var told: DataAvailability
    /// What listeners were not told yet.
    var news: [DataAvailability] = []
    /// What the observer was not told yet.
    var unobserved: [DataAvailability] = []
    var listeners: [UInt64: AsyncStream<DataAvailability>.Continuation] = [:]
    var nextListener: UInt64 = 0
    /// Files that were opened since the thread last looked.
    var arrived: [OpenFile] = []
    var files: [OpenFile] = []
    /// Whether the observer was told that the keys' time is over, before the service said so.
    var isEndTold = false
  }

  /// A file that is open; whoever uses it keeps it.
  private struct OpenFile {
    weak var file: (any LeasedFile)?
  }

  /// How long to wait before the service is looked for again.
  private static let pause = Duration.seconds(1)

  private let state: Mutex<State>
  private let wakeUp: WakeUp
  private let observer: LockObserver

  /// Begins to follow the lock of `device`.
  ///
  /// - Parameters:
  ///   - device: The device.
  ///   - source: How its service is reached.
  ///   - observer: Is told of each change before listeners are, on the thread.
  /// - Throws: ``FileFailure`` if the service does not tell.
  init(
    _ device: DeviceChoice,
    _ source: any ConnectionSource,
    _ observer: @escaping LockObserver = { _ in }
  ) throws(FileFailure) {
    self.observer = observer
    let place: LockStreamPlace
    do throws(ClientError) {
      let stream = try LockStream(device, try source.connect())
      state = Mutex(State(availability: stream.first, told: stream.first))
      place = LockStreamPlace(stream)
    } catch { throw FileFailure(error) }
    do throws(SystemError) {
      let wakeUp = try WakeUp()
      self.wakeUp = wakeUp
      _ = try SystemThread(name: "localauth-lock") { [weak self] in
        var stream = place.take()
        let reconnect = { () throws(ClientError) in
          try LockStream(device, try source.connectToRunning())
        }
        while let deadline = self?.look(&stream, reconnect) {
          let isWaiting: Void? = try? stream?.wait(alsoFor: wakeUp, until: deadline.time)
          if isWaiting == nil { wakeUp.wait(until: deadline.time) }
          wakeUp.clear()
        }
      }
    } catch {
      throw FileFailure(error)
    }
  }

  deinit {
    wakeUp.ring()
    for listener in state.withLock({ $0.listeners.values }) { listener.finish() }
  }

  /// How it is now.
  var current: DataAvailability { state.withLock { $0.told } }

  /// How it is now, and each change from now on.
  func changes() -> AsyncStream<DataAvailability> {
    let (stream, continuation) = AsyncStream<DataAvailability>.makeStream(
      bufferingPolicy: .bufferingNewest(8)
    )
    let number = state.withLock { state in
      state.nextListener += 1
      state.listeners[state.nextListener] = continuation
      continuation.yield(state.told)
      return state.nextListener
    }
    continuation.onTermination = { [weak self] _ in
      self?.state.withLock { $0.listeners[number] = nil }
    }
    return stream
  }

  /// Takes the key of `file`, which the service has opened just now, when its time has come.
  func add(_ file: any LeasedFile) {
    state.withLock { $0.arrived.append(OpenFile(file: file)) }
    wakeUp.ring()
  }

  // MARK: The thread

  /// When the thread looks again, at the latest.
  private struct Next {
    let time: Deadline?
  }

  /// Hears what the service says, takes the keys whose time has come, and tells who wants to know.
  ///
  /// Files that arrive are looked at only after the service was heard once more: it told of an unlock
  /// before it opened a file's key.
  private func look(
    _ stream: inout LockStream?,
    _ reconnect: () throws(ClientError) -> LockStream
  ) -> Next {
    var keys: Deadline?
    repeat {
      let arrived = addArrived()
      hear(&stream, reconnect)
      keys = takeKeys()
      observe(arrived)
    } while !tell()
    let isAlone = stream == nil
    return Next(time: [keys, isAlone ? .after(Self.pause) : nil].compactMap { $0 }.min())
  }

  private func addArrived() -> [OpenFile] {
    state.withLock { state in
      defer { state.arrived = [] }
      state.files = (state.files + state.arrived).filter { $0.file != nil }
      return state.arrived
    }
  }

  private func hear(
    _ stream: inout LockStream?,
    _ reconnect: () throws(ClientError) -> LockStream
  ) {
    do throws(ClientError) {
      if stream == nil {
        let new = try reconnect()
        heard(new.first)
        stream = consume new
      }
      while let news = try stream?.next() { heard(news) }
    } catch {
      stream = nil
      heard(.unknown)
    }
  }

  private func heard(_ availability: DataAvailability) {
    state.withLock { state in
      guard state.availability != availability else { return }
      state.availability = availability
      state.isEndTold = false
      state.news.append(availability)
      state.unobserved.append(availability)
    }
  }

  /// Tells the news; false if files have arrived meanwhile: whoever hears that the device is locked can rely on it that
  /// the keys are gone.
  private func tell() -> Bool {
    state.withLock { state in
      guard state.arrived.isEmpty else { return false }
      for availability in state.news {
        state.told = availability
        for listener in state.listeners.values { listener.yield(availability) }
      }
      state.news = []
      return true
    }
  }

  /// Takes the keys whose time has come; returns when the next one's comes.
  private func takeKeys() -> Deadline? {
    let (availability, files) = state.withLock { ($0.availability, $0.files.compactMap(\.file)) }
    let now = ContinuousClock.now
    var next: ContinuousClock.Instant?
    for file in files {
      switch availability.lease(file.protection) {
      case .stays: break
      case .ends(let end) where now < end: next = min(end, next ?? end)
      case .ends, .lost: file.takeKey()
      }
    }
    if case .ending(let end) = availability {
      if now < end { next = end } else { expire() }
    }
    return next.map { .after($0 - now) }
  }

  /// Has the observer told that the keys are gone, once, also if the service does not say so.
  private func expire() {
    state.withLock { state in
      if !state.isEndTold { state.unobserved.append(.locked) }
      state.isEndTold = true
    }
  }

  /// Tells the observer the news, and once more how it is if a file has arrived whose key was taken: somebody may
  /// have read of it meanwhile.
  private func observe(_ arrived: [OpenFile]) {
    let (availability, isOver, news) = state.withLock { state in
      defer { state.unobserved = [] }
      return (state.availability, state.isEndTold, state.unobserved)
    }
    for change in news { observer(change) }
    let now = isOver ? .locked : availability
    let isLate = arrived.contains { $0.file.map { now.lease($0.protection) == .lost } ?? false }
    if isLate, news.isEmpty { observer(now) }
  }
}
