import Glibc
package import LocalAuthFileFormat
package import LocalAuthKeychain

/// Files that a descriptor leads to, for a file system.
extension ProtectedFiles {
  /// Opens the protected file on `descriptor`, which it takes ownership of.
  ///
  /// Whoever keeps a duplicate keeps other programs out with it, also while the key is gone and after the file was closed:
  /// another one could take the file's place meanwhile, and what is written would be in one without a name.
  ///
  /// - Parameters:
  ///   - descriptor: An open file, for writing too if `access` is.
  ///   - access: What for; one program writes, or many read.
  /// - Returns: the open file.
  /// - Throws: ``FileFailure``.
  package func open(
    on descriptor: Int32,
    for access: FileAccess
  ) throws(FileFailure) -> ProtectedFile {
    lease(try encryptedFile(descriptor, access, false), keepsLock: true)
  }

  /// Makes the empty file on `descriptor`, which it does not own, a protected one; others are kept out as there.
  ///
  /// - Parameters:
  ///   - descriptor: A file that is open for reading and writing.
  ///   - protection: When it can be opened.
  /// - Returns: the file, open for writing and empty.
  /// - Throws: ``FileFailure``.
  package func begin(
    on descriptor: Int32,
    _ protection: FileProtection
  ) throws(FileFailure) -> ProtectedFile {
    let key = try newKey(protection)
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    guard copy >= 0 else { throw .system("fcntl") }
    return lease(try key.begin(on: copy), keepsLock: true)
  }
}
