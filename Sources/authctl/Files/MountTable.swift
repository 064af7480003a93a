import Glibc

/// The file systems that this process sees, as the kernel lists them.
struct MountTable {
  /// A file system of protected files.
  struct Mount: Equatable {
    /// Where it is.
    let mountpoint: String
    /// The directory whose files it shows.
    let directory: String
  }

  /// Those that `localauth-fuse` serves, the newest last.
  let mounts: [Mount]

  /// Parses the text of `/proc/self/mountinfo`.
  init(_ text: String) {
    mounts = text.split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ").map(String.init)
      guard words.count > 4, let dash = words.firstIndex(of: "-"), dash + 2 < words.count,
        words[dash + 1] == "fuse.localauth"
      else { return nil }
      return Mount(
        mountpoint: Self.unescaped(words[4]),
        directory: Self.unescaped(words[dash + 2])
      )
    }
  }

  /// The one at `path`.
  func mount(at path: String) -> Mount? { mounts.last { $0.mountpoint == path } }

  /// The kernel writes spaces and backslashes as octal numbers.
  private static func unescaped(_ word: String) -> String {
    var bytes: [UInt8] = []
    var rest = Array(word.utf8)[...]
    while let byte = rest.popFirst() {
      let digits = String(decoding: rest.prefix(3), as: UTF8.self)
      if byte == UInt8(ascii: "\\"), digits.utf8.count == 3, let value = UInt8(digits, radix: 8) {
        bytes.append(value)
        rest = rest.dropFirst(3)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
