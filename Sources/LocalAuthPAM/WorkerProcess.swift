import CLocalAuthLinux
import Glibc

/// What a worker does to its own process before it loads foreign code.
public enum WorkerProcess {
  /// Closes the process to debuggers and core files, and empties what it inherited.
  ///
  /// That is the environment, signal handlers, standard input and output, and the folder. False when
  /// the system refuses; then nothing may be served.
  public static func harden() -> Bool {
    forgetSignalHandlers()
    guard la_forbid_dumps() == 0, clearenv() == 0, silence(0), silence(1) else { return false }
    umask(0o077)
    // SAFETY: the strings are constants, and no other thread reads the environment.
    return unsafe setenv("PATH", "/usr/sbin:/usr/bin:/sbin:/bin", 1) == 0 && chdir("/") == 0
  }

  /// Gives every signal its default effect.
  ///
  /// The Swift runtime answers crashes by starting a debugger that prints memory, which here holds
  /// passwords; and a module that waits for its children cannot have an ignored SIGCHLD.
  private static func forgetSignalHandlers() {
    for number in 1..<Int32(64) { signal(number, SIG_DFL) }
    var none = sigset_t()
    // SAFETY: the set is ours and outlives the calls.
    unsafe sigemptyset(&none)
    unsafe sigprocmask(SIG_SETMASK, &none, nil)
  }

  /// Points a descriptor at /dev/null: a closed one would be given to the next file opened.
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
