import CLocalAuthLinux
import LocalAuthFileFormat
public import LocalAuthKeychain

/// What a protected file says of itself.
public struct FileStatus: Hashable, Sendable {
  /// When the file can be opened.
  public let protection: FileProtection
  /// The rest, which only an open file tells; nil while the device's state keeps it locked, and nothing was
  /// verified then.
  public let content: Content?

  /// What the content of a file is like.
  public struct Content: Hashable, Sendable {
    /// The bytes of the content.
    public let length: Int
    /// Whether the file is sealed: if not, a program ended while it wrote the file.
    public let isSealed: Bool
  }
}

extension ProtectedFiles {
  /// Whether the file at `path` has a header of a protected file, which nothing verifies; no device is asked.
  ///
  /// - Throws: ``FileFailure``.
  public static func hasHeader(_ path: String) throws(FileFailure) -> Bool {
    try SourceFile(path, isReplaced: false).header() != nil
  }

  /// Whether the file at `path` keeps no content, but is one through which the kernel is spoken to, as in `/proc` and `/sys`.
  package static func isOfKernel(_ path: String) -> Bool {
    // SAFETY: the string is a C string for the call.
    unsafe la_file_is_kernels(path) == 1
  }

  /// What the file at `path` says of itself; nil if it is not protected.
  ///
  /// - Throws: ``FileFailure``.
  public func status(of path: String) throws(FileFailure) -> FileStatus? {
    let source = try SourceFile(path, isReplaced: false)
    guard let header = try source.header() else { return nil }
    do throws(FileFailure) {
      let file = lease(try encryptedFile(source.duplicate(), .read, false))
      let content = FileStatus.Content(length: try file.length, isSealed: try file.wasSealed)
      return FileStatus(protection: file.protection, content: content)
    } catch {
      guard error == .locked else { throw error }
      return FileStatus(protection: header.protection, content: nil)
    }
  }
}
