import Glibc

/// The file in a state directory that says on which socket its daemon listens.
///
/// Clients whose environment leads to another socket find the running daemon by it, because two
/// daemons cannot have one state directory. It is a hint: the file may be of a daemon that is gone,
/// and whoever listens there must be the user, as anywhere.
public enum ListeningFile {
  static let name = "listening"

  /// Says that the daemon of `directory` listens on `socket`, an absolute path.
  public static func write(
    _ socket: String,
    in directory: borrowing PrivateDirectory
  ) throws(DurableFileError) {
    guard read(in: directory) != socket else { return }
    // SAFETY: the bytes are used within the closure only.
    try unsafe Array(socket.utf8).span.withUnsafeBytes { (bytes) throws(DurableFileError) in
      try unsafe DurableFile.replace(name, in: directory, contents: bytes)
    }
  }

  /// The socket that the last daemon of the state directory at `home` listened on; nil if the
  /// directory or the file is missing, or could be another user's.
  static func socket(ofDaemonAt home: String) -> String? {
    guard let directory = try? PrivateDirectory(opening: home, creating: false) else { return nil }
    return read(in: directory)
  }

  private static func read(in directory: borrowing PrivateDirectory) -> String? {
    var bytes = [UInt8](repeating: 0, count: RuntimePaths.longestSocketPath)
    // SAFETY: the array outlives the call.
    let count = unsafe bytes.withUnsafeMutableBytes { buffer in
      try? unsafe DurableFile.read(name, in: directory, into: buffer)
    }
    guard let count, let path = String(validating: bytes.prefix(count), as: UTF8.self) else {
      return nil
    }
    return path.utf8.first == UInt8(ascii: "/") ? path : nil
  }
}
