import Glibc
import LocalAuthCore
import LocalAuthSecret

/// Reads a whole file or stream into secret memory: a secret, or a text that may contain one.
enum SecretFile {
  /// The maximum length of a script or an item's secret, in bytes.
  static let limit = 64 * 1024

  /// Reads the whole file at `path`; `what` names it in errors.
  static func read(
    path: String,
    as what: String = "script",
    limit: Int = limit
  ) throws(Failure) -> Secret {
    // SAFETY: the string is a C string for the duration of the call.
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else {
      throw Failure(.usage, errno: errno, "The \(what) file cannot be opened")
    }
    defer { close(descriptor) }
    return try read(descriptor, as: what, limit: limit)
  }

  /// Reads everything from `descriptor`; `what` names it in errors.
  static func read(
    _ descriptor: Int32,
    as what: String = "script",
    limit: Int = limit
  ) throws(Failure) -> Secret {
    var text = Secret(capacity: limit + 1)
    // SAFETY: each read fills at most the room behind the bytes in use.
    let number = unsafe text.withUnsafeMutableBytes { room, used -> Int32 in
      while used < room.count {
        let free = unsafe UnsafeMutableRawBufferPointer(rebasing: room[used...])
        let count = unsafe Glibc.read(descriptor, free.baseAddress, free.count)
        if count == 0 { break }
        guard count > 0 || errno == EINTR else { return errno }
        used += max(count, 0)
      }
      return 0
    }
    guard number == 0 else {
      throw Failure(.usage, errno: number, "The \(what) cannot be read")
    }
    guard text.count <= limit else {
      throw Failure(.usage, "The \(what) has more than \(limit) bytes; give a shorter one.")
    }
    return text
  }
}
