import CLocalAuthLinux
import Glibc

/// Tells whether anybody opens a file for writing for as long as it lives; who does waits for its end.
package struct WriteLease: ~Copyable, Sendable {
  private let file: FileDescriptor

  /// How long a writer may take to close the file: a program that another thread starts holds a copy of each descriptor
  /// until its execve.
  private static let patience = Duration.milliseconds(250)

  /// Takes the lease of the file on `descriptor`, which is open for reading.
  ///
  /// - Throws: `SystemError`: EAGAIN if somebody has it open for writing, and others where there are no leases, or none for
  ///   this user.
  package init(of descriptor: Int32) throws(SystemError) {
    let deadline = Deadline.after(Self.patience)
    var status = la_lease_take(descriptor)
    while status == -EAGAIN, !deadline.hasPassed {
      // A file that is closed has no event.
      _ = poll(nil, 0, 5)
      status = la_lease_take(descriptor)
    }
    guard status == 0 else { throw SystemError("fcntl", code: -status) }
    // The lease is that of all copies of the descriptor, and ends before the last one is closed.
    file = FileDescriptor(owning: fcntl(descriptor, F_DUPFD_CLOEXEC, 0))
  }

  deinit { la_lease_end(file.rawValue) }

  /// Whether nobody has wanted to write to the file since.
  package var isWhole: Bool { la_lease_is_whole(file.rawValue) == 1 }
}
