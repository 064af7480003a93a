import CLocalAuthLinux
import Glibc
import LocalAuthCore
import LocalAuthFiles
import LocalAuthSecret
import LocalAuthUnix

/// A directory in memory for one file that an editor changes; only the caller can enter it.
///
/// It is locked while this process or the editor lives. What a process leaves that was killed the next edit removes.
struct EditingDirectory: ~Copyable {
  /// The path of the file in it.
  var file: String { "\(path)/\(name)" }
  private(set) var path: String
  /// Its descriptor, which has the lock.
  let descriptor: FileDescriptor
  private let name: String
  private var isKept = false

  private static let prefix = "localauth-edit-"

  private init(_ path: String, _ descriptor: consuming FileDescriptor, _ name: String) {
    self.path = path
    self.descriptor = descriptor
    self.name = name
  }

  /// Makes the directory with a file called `name` that has this content.
  static func make(
    _ name: String,
    _ content: borrowing Secret,
    _ context: VerbContext
  ) throws(Failure) -> EditingDirectory {
    let place = try place(context)
    removeAbandoned(in: place)
    let made = try make(name, in: place)
    // SAFETY: the string is a C string for the duration of the call.
    let opened = unsafe open(made.file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    let descriptor = FileDescriptor(owning: opened)
    guard opened >= 0, Output.write(content, to: descriptor.rawValue) else {
      throw Failure(.internalError, errno: errno, "\(made.file) cannot be written")
    }
    return made
  }

  private static func place(_ context: VerbContext) throws(Failure) -> String {
    let places = [context.environment["XDG_RUNTIME_DIR"], "/dev/shm"].compactMap { $0 }
    guard let place = places.first(where: isUsable) else {
      throw Failure(.internalError, "There is no file system in memory to edit the file on.")
    }
    return place
  }

  /// Whether a directory is in memory, and nobody else can exchange what is made in it.
  private static func isUsable(_ place: String) -> Bool {
    // SAFETY: the string is a C string for the duration of the calls.
    let opened = unsafe open(place, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard opened >= 0 else { return false }
    let descriptor = FileDescriptor(owning: opened)
    var status = stat()
    // SAFETY: the structure lives for the call.
    guard unsafe fstat(opened, &status) == 0, unsafe la_directory_in_memory(place) == 1 else {
      return false
    }
    return [0, geteuid()].contains(status.st_uid) && !descriptor.isOpenToOthers(status)
  }

  private static func make(_ name: String, in place: String) throws(Failure) -> EditingDirectory {
    // Another edit may take a new one for abandoned until it is locked.
    for _ in 0..<3 {
      var template = Array("\(place)/\(prefix)XXXXXX".utf8CString)
      // SAFETY: the template is a C string that mkdtemp modifies in place.
      guard unsafe mkdtemp(&template) != nil else { break }
      let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
      if let descriptor = locked(path) { return EditingDirectory(path, descriptor, name) }
    }
    throw Failure(.internalError, errno: errno, "\(place) cannot be written to")
  }

  /// The locked descriptor of a directory of the caller's; nil if it is another one's, in use, or gone.
  private static func locked(_ path: String) -> FileDescriptor? {
    // SAFETY: the string is a C string for the duration of the call.
    let opened = unsafe open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard opened >= 0 else { return nil }
    let descriptor = FileDescriptor(owning: opened)
    var status = stat()
    // SAFETY: the structure lives for the call.
    guard flock(opened, LOCK_EX | LOCK_NB) == 0, unsafe fstat(opened, &status) == 0,
      status.st_uid == geteuid(), status.st_nlink > 0
    else { return nil }
    return descriptor
  }

  private static func removeAbandoned(in place: String) {
    for name in names(in: place) where name.hasPrefix(prefix) {
      let path = "\(place)/\(name)"
      guard let held = locked(path) else { continue }
      remove(path)
      // Whoever waits to use it finds it gone, and makes another one.
      _ = consume held
    }
  }

  /// What the file has now; `consequence` says what follows if the editor left none.
  func content(orElse consequence: String) throws(Failure) -> Secret {
    var status = stat()
    // SAFETY: the string and the structure are valid for the call.
    let isThere = unsafe stat(file, &status) == 0
    // Memory is taken for as much as there may be.
    let size = min(isThere ? Int(status.st_size) : 0, 1 << 30)
    // What is no file, as a pipe that nobody writes to, is not waited for.
    let opened: FileDescriptor
    do throws(FileFailure) {
      opened = FileDescriptor(owning: try SourceFile.open(file, O_RDONLY))
    } catch {
      let what =
        switch error {
        case .symbolicLink: "put a symbolic link in the place of the copy"
        case .notRegular: "put something in the place of the copy that is no regular file"
        case .file(.system(_, ENOENT)): "removed the copy"
        default: "left a copy that cannot be read"
        }
      throw Failure(error.outcome, "The editor \(what): \(consequence)")
    }
    return try SecretFile.read(opened.rawValue, as: "edited text", limit: size)
  }

  /// Leaves the file where no other edit removes it, because there is nowhere else to put what is in it; false if the
  /// editor left none.
  mutating func keep() -> Bool {
    var status = stat()
    // SAFETY: the string and the structure are valid for the call.
    guard unsafe lstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return false }
    isKept = true
    let kept = path.replacing(Self.prefix, with: "localauth-text-")
    // SAFETY: the strings are C strings for the call.
    if unsafe rename(path, kept) == 0 { path = kept }
    return true
  }

  deinit { if !isKept { Self.remove(path) } }

  /// Removes the directory and whatever an editor has left in it.
  private static func remove(_ path: String) {
    // SAFETY: the strings are C strings for the calls.
    for name in names(in: path) where unsafe unlink("\(path)/\(name)") != 0 && errno == EISDIR {
      remove("\(path)/\(name)")
    }
    unsafe rmdir(path)
  }

  private static func names(in path: String) -> [String] {
    // SAFETY: the string is a C string for the call.
    let opened = unsafe open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    var names: [String] = []
    if opened >= 0 {
      try? FileDescriptor(owning: opened).forEachName { name in
        names.append(name)
        return true
      }
    }
    return names
  }
}
