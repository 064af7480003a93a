import Glibc

/// The small files of one directory, for configuration that is read once.
public struct DirectoryListing: Sendable {
  /// One file: its name, and its bytes or why they could not be read.
  public struct File: Sendable {
    /// The name in the directory.
    public var name: String
    /// The bytes, or one line that says why there are none.
    public var contents: Result<[UInt8], SystemError>
  }

  /// The regular files, by name; names that begin with a dot are left out.
  public var files: [File]

  /// Reads at most `filesMax` files of at most `sizeLimit` bytes each (one byte more tells that a
  /// file is larger); nil when the directory does not exist.
  public static func read(
    _ path: String,
    filesMax: Int,
    sizeLimit: Int
  ) throws(SystemError) -> DirectoryListing? {
    guard let names = try names(in: path, max: filesMax) else { return nil }
    let files = names.sorted().compactMap { name in
      file(path + "/" + name, sizeLimit).map { File(name: name, contents: $0) }
    }
    return DirectoryListing(files: files)
  }

  /// At most `max` names in a directory, without those that begin with a dot; nil when it does not exist.
  static func names(in path: String, max: Int) throws(SystemError) -> [String]? {
    // SAFETY: the path is a C string for the call.
    guard let directory = unsafe opendir(path) else {
      guard errno == ENOENT else { throw SystemError("opendir", code: errno, subject: path) }
      return nil
    }
    defer { unsafe closedir(directory) }
    var names: [String] = []
    while names.count < max, let entry = unsafe readdir(directory) {
      let name = unsafe name(of: entry)
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names
  }

  @unsafe
  private static func name(of entry: UnsafeMutablePointer<dirent>) -> String {
    // SAFETY: d_name is a NUL-terminated array inside the entry, which the caller keeps.
    unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
      unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
    }
  }

  /// The bytes of a regular file; nil for everything that is none.
  private static func file(_ path: String, _ limit: Int) -> Result<[UInt8], SystemError>? {
    // SAFETY: the path is a C string for the call.
    let number = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard number >= 0 else { return .failure(SystemError("open", code: errno, subject: path)) }
    let descriptor = FileDescriptor(owning: number)
    var status = stat()
    // SAFETY: the pointer is valid for the call.
    guard unsafe fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return nil
    }
    var bytes: [UInt8] = []
    do throws(SystemError) {
      while bytes.count <= limit {
        let chunk = try descriptor.readAvailable(limit: limit + 1 - bytes.count)
        if chunk.isEmpty { break }
        bytes += chunk
      }
      return .success(bytes)
    } catch {
      return .failure(error)
    }
  }
}
