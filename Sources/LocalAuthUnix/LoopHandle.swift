import CLocalAuthLinux
import Glibc
import Synchronization

/// The part of an ``EventLoop`` that every thread may hold.
public final class LoopHandle: Sendable {
  private struct Mailbox: ~Copyable {
    var bodies: [@Sendable () -> Void] = []
    var wantsStop = false
    var isOpen = true
    /// Whether the counter was raised since the loop last emptied the mailbox.
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
  /// Callable from any thread, also before the loop runs. When the loop is gone the body is
  /// dropped. What it captures has to be `Sendable`; ``LoopBound`` carries what is not.
  public func post(_ body: @escaping @Sendable () -> Void) {
    ring { mailbox in if mailbox.isOpen { mailbox.bodies.append(body) } }
  }

  /// Lets ``EventLoop/run()`` return after the turn it is in; callable from any thread.
  public func stop() {
    ring { mailbox in mailbox.wantsStop = true }
  }

  /// Whether the calling thread is the one that runs the loop.
  public var isCurrent: Bool { owner.load(ordering: .relaxed) == Self.thread }

  func becomeCurrent() { owner.store(Self.thread, ordering: .relaxed) }

  /// Everything posted so far, and whether somebody asked for a stop.
  func collect() -> (bodies: [@Sendable () -> Void], wantsStop: Bool) {
    // The counter is read before the mailbox is emptied, so a body posted in between rings again.
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

  /// Drops what is posted, now and later.
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
    // One ring is enough until the loop has emptied the mailbox; the write costs a system call.
    if wasSilent { _ = la_counter_add(counter.rawValue, 1) }
  }

  private static var thread: UInt { UInt(pthread_self()) }
}
