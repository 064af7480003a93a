package import LocalAuthCrypto
import LocalAuthSecret
package import LocalAuthUnix

/// The device key in its file.
package enum DeviceKeyFile {
  /// The key, or nil when there is no file; a file of another size is damaged and left as it is.
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

  /// A new key, durable before it is used.
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
