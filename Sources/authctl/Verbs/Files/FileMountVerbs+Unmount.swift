import Glibc
import LocalAuthCore
import LocalAuthUnix

extension FileMountVerbs {
  /// How long the file system may take to seal what was written.
  private static let patience = Duration.seconds(30)

  static func unmount(_ context: VerbContext) throws(Failure) -> Report {
    let place = context.arguments[mountpoint]
    let path = try context.absolute(place) ?? place
    let table = try MountTable.seen()
    guard let mount = table.mount(at: path) ?? table.mount(at: realPath(path) ?? path) else {
      throw Failure(.usage, "No protected files are mounted at \(place).")
    }
    try unmount(mount.mountpoint, place)
    try waitForEnd(mount.directory)
    return Report("\(place) is unmounted.") {
      $0.member("directory", mount.directory)
      $0.member("mountpoint", place)
    }
  }

  private static func unmount(_ path: String, _ place: String) throws(Failure) {
    let busy = Failure(.busy, "Programs have files open at \(place): nothing was done.")
    if geteuid() == 0 {
      // SAFETY: the string is a C string for the duration of the call.
      guard unsafe umount2(path, Int32(UMOUNT_NOFOLLOW)) != 0 else { return }
      guard errno != EBUSY else { throw busy }
      throw Failure(.internalError, errno: errno, "\(place) cannot be unmounted")
    }
    guard let line = try complaint(of: "/usr/bin/fusermount3", ["-u", "--", path]) else { return }
    throw line.contains("busy") ? busy : Failure(.internalError, line)
  }

  /// Runs a program; returns the first line of what it has to say, nil if it succeeded.
  private static func complaint(
    of program: String,
    _ arguments: [String]
  ) throws(Failure) -> String? {
    do throws(SystemError) {
      let errors = try ScratchFile("")
      let request = SpawnRequest(
        executable: program,
        arguments: arguments,
        environment: ["PATH=/usr/bin:/bin", "LC_ALL=C"],
        descriptors: [.null, .null, .duplicate(of: errors.descriptor)]
      )
      var child = try ChildProcess.spawn(request)
      return try child.waitForExit() == .status(0) ? nil : errors.firstLine()
    } catch {
      throw Failure(.unreachable, "Nothing is unmounted: \(error).")
    }
  }

  /// Waits until the file system has sealed what was written, and let go of the directory.
  private static func waitForEnd(_ path: String) throws(Failure) {
    // SAFETY: the string is a C string for the duration of the call.
    let opened = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard opened >= 0 else { return }
    let directory = FileDescriptor(owning: opened)
    let deadline = Deadline.after(patience)
    while flock(directory.rawValue, LOCK_SH | LOCK_NB) != 0 {
      guard !deadline.hasPassed else {
        throw Failure(.timeout, "The file system has not let go of \(path) yet.")
      }
      // A lock has no event.
      _ = poll(nil, 0, 10)
    }
  }
}
