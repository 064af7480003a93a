package import LocalAuthCrypto
import LocalAuthSecret
package import LocalAuthUnix

/// Reads and creates the file of the device key.
package enum DeviceKeyFile {
  /// Reads the key; returns nil if there is no file.
  ///
  /// A file of another size is damaged: this throws and leaves the file as it is.
  package static func read(
    _ name: String,
    in directory: borrowing PrivateDirectory
  ) throws(DurableFileError) -> DeviceKey? {
    var bytes = Secret(capacity: DeviceKey.size)
    var isThere = false
    try unsafe bytes.withUnsafeMutableBytes { (buffer, count) throws(DurableFileError) in
      // SAFETY: the buffer is the secret's own memory, in place during the call.
      guard let size = try unsafe DurableFile.read(name, in: directory, into: buffer) else {
        return
      }
      isThere = true
      count = size
    }
    guard isThere else { return nil }
    guard let key = DeviceKey(bytes) else { throw .damaged(name: name) }
    return key
  }

  /// Creates a new key and makes it durable before it is used.
  static func create(
    _ name: String,
    in directory: borrowing PrivateDirectory
  ) throws(DurableFileError) -> DeviceKey {
    let key = DeviceKey.generate()
    try unsafe key.withUnsafeBytes { (bytes) throws(DurableFileError) in
      // SAFETY: the bytes are the key's own memory, in place during the call.
      try unsafe DurableFile.create(name, in: directory, contents: bytes)
    }
    return key
  }
}
