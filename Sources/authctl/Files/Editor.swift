import Glibc
import LocalAuthCore
import LocalAuthUnix

/// The person's editor, in the foreground of the terminal.
struct Editor {
  /// How an editor ended.
  enum Ending {
    case done
    /// With another status than 0.
    case failed
    /// The shell found none of that name, or none that can be run.
    case notRun
  }

  /// What runs, as the shell reads it.
  let command: String

  /// The editor that VISUAL or EDITOR names, or else the machine's.
  init(_ context: VerbContext) {
    let named = ["VISUAL", "EDITOR"].lazy.compactMap { context.environment[$0] }
    command = named.first { !$0.isEmpty } ?? "editor"
  }

  /// Edits the file in `directory`, where the editor also writes what it writes beside it.
  ///
  /// Signals of the terminal reach the editor; this process outlives it, to clean up. The editor has the directory's lock,
  /// too, in case this process is killed.
  func edit(in directory: borrowing EditingDirectory) throws(Failure) -> Ending {
    let environment = Self.environment(directory.path)
    let words = ["/bin/sh", "-c", "exec \(command) \"$1\"", "editor", directory.file]
    let lock = directory.descriptor.rawValue
    var child = pid_t()
    var actions = unsafe posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    var defaults = sigset_t()
    // SAFETY: attributes, actions and set live for the calls; the arrays are lent for them.
    let status = unsafe withCStrings(words) { words in
      unsafe withCStrings(environment) { environment in
        unsafe posix_spawnattr_init(&attributes)
        unsafe sigemptyset(&defaults)
        for number in Interruption.deadly { unsafe sigaddset(&defaults, number) }
        unsafe posix_spawnattr_setsigdefault(&attributes, &defaults)
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
        unsafe posix_spawn_file_actions_init(&actions)
        // In its own place it stays open in the child.
        unsafe posix_spawn_file_actions_adddup2(&actions, lock, lock)
        defer {
          unsafe posix_spawn_file_actions_destroy(&actions)
          unsafe posix_spawnattr_destroy(&attributes)
        }
        return unsafe posix_spawn(&child, "/bin/sh", &actions, &attributes, words, environment)
      }
    }
    guard status == 0 else { throw Failure(.usage, errno: status, "The editor cannot be run") }
    var exit: Int32 = 0
    // SAFETY: the number lives for the call.
    while unsafe waitpid(child, &exit, 0) < 0, errno == EINTR {}
    // The status as wait(2) has it: what the shell says of a command stands in the second byte.
    switch exit {
    case 0: return .done
    case 126 << 8, 127 << 8: return .notRun
    default: return .failed
    }
  }

  /// This process's environment, with the directory for temporary files.
  private static func environment(_ directory: String) -> [String] {
    var found: [String] = []
    var next = unsafe environ
    // SAFETY: `environ` is an array of C strings that ends with nil; nothing changes it meanwhile.
    while let text = unsafe next.pointee {
      let variable = unsafe String(cString: text)
      if !variable.hasPrefix("TMPDIR=") { found.append(variable) }
      unsafe next += 1
    }
    return found + ["TMPDIR=\(directory)"]
  }
}
