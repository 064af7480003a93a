import Foundation

/// A program in a pseudo terminal of its own, and what it shows.
final class PseudoTerminal {
  /// What was shown, and not looked for yet.
  private var screen = Data()
  /// The number of the program's process.
  let process: pid_t
  private let descriptor: Int32

  /// `TIOCSPTLCK` and `TIOCGPTN`, which Swift does not see.
  private static let (setLock, getNumber): (UInt, UInt) = (0x4004_5431, 0x8004_5430)

  /// `POSIX_SPAWN_SETSID`, likewise.
  private static let newSession: Int16 = 0x80

  /// What went wrong.
  struct Failure: Error, CustomStringConvertible { let description: String }

  /// Starts a program, which has this environment and nothing else.
  init(_ words: [String], _ environment: [String: String]) throws {
    descriptor = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var (locked, number): (Int32, UInt32) = (0, 0)
    guard descriptor >= 0, ioctl(descriptor, Self.setLock, &locked) == 0,
      ioctl(descriptor, Self.getNumber, &number) == 0
    else { throw Failure(description: "no pseudo terminal") }
    let name = "/dev/pts/\(number)"
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    // The first terminal that the leader of a session opens is the session's.
    posix_spawn_file_actions_addopen(&actions, 0, name, O_RDWR, 0)
    for stream in [Int32(1), 2] { posix_spawn_file_actions_adddup2(&actions, 0, stream) }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    // This thread may block signals, which the program must not inherit.
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Self.newSession | Int16(POSIX_SPAWN_SETSIGMASK))
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    let arguments = words.map { strdup($0) } + [nil]
    let variables = environment.map { strdup("\($0)=\($1)") } + [nil]
    defer { for text in arguments + variables { free(text) } }
    var started: pid_t = 0
    guard posix_spawn(&started, words[0], &actions, &attributes, arguments, variables) == 0 else {
      throw Failure(description: "\(words[0]) does not start")
    }
    process = started
  }

  deinit {
    close(descriptor)
    kill(process, SIGKILL)
    var status: Int32 = 0
    waitpid(process, &status, 0)
  }

  /// Types a text.
  func type(_ text: String) {
    let bytes = Array(text.utf8)
    _ = write(descriptor, bytes, bytes.count)
  }

  /// Types a line.
  func enter(_ line: String) { type(line + "\n") }

  /// Types a line once the program has shown `words`.
  func answer(_ words: String, _ line: String) throws {
    try wait(for: words)
    enter(line)
  }

  /// Waits until the program shows `words`, and returns what it showed until then.
  @discardableResult
  func wait(for words: String) throws -> String {
    let deadline = ContinuousClock.now + .seconds(30)
    while true {
      if let found = screen.range(of: Data(words.utf8)) {
        let before = String(decoding: screen[..<found.lowerBound], as: UTF8.self)
        screen = Data(screen[found.upperBound...])
        return before
      }
      var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      var bytes = [UInt8](repeating: 0, count: 4096)
      guard ContinuousClock.now < deadline, poll(&waiting, 1, 30_000) == 1,
        case let count = read(descriptor, &bytes, bytes.count), count > 0
      else {
        let rest = String(decoding: screen, as: UTF8.self)
        throw Failure(description: "'\(words)' does not come after: \(rest)")
      }
      screen += bytes.prefix(count)
    }
  }

  /// Waits until the program stops or ends; its status as `waitpid` has it.
  func waitForChange() -> Int32 {
    var status: Int32 = 0
    waitpid(process, &status, WUNTRACED)
    return status
  }

  /// Whether the memory of the program has a text.
  func hasInMemory(_ text: String) throws -> Bool {
    let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: "/proc/\(process)/maps"))
    var maps = Data()
    while let more = try handle.read(upToCount: 4096), !more.isEmpty { maps += more }
    let memory = open("/proc/\(process)/mem", O_RDONLY | O_CLOEXEC)
    defer { close(memory) }
    for line in String(decoding: maps, as: UTF8.self).split(separator: "\n") {
      let words = line.split(separator: " ", maxSplits: 2)
      let ends = words[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
      guard words[1].hasPrefix("rw") else { continue }
      var room = Data(count: Int(ends[1] - ends[0]))
      let size = room.count
      let got = room.withUnsafeMutableBytes { pread(memory, $0.baseAddress, size, off_t(ends[0])) }
      if got > 0, room.range(of: Data(text.utf8)) != nil { return true }
    }
    return false
  }
}
