package import Glibc

/// Tells whether the file at a path is still the same one, with the same content.
///
/// Two stamps are equal only if the path leads to the same inode and nothing was written to it or
/// changed about it. The kernel's clock for files moves in steps, so a file that changed twice
/// within one step may keep its stamp: see ``isSettled(at:)``.
public struct FileStamp: Hashable, Sendable {
  private let device: dev_t
  private let inode: ino_t
  private let size: Int64
  private let modified: Duration
  private let changed: Duration

  /// The longest step of the kernel's clock for files (10 ms at 100 Hz), with room for a busy
  /// machine.
  private static let step = Duration.milliseconds(100)

  /// The stamp of what `path` leads to; nil if that cannot be looked at, or is not there.
  public init?(of path: String) {
    var status = stat()
    // SAFETY: the string and the pointer are valid for the call.
    guard unsafe stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// The stamp of what is there, of a symbolic link itself; nil if that cannot be looked at.
  public init?(of entry: DirectoryEntry) {
    guard let status = entry.status() else { return nil }
    self.init(status)
  }

  /// The stamp of a file that is open, and of which this is the status.
  package init(_ status: stat) {
    device = status.st_dev
    inode = status.st_ino
    size = Int64(status.st_size)
    modified = Duration(status.st_mtim)
    changed = Duration(status.st_ctim)
  }

  /// Whether a change after `moment`, which the clock of the day told, would give another stamp.
  public func isSettled(at moment: Duration) -> Bool { changed + Self.step < moment }

  /// What the clock of the day tells, for ``isSettled(at:)``.
  public static func now() -> Duration {
    var time = timespec()
    // SAFETY: the pointer is valid for the call, which cannot fail for this clock.
    _ = unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Duration(time)
  }
}

extension Duration {
  fileprivate init(_ time: timespec) {
    self = .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
  }
}
