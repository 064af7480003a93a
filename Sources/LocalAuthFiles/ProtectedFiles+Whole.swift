import Glibc
public import LocalAuthKeychain
public import LocalAuthSecret
import LocalAuthUnix

/// Files that are read and written as a whole.
extension ProtectedFiles {
  /// The content of a protected file.
  ///
  /// - Parameters:
  ///   - path: The file's path.
  ///   - limit: The most bytes that it may have.
  /// - Returns: the content, in memory that is wiped.
  /// - Throws: ``FileFailure``, with `EFBIG` for a longer file.
  public func read(_ path: String, limit: Int = 1 << 30) throws(FileFailure) -> Secret {
    let file = try open(path)
    let length = try file.length
    guard length <= limit else { throw .file(.system(call: "read", code: EFBIG)) }
    return try file.read(length)
  }

  /// Puts a protected file with this content at `path`, once it is complete.
  ///
  /// - Parameters:
  ///   - content: What the file has then.
  ///   - path: The file's path; a regular file may be there.
  ///   - protection: When it can be opened; nil for the default of its directory, or else
  ///     ``FileProtection/complete``.
  ///   - mode: The file's permissions, which the process's mask narrows.
  /// - Throws: ``FileFailure``; what was there is unchanged then.
  public func write(
    _ content: RawSpan,
    to path: String,
    _ protection: FileProtection? = nil,
    mode: UInt32 = 0o600
  ) throws(FileFailure) {
    let key = try newKey(for: path, protection)
    let new = try FileFailure.translatingSystem { () throws(SystemError) in
      try ReplacementFile(at: path, mode: mode)
    }
    try fill(new, under: key) { (file) throws(FileFailure) in try file.write(content, at: 0) }
    try FileFailure.translatingSystem { () throws(SystemError) in try new.publish() }
  }
}
