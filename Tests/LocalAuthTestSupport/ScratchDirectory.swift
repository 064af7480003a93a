public import Glibc
import LocalAuthUnix

/// A directory of a test's own under /tmp, removed with everything in it.
public final class ScratchDirectory: Sendable {
  /// Where it is: mode 0700, ours.
  public let path: String

  /// Makes it, with a name that no other has.
  public init() {
    var template = Array("/tmp/localauth-test-XXXXXX".utf8CString)
    // SAFETY: the array is a C string that mkdtemp overwrites in place.
    guard unsafe mkdtemp(&template) != nil else { fatalError("mkdtemp: errno \(errno)") }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { remove() }

  /// Removes it now, with everything in it.
  public func remove() {
    let request = SpawnRequest(executable: "/bin/rm", arguments: ["-rf", "--", path])
    if var child = try? ChildProcess.spawn(request) { _ = try? child.waitForExit() }
  }

  /// The path of a file in it.
  public func file(_ name: String) -> String { path + "/" + name }

  /// Writes a file, mode 0600 unless told otherwise.
  public func write(_ text: String, to name: String, mode: mode_t = 0o600) {
    write(Array(text.utf8), to: name, mode: mode)
  }

  /// Writes a file, mode 0600 unless told otherwise.
  public func write(_ bytes: [UInt8], to name: String, mode: mode_t = 0o600) {
    // SAFETY: the string and the array are valid for the calls.
    let file = unsafe open(self.file(name), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
    _ = unsafe Glibc.write(file, bytes, bytes.count)
    _ = fchmod(file, mode)
    close(file)
  }

  /// All that a file holds; nil when there is none.
  public func read(_ name: String) -> [UInt8]? {
    // SAFETY: the string and the array are valid for the calls.
    let file = unsafe open(self.file(name), O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    let descriptor = FileDescriptor(owning: file)
    var all: [UInt8] = []
    while let chunk = try? descriptor.readAvailable(limit: 65_536), !chunk.isEmpty { all += chunk }
    return all
  }

  /// The permission bits of a file, or of the directory itself.
  public func mode(of name: String = ".") -> mode_t {
    var status = stat()
    // SAFETY: the string and the pointer are valid for the call.
    _ = unsafe lstat(file(name), &status)
    return status.st_mode & 0o7777
  }

  /// Changes the permission bits of a file, or of the directory itself.
  public func setMode(_ mode: mode_t, of name: String = ".") {
    // SAFETY: the string is a C string for the length of the call.
    _ = unsafe chmod(file(name), mode)
  }

  /// Makes a directory with exactly this mode.
  public func makeDirectory(_ name: String, mode: mode_t = 0o700) {
    // SAFETY: the string is a C string for the length of the call.
    _ = unsafe mkdir(file(name), 0o700)
    setMode(mode, of: name)
  }

  /// Makes a symbolic link in it.
  public func link(_ name: String, to target: String) {
    // SAFETY: the strings are C strings for the length of the call.
    _ = unsafe symlink(target, file(name))
  }
}
