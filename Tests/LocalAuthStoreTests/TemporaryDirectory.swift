import Glibc

/// A directory of its own for one test, removed with the value.
final class TemporaryDirectory: Sendable {
  let path: String

  init() {
    // Memory where there is some: what survives a loss of power cannot be tested here anyway.
    let parent = unsafe access("/dev/shm", W_OK | X_OK) == 0 ? "/dev/shm" : "/tmp"
    var template = Array("\(parent)/localauth-store-XXXXXX".utf8CString)
    // SAFETY: the template is terminated and mkdtemp writes in place.
    path = unsafe template.withUnsafeMutableBufferPointer { buffer in
      guard let start = buffer.baseAddress, let made = unsafe mkdtemp(start) else {
        fatalError("no temporary directory: errno \(errno)")
      }
      return unsafe String(cString: made)
    }
  }

  deinit {
    for name in Files.names(in: path) { unsafe unlink("\(path)/\(name)") }
    unsafe rmdir(path)
  }
}

/// Whole files as bytes.
enum Files {
  /// The content of `path`; nil when there is none.
  static func read(_ path: String) -> [UInt8]? {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    let size = Int(lseek(descriptor, 0, SEEK_END))
    // A directory claims to be endless.
    guard size >= 0, size < 1 << 30 else { return nil }
    var bytes = [UInt8](repeating: 0, count: size)
    // SAFETY: the buffer has `size` bytes.
    let count = unsafe bytes.withUnsafeMutableBytes {
      unsafe pread(descriptor, $0.baseAddress, size, 0)
    }
    return count == size ? bytes : nil
  }

  /// Makes `path` a file of these bytes.
  static func write(_ path: String, _ bytes: [UInt8]) {
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    precondition(descriptor >= 0, "cannot write \(path): errno \(errno)")
    defer { close(descriptor) }
    // SAFETY: the buffer is lent for the call.
    let count = unsafe bytes.withUnsafeBytes {
      unsafe Glibc.write(descriptor, $0.baseAddress, $0.count)
    }
    precondition(count == bytes.count, "cannot write \(path): errno \(errno)")
  }

  /// The names in the directory.
  static func names(in path: String) -> [String] {
    guard let directory = unsafe opendir(path) else { return [] }
    defer { unsafe closedir(directory) }
    var names: [String] = []
    while let entry = unsafe readdir(directory) {
      // SAFETY: the kernel ends the name with a zero within its 256 bytes.
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { tuple in
        unsafe String(cString: UnsafeRawPointer(tuple).assumingMemoryBound(to: CChar.self))
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }
}
