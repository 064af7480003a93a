import Glibc

/// Starts programs.
enum Program {
  enum Exit: Equatable {
    case status(Int32)
    case signal(Int32)
    case notStarted(errno: Int32)
  }

  /// Starts a program that leads a process group of its own; `descriptor` becomes its descriptor
  /// `number`.
  static func start(
    _ path: String,
    _ arguments: [String],
    descriptor: Int32? = nil,
    as number: Int32 = 3,
    environment: [String] = ["PATH=/usr/sbin:/usr/bin:/sbin:/bin"]
  ) -> Result<pid_t, Failure> {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    if let descriptor { unsafe posix_spawn_file_actions_adddup2(&actions, descriptor, number) }
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
    var process: pid_t = 0
    let texts = unsafe ([path] + arguments + environment).map { unsafe strdup($0) }
    defer { for index in unsafe texts.indices { unsafe free(texts[index]) } }
    let words = unsafe texts[...arguments.count] + [nil]
    let variables = unsafe texts[(arguments.count + 1)...] + [nil]
    let code = unsafe posix_spawn(
      &process,
      path,
      &actions,
      &attributes,
      Array(words),
      Array(variables)
    )
    return code == 0 ? .success(process) : .failure(Failure(errno: code))
  }

  /// Waits for a started program.
  static func wait(_ process: pid_t) -> Exit {
    var status: Int32 = 0
    while unsafe waitpid(process, &status, 0) < 0 {
      guard errno == EINTR else { return .notStarted(errno: errno) }
    }
    return status & 0x7F == 0 ? .status((status >> 8) & 0xFF) : .signal(status & 0x7F)
  }

  /// Runs a program to its end.
  static func run(_ path: String, _ arguments: [String], descriptor: Int32? = nil) -> Exit {
    switch start(path, arguments, descriptor: descriptor, as: STDIN_FILENO) {
    case .success(let process): wait(process)
    case .failure(let failure): .notStarted(errno: failure.errno)
    }
  }

  struct Failure: Error {
    let errno: Int32
  }
}
