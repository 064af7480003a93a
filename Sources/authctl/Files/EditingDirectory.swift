import CLocalAuthLinux
import Glibc
import LocalAuthCore
import LocalAuthSecret
import LocalAuthUnix

/// A directory in memory for one file that an editor changes; only the caller can enter it.
struct EditingDirectory: ~Copyable {
  /// The path of the file in it.
  let file: String
  let path: String
  private var isKept = false

  private init(_ path: String, _ name: String) {
    self.path = path
    file = "\(path)/\(name)"
  }

  /// Makes the directory with a file called `name` that has this content.
  static func make(
    _ name: String,
    _ content: borrowing Secret,
    _ context: VerbContext
  ) throws(Failure) -> EditingDirectory {
    let made = EditingDirectory(try directory(context), name)
    // SAFETY: the string is a C string for the duration of the call.
    let opened = unsafe open(made.file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    let descriptor = FileDescriptor(owning: opened)
    guard opened >= 0, Output.write(content, to: descriptor.rawValue) else {
      throw Failure(.internalError, errno: errno, "\(made.file) cannot be written")
    }
    return made
  }

  private static func directory(_ context: VerbContext) throws(Failure) -> String {
    let places = [context.environment["XDG_RUNTIME_DIR"], "/dev/shm"].compactMap { $0 }
    // SAFETY: each is a C string for the duration of the call.
    guard let place = places.first(where: { unsafe la_directory_in_memory($0) == 1 }) else {
      throw Failure(.internalError, "There is no file system in memory to edit the file on.")
    }
    var template = Array("\(place)/localauth-edit-XXXXXX".utf8CString)
    // SAFETY: the template is a C string that mkdtemp modifies in place.
    guard unsafe mkdtemp(&template) != nil else {
      throw Failure(.internalError, errno: errno, "\(place) cannot be written to")
    }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// What the file has now.
  func content() throws(Failure) -> Secret {
    var status = stat()
    // SAFETY: the string and the structure are valid for the call.
    let isThere = unsafe stat(file, &status) == 0
    // Memory is taken for as much as there may be.
    let size = min(isThere ? Int(status.st_size) : 0, 1 << 30)
    return try SecretFile.read(path: file, as: "edited file", limit: size)
  }

  /// Leaves the file where it is, because there is nowhere else to put what is in it.
  mutating func keep() { isKept = true }

  deinit { if !isKept { Self.remove(path) } }

  /// Removes the directory and whatever an editor has left in it.
  private static func remove(_ path: String) {
    // SAFETY: the strings are C strings for the calls.
    let opened = unsafe open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    var names: [String] = []
    if opened >= 0 {
      try? FileDescriptor(owning: opened).forEachName { name in
        names.append(name)
        return true
      }
    }
    for name in names where unsafe unlink("\(path)/\(name)") != 0 && errno == EISDIR {
      remove("\(path)/\(name)")
    }
    unsafe rmdir(path)
  }
}
