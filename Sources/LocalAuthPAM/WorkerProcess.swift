import CLocalAuthLinux
import Glibc

/// Hardens a worker's process before it loads foreign code.
public enum WorkerProcess {
  /// Protects the process from debuggers and core dumps, and resets what it inherited.
  ///
  /// Resets the environment, signal handlers, standard input and output, and the current directory.
  /// Returns false if the system refuses; serve nothing then.
  public static func harden() -> Bool {
    forgetSignalHandlers()
    guard la_forbid_dumps() == 0, clearenv() == 0, silence(0), silence(1) else { return false }
    umask(0o077)
    // SAFETY: the strings are constants, and no other thread reads the environment.
    return unsafe setenv("PATH", "/usr/sbin:/usr/bin:/sbin:/bin", 1) == 0 && chdir("/") == 0
  }

  /// Resets every signal to its default effect and unblocks it.
  ///
  /// On a crash the Swift runtime starts a debugger that prints memory, which here holds passwords.
  /// And a module that waits for its children needs SIGCHLD not to be ignored.
  private static func forgetSignalHandlers() {
    for number in 1..<Int32(64) { signal(number, SIG_DFL) }
    var none = sigset_t()
    // SAFETY: the set is a local variable that outlives the calls.
    unsafe sigemptyset(&none)
    unsafe sigprocmask(SIG_SETMASK, &none, nil)
  }

  /// Points a descriptor at /dev/null: the number of a closed one would go to the next file opened.
  private static func silence(_ descriptor: Int32) -> Bool {
    // SAFETY: the path is a constant.
    let null = unsafe open("/dev/null", O_RDWR)
    guard null >= 0 else { return false }
    guard null != descriptor else { return true }
    let isDone = dup2(null, descriptor) == descriptor
    close(null)
    return isDone
  }
}
