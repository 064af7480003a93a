import Glibc
import LocalAuthCore
import LocalAuthSecret

/// Reads a whole file or stream into secret memory: a script, which may hold a passcode, or a secret.
enum SecretFile {
  /// The longest script and the longest secret of an item, in bytes.
  static let limit = 64 * 1024

  /// All that the file at `path` holds.
  static func read(path: String) throws(Failure) -> Secret {
    // SAFETY: the string is a C string for the length of the call.
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else {
      throw Failure(.usage, errno: errno, "The script file cannot be opened")
    }
    defer { close(descriptor) }
    return try read(descriptor)
  }

  /// All that can be read from `descriptor`, which is a `what`.
  static func read(_ descriptor: Int32, as what: String = "script") throws(Failure) -> Secret {
    var text = Secret(capacity: limit + 1)
    var hasEnded = false
    while !hasEnded, text.count <= limit {
      // SAFETY: at most the room behind what is in use is filled.
      let number = unsafe text.withUnsafeMutableBytes { room, used in
        let free = unsafe UnsafeMutableRawBufferPointer(rebasing: room[used...])
        let count = unsafe Glibc.read(descriptor, free.baseAddress, free.count)
        hasEnded = count == 0
        used += max(count, 0)
        return count < 0 ? errno : 0
      }
      guard number == 0 || number == EINTR else {
        throw Failure(.usage, errno: number, "The \(what) cannot be read")
      }
    }
    guard text.count <= limit else {
      throw Failure(.usage, "The \(what) has more than \(limit) bytes; give a shorter one.")
    }
    return text
  }
}
