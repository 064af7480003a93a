import LocalAuthCore
import LocalAuthService
import LocalAuthUnix

/// The engine's clock and timers, on the event loop.
final class LoopScheduling: Scheduling {
  /// The host keeps the loop for at least as long as the engine, which owns this object.
  private unowned let loop: EventLoop
  private let clock: SystemClock
  private var tokens: [ScheduleToken: TimerToken] = [:]
  private var last: UInt64 = 0

  init(loop: EventLoop, clock: SystemClock) {
    self.loop = loop
    self.clock = clock
  }

  func now() -> Moment { clock.now() }

  func schedule(at instant: BootInstant, _ body: @escaping () -> Void) -> ScheduleToken {
    last += 1
    let token = ScheduleToken(value: last)
    tokens[token] = loop.schedule(at: instant) { [weak self] in
      // An engine that is gone must not be called.
      guard let self else { return }
      tokens[token] = nil
      body()
    }
    return token
  }

  func cancel(_ token: ScheduleToken) {
    if let timer = tokens.removeValue(forKey: token) { loop.cancel(timer) }
  }
}
