import CLocalAuthLinux
import Glibc
public import LocalAuthKeychain
import LocalAuthUnix

/// The protection of files that are made in a directory, which stands in an extended attribute of it.
///
/// It is a hint for whoever makes the file; the file itself says how it is protected.
public enum DirectoryDefault {
  /// The attribute's name; its value is a number of ``FileProtection``, as text.
  package static let attribute = "user.localauth.protection"

  /// The default of `directory`; nil if it has none, or if others than the caller and root can set it: whoever can write to
  /// a directory can.
  ///
  /// - Throws: ``FileFailure`` if that is no directory, or if its default cannot be read or is none of this version's: a
  ///   file that is made in it is not to be plaintext then.
  public static func of(_ directory: String) throws(FileFailure) -> FileProtection? {
    do throws(FileFailure) { return try protection(on: try open(directory)) } catch {
      guard error != .file(.system(call: "open", code: EACCES)) || !isOfAnother(directory) else {
        return nil
      }
      throw error
    }
  }

  private static func protection(
    on file: borrowing FileDescriptor
  ) throws(FileFailure) -> FileProtection? {
    let status = try status(of: file)
    guard status.st_uid == geteuid() || status.st_uid == 0,
      !file.isOpenToOthers(status)
    else { return nil }
    var value = [UInt8](repeating: 0, count: 4)
    // SAFETY: the array has room for its count during the call.
    let count = unsafe value.withUnsafeMutableBytes {
      unsafe la_attribute_read(file.rawValue, attribute, $0.baseAddress, $0.count)
    }
    guard count != -Int(ENODATA), count != -Int(ENOTSUP) else { return nil }
    guard count >= 0 else { throw failed("getxattr", Int32(clamping: count)) }
    guard let protection = protection(from: value.prefix(count)) else {
      throw failed("getxattr", -EINVAL)
    }
    return protection
  }

  /// Whether a directory is that of a user whose default would not count.
  private static func isOfAnother(_ directory: String) -> Bool {
    var status = stat()
    // SAFETY: the string is a C string for the call, and the structure lives for it.
    guard unsafe stat(directory, &status) == 0 else { return false }
    return status.st_uid != geteuid() && status.st_uid != 0
  }

  /// The attribute's value for a protection.
  package static func value(of protection: FileProtection) -> [UInt8] {
    Array("\(protection.rawValue)".utf8)
  }

  /// The protection that a value of the attribute stands for; nil for none.
  package static func protection(from value: some Collection<UInt8>) -> FileProtection? {
    UInt8(String(decoding: value, as: UTF8.self)).flatMap { FileProtection(rawValue: $0) }
  }

  /// Sets the default of `directory`; nil removes it.
  ///
  /// - Throws: ``FileFailure``, also where the file system keeps no such attributes; ``FileFailure/foreignOwner`` and
  ///   ``FileFailure/othersCanWrite`` where the default would not count.
  public static func set(_ protection: FileProtection?, of directory: String) throws(FileFailure) {
    let file = try open(directory)
    guard let protection else {
      // SAFETY: the name is a C string for the duration of the call.
      let status = unsafe la_attribute_remove(file.rawValue, attribute)
      guard status == 0 || status == -ENODATA else { throw failed("removexattr", status) }
      return
    }
    let status = try status(of: file)
    guard status.st_uid == geteuid() || status.st_uid == 0 else { throw .foreignOwner }
    guard !file.isOpenToOthers(status) else { throw .othersCanWrite }
    let value = value(of: protection)
    // SAFETY: the bytes are the array's own during the call.
    let written = unsafe value.withUnsafeBytes {
      unsafe la_attribute_write(file.rawValue, attribute, $0.baseAddress, $0.count)
    }
    guard written == 0 else { throw failed("setxattr", written) }
  }

  private static func failed(_ call: String, _ status: Int32) -> FileFailure {
    .file(.system(call: call, code: -status))
  }

  private static func status(of file: borrowing FileDescriptor) throws(FileFailure) -> stat {
    var status = stat()
    // SAFETY: the structure lives for the call.
    guard unsafe fstat(file.rawValue, &status) == 0 else { throw .system("stat") }
    return status
  }

  private static func open(_ directory: String) throws(FileFailure) -> FileDescriptor {
    // SAFETY: the string is a C string for the duration of the call.
    let opened = unsafe Glibc.open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard opened >= 0 else { throw .system("open") }
    return FileDescriptor(owning: opened)
  }

  /// The protection of a file that is made at `path`: the default of its directory, or else
  /// ``FileProtection/complete``.
  ///
  /// - Throws: ``FileFailure`` if there is no such directory.
  public static func protection(for path: String) throws(FileFailure) -> FileProtection {
    try of(LocalAuthUnix.directory(ofPath: path)) ?? .complete
  }
}
