import LocalAuthCore
public import LocalAuthKeychain

/// What the lock of a device means for the data that its keys protect.
public struct LockReport: Hashable, Sendable {
  /// The state of the device.
  public let state: DeviceState
  /// How long the keys of an unlocked device stay; nil unless the device was locked a moment ago.
  public let timeLeft: Duration?

  /// What the lock of `device` means now.
  init(_ device: LiveDevice, clock: any Scheduling) {
    let now = device.now(clock.now()).boot
    state = device.keybag.deviceState(at: now)
    let end = state == .lockedInGrace ? device.keybag.graceEnd : nil
    timeLeft = end.map { $0 - now }
  }
}

/// Reports the lock of one device until it is ended; for the engine's thread.
public final class LockWatch {
  private weak var device: LiveDevice?
  private var onReport: (LockReport?) -> Void
  private let clock: any Scheduling
  private var told: DeviceState?

  init(
    _ device: LiveDevice,
    clock: any Scheduling,
    _ onReport: @escaping (LockReport?) -> Void
  ) {
    self.device = device
    self.clock = clock
    self.onReport = onReport
  }

  /// Reports the state if it is another one than was reported last.
  fileprivate func look() {
    guard let device else { return }
    let report = LockReport(device, clock: clock)
    guard report.state != told else { return }
    told = report.state
    onReport(report)
  }

  /// Reports that the device is gone, and nothing afterwards.
  func deviceIsGone() {
    let last = onReport
    onReport = { _ in }
    last(nil)
  }

  /// Ends the watch; nothing is reported afterwards.
  public func end() {
    device?.lockWatches.remove(self)
    onReport = { _ in }
  }
}

/// The watches of one device's lock.
///
/// What is told may end a watch, so nothing is told while the list is being changed.
struct LockWatches {
  private var watches: [LockWatch] = []

  mutating func add(_ watch: LockWatch) { watches.append(watch) }
  mutating func remove(_ watch: LockWatch) { watches.removeAll { $0 === watch } }

  /// Reports what has changed.
  func look() { for watch in watches { watch.look() } }

  /// Takes all of them, because the device is gone.
  mutating func takeAll() -> [LockWatch] {
    defer { watches = [] }
    return watches
  }
}

extension Engine {
  /// Reports the lock of the caller's device to `onReport`: at once, after each change, and nil once the
  /// device is gone.
  public func watchLock(
    of name: String?,
    caller: Caller,
    onReport: @escaping (LockReport?) -> Void
  ) throws(EngineError) -> LockWatch {
    let device = try device(named: name, of: caller)
    let watch = LockWatch(device, clock: clock, onReport)
    device.lockWatches.add(watch)
    watch.look()
    return watch
  }

  /// The lock of the caller's device.
  public func lockReport(of name: String?, caller: Caller) throws(EngineError) -> LockReport {
    LockReport(try device(named: name, of: caller), clock: clock)
  }
}
