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
  /// What takes the place of a file gets its permissions, group, access list and attributes of the user's.
  ///
  /// - Parameters:
  ///   - content: What the file has then.
  ///   - path: The file's path; a regular file may be there.
  ///   - protection: When it can be opened; nil for the default of its directory, or else
  ///     ``FileProtection/complete``.
  ///   - mode: The permissions of a file where none was, which the process's mask narrows.
  ///   - replacing: Whether it may take the place of a file that is there.
  /// - Throws: ``FileFailure``, with `EEXIST` for a file that is there and is not to be replaced; what was there is unchanged
  ///   then, unless it is ``FileFailure/notDurable(code:)``.
  public func write(
    _ content: RawSpan,
    to path: String,
    _ protection: FileProtection? = nil,
    mode: UInt32 = 0o600,
    replacing: Bool = true
  ) throws(FileFailure) {
    let entry = try FileFailure.translatingSystem { () throws(SystemError) in
      try DirectoryEntry(path)
    }
    guard replacing || entry.status() == nil else {
      throw .file(.system(call: "open", code: EEXIST))
    }
    let key = try newKey(for: path, protection)
    let (new, hasAccess) = try replacement(at: entry, mode: mode)
    try fill(new, under: key) { (file) throws(FileFailure) in try file.write(content, at: 0) }
    do throws(FileFailure) { try place(new, replacing: replacing && hasAccess) } catch {
      // Any other error may be the disk's, and a second try could pass over what the first one lost.
      guard replacing, !hasAccess, case .file(.system(_, let code)) = error,
        [EEXIST, EPERM, ENOTSUP, ENOSYS].contains(code)
      else { throw error }
      // Somebody has made one meanwhile, or the file system gives no name without replacing.
      if let old = try SourceFile.lending(at: entry) { try lendAccess(of: old, to: new) }
      try place(new)
    }
  }

  /// Begins the file that will be at `entry`, and says whether it has the access of one that is there.
  private func replacement(
    at entry: DirectoryEntry,
    mode: UInt32
  ) throws(FileFailure) -> (new: ReplacementFile, hasAccess: Bool) {
    guard let old = try SourceFile.lending(at: entry) else {
      return try FileFailure.translatingSystem { () throws(SystemError) in
        (try ReplacementFile(at: entry, mode: mode), false)
      }
    }
    let new = try FileFailure.translatingSystem { () throws(SystemError) in
      try ReplacementFile(at: entry)
    }
    try lendAccess(of: old, to: new)
    return (new, true)
  }

  private func lendAccess(
    of old: borrowing SourceFile,
    to new: ReplacementFile
  ) throws(FileFailure) {
    try FileFailure.translatingSystem { () throws(SystemError) in
      try old.lendAccess(to: new.descriptor)
    }
  }
}
