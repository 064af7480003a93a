import Glibc
import LocalAuthUnix

/// An unlinked temporary file for a child process to read from or write to.
struct ScratchFile: ~Copyable {
  let descriptor: Int32

  /// Creates a file with the content `text`, positioned at its start.
  init(_ text: String) throws(SystemError) {
    var template = Array("/tmp/localauth-XXXXXX".utf8CString)
    // SAFETY: the template is a C string that mkstemp modifies in place; unlink reads it.
    descriptor = unsafe mkstemp(&template)
    guard descriptor >= 0 else { throw SystemError("mkstemp", code: errno) }
    _ = unsafe unlink(&template)
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      // SAFETY: the slice's storage is valid for the call.
      let count = unsafe bytes.withUnsafeBytes {
        unsafe write(descriptor, $0.baseAddress, $0.count)
      }
      guard count > 0 || errno == EINTR else { throw SystemError("write", code: errno) }
      bytes = bytes.dropFirst(max(0, count))
    }
    lseek(descriptor, 0, SEEK_SET)
  }

  /// Returns the first non-empty line of the file.
  func firstLine() -> String { lines(limit: 4096).first ?? "" }

  /// Returns the non-empty lines in the first `limit` bytes of the file.
  func lines(limit: Int) -> [String] {
    var bytes = [UInt8](repeating: 0, count: limit)
    // SAFETY: the array's storage is valid for the call.
    let count = unsafe pread(descriptor, &bytes, bytes.count, 0)
    let text = String(decoding: bytes[..<max(0, count)], as: UTF8.self)
    return text.split(whereSeparator: \.isNewline).map { String($0.drop { $0 == " " }) }
      .filter { !$0.isEmpty }
  }

  deinit { close(descriptor) }
}
