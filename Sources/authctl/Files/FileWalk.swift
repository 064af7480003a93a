import Glibc
import LocalAuthCore
import LocalAuthFiles
import LocalAuthUnix

/// The regular files that operands name, those in directories too if that is asked for.
///
/// Directories that were named stay open as long as this lives: who can rename what is above them exchanges nothing.
final class FileWalk {
  /// A file, as a person knows it and as it is reached.
  struct Found {
    /// The path that is shown.
    let path: String
    /// The path that leads to it, by way of the open directory.
    let reached: String

    fileprivate init(path: String, reached: String) {
      self.path = path
      self.reached = reached
    }

    /// Whether its name is the one that was found: what is no UTF-8 was replaced, and may be another file's name now.
    private(set) var isNamed = true

    /// Why a directory was not entered; nil for a file.
    private(set) var refusal: Failure?

    /// Whether it is a directory, which a walk that is not recursive does not enter.
    var isDirectory: Bool { FileWalk.type(of: reached) == S_IFDIR }

    fileprivate func entry(_ name: String) -> Found {
      var found = Found(
        path: path.hasSuffix("/") ? path + name : "\(path)/\(name)",
        reached: "\(reached)/\(name)"
      )
      found.isNamed = !name.unicodeScalars.contains("\u{FFFD}")
      return found
    }

    fileprivate func refused(_ refusal: Failure) -> Found {
      var found = self
      found.refusal = refusal
      return found
    }
  }

  /// The files, and in their places the directories that were not entered.
  private(set) var found: [Found] = []
  /// How many symbolic links, sockets and the like were left alone.
  private(set) var skipped = 0
  private let changes: Bool
  private var directories: [OpenDirectory] = []

  /// Finds the files; a directory is one only with `isRecursive`, and `changes` says whether anything becomes of them.
  init(_ paths: [String], isRecursive: Bool, changes: Bool = true) {
    self.changes = changes
    for path in paths {
      let named = Found(path: path, reached: path)
      guard isRecursive, named.isDirectory else {
        found.append(named)
        continue
      }
      do throws(Failure) {
        let directory = try OpenDirectory(named, changes: changes)
        let held = Found(path: path, reached: "/proc/self/fd/\(directory.descriptor.rawValue)")
        enter(held, try directory.names())
        directories.append(directory)
      } catch { found.append(named.refused(error)) }
    }
  }

  private func enter(_ directory: Found, _ names: [String]) {
    for name in names {
      let entry = directory.entry(name)
      switch entry.isNamed ? Self.type(of: entry.reached) : nil {
      case S_IFREG: found.append(entry)
      case S_IFDIR:
        do throws(Failure) {
          enter(entry, try OpenDirectory(entry, changes: changes).names())
        } catch { found.append(entry.refused(error)) }
      // It fails by itself: it is no reason to say that all is done.
      case nil: found.append(entry)
      default: skipped += 1
      }
    }
  }

  fileprivate static func type(of path: String) -> mode_t? {
    var status = stat()
    // SAFETY: the string and the pointer are valid for the call.
    return unsafe lstat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
  }
}

/// A directory; where files are to be changed, one of the caller's in which nobody else can put something in another's place.
private final class OpenDirectory {
  let descriptor: FileDescriptor
  private let path: String

  init(_ found: FileWalk.Found, changes: Bool) throws(Failure) {
    path = found.path
    let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
    // SAFETY: the string is a C string for the duration of the call.
    let opened = unsafe open(found.reached, flags)
    guard opened >= 0 else { throw Failure(.usage, errno: errno, "\(path) cannot be read") }
    descriptor = FileDescriptor(owning: opened)
    guard changes else { return }
    guard !StateDirectory.contains(descriptor) else {
      throw Failure(FileFailure.serviceState, path)
    }
    var status = stat()
    // SAFETY: the structure lives for the call.
    guard unsafe fstat(opened, &status) == 0 else {
      throw Failure(.internalError, errno: errno, "\(path) cannot be read")
    }
    guard status.st_uid == geteuid(), !descriptor.isOpenToOthers(status) else {
      throw Failure(.notPermitted, "Others can exchange what is in \(path): name the files.")
    }
  }

  func names() throws(Failure) -> [String] {
    var names: [String] = []
    do throws(SystemError) {
      let copy = FileDescriptor(owning: fcntl(descriptor.rawValue, F_DUPFD_CLOEXEC, 0))
      try copy.forEachName { name in
        names.append(name)
        return true
      }
    } catch { throw Failure(.internalError, errno: error.code, "\(path) cannot be read") }
    return names.sorted()
  }
}
