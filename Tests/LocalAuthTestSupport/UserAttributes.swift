import CLocalAuthLinux
import Glibc
import LocalAuthUnix

/// Extended attributes of files, for tests: the C library's module has none.
public enum UserAttributes {
  /// Sets one of the file or directory at `path`; false if that fails.
  public static func set(_ name: String, _ value: String, of path: String) -> Bool {
    // SAFETY: the strings are C strings for the calls, and the value is lent with its count.
    let file = FileDescriptor(owning: unsafe open(path, O_RDONLY | O_CLOEXEC))
    let bytes = Array(value.utf8)
    return unsafe bytes.withUnsafeBytes {
      unsafe la_attribute_write(file.rawValue, name, $0.baseAddress, $0.count) == 0
    }
  }

  /// The value of one of the file or directory at `path`; nil if there is none.
  public static func value(_ name: String, of path: String) -> String? {
    // SAFETY: the string is a C string for the call, and the room is lent with its count.
    let file = FileDescriptor(owning: unsafe open(path, O_RDONLY | O_CLOEXEC))
    var room = [UInt8](repeating: 0, count: 256)
    let count = unsafe room.withUnsafeMutableBytes {
      unsafe la_attribute_read(file.rawValue, name, $0.baseAddress, $0.count)
    }
    return count < 0 ? nil : String(decoding: room.prefix(count), as: UTF8.self)
  }
}
