import Glibc

/// The program that this process runs.
public enum ThisProgram {
  /// The directory that its file really lies in, or nil when the kernel does not say.
  public static var directory: String? {
    // SAFETY: realpath allocates the C string, which is copied and freed here.
    guard let resolved = unsafe realpath("/proc/self/exe", nil) else { return nil }
    defer { unsafe free(resolved) }
    let path = unsafe String(cString: resolved)
    return path.lastIndex(of: "/").map { String(path[..<$0]) }
  }

  /// How many processors are on line.
  public static var processors: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }
}
