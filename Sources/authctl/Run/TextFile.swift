import Glibc
import LocalAuthCore

/// Reads a text file that contains no secret.
enum TextFile {
  /// The maximum length in bytes: what fits a frame to the daemon, escapes included.
  static let limit = 128 * 1024

  /// Reads the whole file at `path`; bytes that are not UTF-8 are a usage error.
  static func read(path: String) throws(Failure) -> String {
    guard !path.isEmpty else { throw Failure(.usage, "The name of the file to read is empty.") }
    // SAFETY: the string is a C string for the duration of the call.
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { throw Failure(.usage, errno: errno, "\(path) cannot be read") }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 16 * 1024)
    while bytes.count <= limit {
      // SAFETY: the array's storage is valid for the call and has `count` bytes.
      let count = unsafe Glibc.read(descriptor, &chunk, chunk.count)
      if count == 0 { break }
      guard count > 0 || errno == EINTR else {
        throw Failure(.usage, errno: errno, "\(path) cannot be read")
      }
      bytes += chunk[..<max(0, count)]
    }
    guard bytes.count <= limit else {
      throw Failure(
        .usage,
        "\(path) has more than \(limit) bytes; files of policies and sensors are shorter."
      )
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Failure(.badConfiguration, "\(path) is no UTF-8 text.")
    }
    return text
  }
}
