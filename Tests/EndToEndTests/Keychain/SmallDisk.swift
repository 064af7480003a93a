import Glibc

/// A file system in memory that can be filled and made read-only; unmounted with the value.
final class SmallDisk: Sendable {
  let path: String
  private let scratch = Scratch()

  /// Whether this process may mount: root outside of a container that forbids it.
  static let isPossible = Machine.isRoot && (try? SmallDisk(kibibytes: 64)) != nil

  init(kibibytes: Int) throws {
    path = try scratch.makeDirectory("disk")
    try Self.run("mount", ["-t", "tmpfs", "-o", "size=\(kibibytes)k,mode=700", "tmpfs", path])
  }

  deinit { try? Self.run("umount", ["-l", path]) }

  /// Fails while something in it is open for writing, which only ended programs had.
  func makeReadOnly() throws { try Self.run("mount", ["-o", "remount,ro", path]) }
  func makeWritable() throws { try Self.run("mount", ["-o", "remount,rw", path]) }

  /// Leaves no space at all.
  func fill() throws {
    // SAFETY: the string is a C string for the length of the call.
    let ballast = unsafe open(path + "/ballast", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    guard ballast >= 0 else { throw Machine.Missing(what: "a place for ballast") }
    defer { close(ballast) }
    let block = [UInt8](repeating: 1, count: 4096)
    // SAFETY: the block is lent for the call.
    while unsafe write(ballast, block, block.count) > 0 {}
  }

  /// Gives back what ``fill()`` took.
  func empty() { Files.remove(path + "/ballast") }

  private static func run(_ program: String, _ arguments: [String]) throws {
    guard let path = Machine.find(program),
      try RunningProgram.run(path, arguments).status == 0
    else { throw Machine.Missing(what: "\(program) \(arguments)") }
  }
}
