import Glibc
import LocalAuthUnix
import Synchronization

/// A directory of a test's own under /tmp, removed with everything in it.
final class Scratch: Sendable {
  /// Where it is: mode 0700, ours.
  let path: String

  init() {
    // Short, because a socket's path has to fit 107 bytes.
    var template = Array("/tmp/la-XXXXXX".utf8CString)
    // SAFETY: the array is a C string that mkdtemp overwrites in place.
    guard unsafe mkdtemp(&template) != nil else { fatalError("mkdtemp: errno \(errno)") }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { Self.remove([path]) }

  /// A directory that many tests share and nobody gives back: it goes with the test process.
  static func ofWholeRun() -> Scratch {
    let scratch = Scratch()
    shared.withLock { paths in
      if paths.isEmpty { _ = atexit { Scratch.remove(Scratch.shared.withLock { $0 }) } }
      paths.append(scratch.path)
    }
    return scratch
  }

  private static let shared = Mutex<[String]>([])

  private static func remove(_ paths: [String]) {
    _ = try? RunningProgram.run("/bin/rm", ["-rf", "--"] + paths)
  }

  /// The path of a file in it.
  func file(_ name: String) -> String { path + "/" + name }

  /// Writes a file with exactly this mode.
  func write(_ text: String, to name: String, mode: mode_t = 0o600) throws {
    try Files.write(Array(text.utf8), to: file(name), mode: mode)
  }

  /// Makes a directory in it.
  func makeDirectory(_ name: String, mode: mode_t = 0o700) throws -> String {
    let path = file(name)
    // SAFETY: the string is a C string for the length of the calls.
    guard unsafe mkdir(path, mode) == 0, unsafe chmod(path, mode) == 0 else {
      throw SystemError("mkdir", code: errno, subject: path)
    }
    return path
  }
}

/// Whole files, read and written without any of the code under test.
enum Files {
  /// All that a file holds.
  static func read(_ path: String) throws -> [UInt8] {
    // SAFETY: the string is a C string for the length of the call.
    let number = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard number >= 0 else { throw SystemError("open", code: errno, subject: path) }
    let file = FileDescriptor(owning: number)
    var all: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      // SAFETY: the array's storage is valid for the call and `count` bytes long.
      let count = unsafe Glibc.read(file.rawValue, &chunk, chunk.count)
      guard count >= 0 else { throw SystemError("read", code: errno, subject: path) }
      guard count > 0 else { return all }
      all += chunk[..<count]
    }
  }

  /// The same as text.
  static func text(_ path: String) throws -> String {
    String(decoding: try read(path), as: UTF8.self)
  }

  /// Makes a file, or exchanges what is in it.
  static func write(_ bytes: [UInt8], to path: String, mode: mode_t = 0o600) throws {
    // SAFETY: the string is a C string for the length of the call.
    let number = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
    guard number >= 0 else { throw SystemError("open", code: errno, subject: path) }
    let file = FileDescriptor(owning: number)
    var rest = bytes[...]
    while !rest.isEmpty {
      // SAFETY: the slice's storage is valid in the closure.
      let count = unsafe rest.withUnsafeBytes { bytes in
        unsafe Glibc.write(file.rawValue, bytes.baseAddress, bytes.count)
      }
      guard count > 0 else { throw SystemError("write", code: errno, subject: path) }
      rest = rest.dropFirst(count)
    }
    guard fchmod(file.rawValue, mode) == 0 else {
      throw SystemError("fchmod", code: errno, subject: path)
    }
  }

  /// What the open files of a process are, as the kernel names them.
  static func opened(by processID: Int32) throws -> [String] {
    let folder = "/proc/\(processID)/fd"
    return try names(in: folder).map { name in
      var target = [CChar](repeating: 0, count: 4096)
      // SAFETY: the string is a C string, and the buffer has room for one byte more.
      let count = unsafe readlink("\(folder)/\(name)", &target, target.count - 1)
      return String(
        decoding: target.prefix(max(0, count)).map(UInt8.init(bitPattern:)),
        as: UTF8.self
      )
    }
  }

  /// Whether there is a file.
  static func exists(_ path: String) -> Bool {
    // SAFETY: the string is a C string for the length of the call.
    unsafe access(path, F_OK) == 0
  }

  /// Changes the permission bits of a file.
  static func setMode(_ mode: mode_t, of path: String) {
    // SAFETY: the string is a C string for the length of the call.
    _ = unsafe chmod(path, mode)
  }

  /// Removes a file that may be missing.
  static func remove(_ path: String) {
    // SAFETY: the string is a C string for the length of the call.
    _ = unsafe unlink(path)
  }

  /// The names in a directory, sorted.
  static func names(in directory: String) throws -> [String] {
    // SAFETY: opendir's stream is closed below; each entry is copied before the next is read.
    guard let stream = unsafe opendir(directory) else {
      throw SystemError("opendir", code: errno, subject: directory)
    }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { bytes in
        // SAFETY: the kernel ends the name with a zero within the array.
        unsafe bytes.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// Every regular file of a directory with what is in it.
  static func contents(of directory: String) throws -> [String: [UInt8]] {
    var contents: [String: [UInt8]] = [:]
    for name in try names(in: directory) {
      let path = directory + "/" + name
      var status = stat()
      // SAFETY: string and pointer are valid for the call.
      guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
      contents[name] = try read(path)
    }
    return contents
  }
}
