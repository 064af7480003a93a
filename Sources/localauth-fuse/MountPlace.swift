import CLocalAuthFuse
import Glibc
import LocalAuthCore
import LocalAuthUnix

/// Why nothing is mounted: one sentence, and the exit status that says which kind.
struct MountFailure: Error {
  let outcome: OutcomeCode
  let sentence: String

  init(_ outcome: OutcomeCode, _ sentence: String) {
    self.outcome = outcome
    self.sentence = sentence
  }

  /// The failure of the system call that was made last.
  static func ofLastCall(_ call: String, _ path: String) -> MountFailure {
    MountFailure(.usage, "\(SystemError(call, code: errno, subject: path)).")
  }
}

/// The directory with protected files, and the one where their content is shown.
struct MountPlace: ~Copyable {
  /// The directory, which nobody else mounts meanwhile.
  let directory: FileDescriptor
  /// What keeps others from mounting one in it, or one that it is in.
  let marks: MountMarks
  let directoryPath: String
  let mountpoint: String

  /// Checks both.
  init(_ directory: String, at mountpoint: String) throws(MountFailure) {
    let (source, target) = (try Self.realPath(directory), try Self.realPath(mountpoint))
    guard !Self.isWithin(source, target), !Self.isWithin(target, source) else {
      throw MountFailure(.usage, "\(directory) and \(mountpoint) are not beside each other.")
    }
    let opened = try Self.own(source)
    try Self.checkIsShownByNone(opened, source)
    try Self.checkIsEmpty(target)
    guard flock(opened.rawValue, LOCK_EX | LOCK_NB) == 0 else {
      throw MountFailure(.busy, "\(directory) is mounted already.")
    }
    guard let marks = MountMarks(of: opened, at: source) else {
      throw MountFailure(.busy, "A directory in \(directory), or above it, is mounted already.")
    }
    self.directory = opened
    self.marks = marks
    directoryPath = source
    self.mountpoint = target
  }

  /// Opens a directory of the caller's, in which nobody else can exchange files.
  private static func own(_ path: String) throws(MountFailure) -> FileDescriptor {
    // SAFETY: the string is a C string for the duration of the call.
    let opened = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard opened >= 0 else { throw .ofLastCall("open", path) }
    let directory = FileDescriptor(owning: opened)
    var status = stat()
    // SAFETY: the structure lives for the call.
    guard unsafe fstat(opened, &status) == 0 else { throw .ofLastCall("stat", path) }
    guard status.st_uid == geteuid() else {
      throw MountFailure(.notPermitted, "\(path) belongs to another user.")
    }
    guard !StateDirectory.contains(directory) else {
      throw MountFailure(
        .notPermitted,
        "\(path) has LocalAuth's own state: name another directory."
      )
    }
    guard status.st_mode & 0o022 == 0 else {
      throw MountFailure(.notPermitted, "Others can exchange what is in \(path): run chmod go-w.")
    }
    return directory
  }

  /// Throws if a directory is itself shown by a mount: what is made there is protected already.
  private static func checkIsShownByNone(
    _ directory: borrowing FileDescriptor,
    _ path: String
  ) throws(MountFailure) {
    let mount: MountTable.Mount?
    do throws(SystemError) {
      mount = try MountTable.current().mount(holding: directory.rawValue)
    } catch { throw MountFailure(.internalError, "\(error).") }
    guard let mount else { return }
    throw MountFailure(.busy, "\(path) shows the files in \(mount.directory): name that directory.")
  }

  private static func checkIsEmpty(_ path: String) throws(MountFailure) {
    let directory = try own(path)
    var isEmpty = true
    do throws(SystemError) {
      try directory.forEachName { _ in
        isEmpty = false
        return false
      }
    } catch { throw MountFailure(.usage, "\(error).") }
    guard isEmpty else { throw MountFailure(.usage, "\(path) is not empty.") }
  }

  /// Whether `path` is `other`, or below it.
  private static func isWithin(_ path: String, _ other: String) -> Bool {
    path == other || path.hasPrefix(other == "/" ? "/" : other + "/")
  }

  private static func realPath(_ path: String) throws(MountFailure) -> String {
    // SAFETY: realpath allocates the C string, which is copied and freed here.
    guard let resolved = unsafe realpath(path, nil) else { throw .ofLastCall("open", path) }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }
}
