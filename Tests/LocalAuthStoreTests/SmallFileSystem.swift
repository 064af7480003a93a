import Glibc

/// A file system of its own in memory, so small that it can be filled; unmounted with the value.
final class SmallFileSystem: Sendable {
  private let directory = TemporaryDirectory()

  /// Whether this process may mount: root outside of a container that forbids it.
  static let isPossible = geteuid() == 0 && SmallFileSystem(kibibytes: 64) != nil

  init?(kibibytes: Int) {
    guard
      Self.run([
        "mount", "-t", "tmpfs", "-o", "size=\(kibibytes)k,mode=700", "tmpfs", directory.path,
      ])
    else { return nil }
  }

  deinit { _ = Self.run(["umount", "-l", directory.path]) }

  func place() -> Place { Place(at: directory.path, keeping: self) }

  /// Tries until nothing in it is open for writing: a child that another test has just forked holds
  /// everything open until its exec.
  func makeReadOnly() {
    var attempts = 0
    while attempts < 1000, !Self.run(["mount", "-o", "remount,ro", directory.path]) {
      attempts += 1
    }
  }

  /// Leaves no space at all.
  func fill() {
    let descriptor = unsafe open("\(directory.path)/ballast", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    defer { close(descriptor) }
    let block = [UInt8](repeating: 1, count: 4096)
    // SAFETY: the block is lent for the call.
    while unsafe write(descriptor, block, block.count) > 0 {}
  }

  /// Gives back what ``fill()`` took.
  func empty() { unsafe unlink("\(directory.path)/ballast") }

  private static func run(_ arguments: [String]) -> Bool {
    var child = pid_t()
    let strings = unsafe arguments.map { unsafe strdup($0) }
    defer { for index in unsafe strings.indices { unsafe free(strings[index]) } }
    var devNull = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&devNull)
    defer { unsafe posix_spawn_file_actions_destroy(&devNull) }
    unsafe posix_spawn_file_actions_addopen(&devNull, 2, "/dev/null", O_WRONLY, 0)
    // SAFETY: the argument vector ends with nil and lives for the call.
    guard unsafe posix_spawnp(&child, arguments[0], &devNull, nil, strings + [nil], environ) == 0
    else { return false }
    var status: Int32 = 0
    unsafe waitpid(child, &status, 0)
    return status == 0
  }
}
