import CLocalAuthLinux
import Glibc

/// Hardens a process that holds keys, before it opens anything or starts a thread.
public enum ProcessHardening {
  /// Hides this process's memory from other processes of its user and keeps it out of core files.
  ///
  /// Also makes new files private, ignores SIGPIPE and raises the descriptor limit.
  /// - Throws: the first step that failed; do not continue then.
  public static func apply() throws(SystemError) {
    _ = try SystemError.check(la_forbid_dumps(), "prctl")
    // On a crash the Swift runtime starts a debugger that prints memory, which here holds secrets.
    _ = try SystemError.check(la_die_quietly(), "sigaction")
    umask(0o077)
    // A peer that closes early fails one send and must not end the daemon.
    _ = try SystemError.check(la_ignore_broken_pipes(), "sigaction")
    _ = try SystemError.check(la_raise_descriptor_limit(), "setrlimit")
  }

  /// Lets this process have so many bytes of memory that it writes to; it ends where it needs more.
  ///
  /// For a program whose peers it cannot trust to send little.
  /// - Throws: if the system does not take the limit.
  public static func limitMemory(to bytes: Int) throws(SystemError) {
    _ = try SystemError.check(la_limit_memory(bytes), "setrlimit")
  }

  /// Lets this process compute for so many seconds of its processor from now on.
  ///
  /// Then it ends; 0 takes the limit away. For a call into a library that computes for as long as a peer asks it to, and looks at no clock meanwhile.
  /// - Throws: if the system does not take the limit.
  public static func limitComputing(to seconds: Int) throws(SystemError) {
    _ = try SystemError.check(la_limit_computing(Int32(clamping: seconds)), "setitimer")
  }
}
