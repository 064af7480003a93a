import Glibc

/// The program that this process runs.
public enum ThisProgram {
  /// The directory of the program's file, with symbolic links resolved; nil if it is unknown.
  public static var directory: String? {
    // SAFETY: realpath allocates the C string, which is copied and freed here.
    guard let resolved = unsafe realpath("/proc/self/exe", nil) else { return nil }
    defer { unsafe free(resolved) }
    let path = unsafe String(cString: resolved)
    return path.lastIndex(of: "/").map { String(path[..<$0]) }
  }

  /// The number of online processors.
  public static var processors: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }
}
