import CLocalAuthLinux
import Glibc

/// What a process that holds keys does first, before it opens anything or starts a thread.
public enum ProcessHardening {
  /// Makes this process's memory unreadable for other processes of its user, keeps it out of core
  /// files, makes new files private, survives peers that vanish, and lifts the descriptor limit.
  ///
  /// - Throws: the first step that the system refused; do not go on then.
  public static func apply() throws(SystemError) {
    _ = try SystemError.check(la_forbid_dumps(), "prctl")
    // The Swift runtime answers a crash with a debugger that prints memory, which here holds secrets.
    _ = try SystemError.check(la_die_quietly(), "sigaction")
    umask(0o077)
    // A peer that closes early is an error of one send, not the end of the daemon.
    _ = try SystemError.check(la_ignore_broken_pipes(), "sigaction")
    _ = try SystemError.check(la_raise_descriptor_limit(), "setrlimit")
  }
}
