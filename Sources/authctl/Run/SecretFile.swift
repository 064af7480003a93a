import Glibc
import LocalAuthCore
import LocalAuthSecret

/// Reads a whole file or stream into secret memory: a secret, or a script that may contain a
/// passcode.
enum SecretFile {
  /// The maximum length of a script or an item's secret, in bytes.
  static let limit = 64 * 1024

  /// Reads the whole file at `path`.
  static func read(path: String) throws(Failure) -> Secret {
    // SAFETY: the string is a C string for the duration of the call.
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else {
      throw Failure(.usage, errno: errno, "The script file cannot be opened")
    }
    defer { close(descriptor) }
    return try read(descriptor)
  }

  /// Reads everything from `descriptor`; `what` names it in errors.
  static func read(_ descriptor: Int32, as what: String = "script") throws(Failure) -> Secret {
    var text = Secret(capacity: limit + 1)
    var hasEnded = false
    while !hasEnded, text.count <= limit {
      // SAFETY: the read fills at most the room behind the bytes in use.
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
