import CLocalAuthLinux
import Glibc
import Synchronization

/// The part of an ``EventLoop`` that any thread may use.
public final class LoopHandle: Sendable {
  private struct Mailbox: ~Copyable {
    var bodies: [@Sendable () -> Void] = []
    var wantsStop = false
    var isOpen = true
    /// Whether the counter was incremented since the loop last emptied the mailbox.
    var isRung = false
  }

  private let mailbox = Mutex(Mailbox())
  private let owner = Atomic<UInt>(0)
  let counter: FileDescriptor

  init() throws(SystemError) {
    counter = FileDescriptor(owning: try SystemError.check(la_counter_create(false), "eventfd"))
  }

  /// Runs `body` on the loop's thread, after everything that this thread posted before.
  ///
  /// May be called from any thread, also before the loop runs. If the loop is gone, `body` is
  /// dropped. Its captures must be `Sendable`; wrap others in ``LoopBound``.
  public func post(_ body: @escaping @Sendable () -> Void) {
    ring { mailbox in if mailbox.isOpen { mailbox.bodies.append(body) } }
  }

  /// Makes ``EventLoop/run()`` return after the current turn; may be called from any thread.
  public func stop() {
    ring { mailbox in mailbox.wantsStop = true }
  }

  /// Whether the calling thread is the one that runs the loop.
  public var isCurrent: Bool { owner.load(ordering: .relaxed) == Self.thread }

  func becomeCurrent() { owner.store(Self.thread, ordering: .relaxed) }

  /// Takes everything posted so far, and whether a stop was requested.
  func collect() -> (bodies: [@Sendable () -> Void], wantsStop: Bool) {
    // Reset the counter before emptying the mailbox: afterwards, the reset could swallow a new
    // ring.
    _ = la_counter_read(counter.rawValue)
    return mailbox.withLock { mailbox in
      defer {
        mailbox.bodies = []
        mailbox.wantsStop = false
        mailbox.isRung = false
      }
      return (mailbox.bodies, mailbox.wantsStop)
    }
  }

  /// Drops the posted bodies and all later ones.
  func close() {
    let dropped = mailbox.withLock { mailbox in
      mailbox.isOpen = false
      defer { mailbox.bodies = [] }
      return mailbox.bodies
    }
    // Released outside the lock: a capture's deinit may post.
    withExtendedLifetime(dropped) {}
  }

  private func ring(_ change: (inout sending Mailbox) -> Void) {
    let wasSilent = mailbox.withLock { mailbox in
      change(&mailbox)
      defer { mailbox.isRung = true }
      return !mailbox.isRung
    }
    // One ring is enough until the mailbox is emptied, and each costs a system call.
    if wasSilent { _ = la_counter_add(counter.rawValue, 1) }
  }

  private static var thread: UInt { UInt(pthread_self()) }
}
