import CLocalAuthLinux
import Glibc

/// A configuration file or directory, resolved step by step from the root and held open.
///
/// Holding each step open prevents replacement between the check and the use. A user who can write
/// to a directory can replace its entries, so every directory on the path, every symbolic link and
/// every link target must belong to root, or outside of `/etc` to root or this process's user, and
/// be writable by the owner only. A world-writable directory is passed only if it is sticky, as
/// `/tmp` is, and only to a subdirectory: the sticky bit keeps others from moving that, but they
/// could hard-link files of the owner into it.
struct ConfigurationPath: ~Copyable {
  /// The most symbolic links to follow; the kernel's own limit.
  private static let linksMax = 40

  /// The path, with the links that were followed resolved.
  private var path: String
  private var entry: Entry
  /// The user who may own it as well as root; 0 for none.
  private let owner: UInt32

  /// Resolves `path`; nil if nothing exists there.
  ///
  /// Below `/etc`, even the path to a missing entry must be trusted: a user who can write to a
  /// directory on it could have removed the entry.
  static func find(_ path: String) throws(ConfigurationFileError) -> ConfigurationPath? {
    let isRoots = path.hasPrefix("/etc/")
    do throws(ConfigurationFileError) {
      guard let absolute = ProcessEnvironment.current.absolute(path) else {
        throw .system(SystemError("getcwd", code: ENOENT, subject: path))
      }
      var place = try Self.root(for: isRoots ? 0 : geteuid())
      guard try place.walk(absolute) else { return nil }
      return place
    } catch {
      guard isRoots || Self.isThere(path) else { return nil }
      throw error
    }
  }

  /// Resolves the entry `name` of this directory.
  borrowing func entry(_ name: String) throws(ConfigurationFileError) -> ConfigurationPath {
    if let here = try Entry(holding: ".", in: entry.number, path) {
      var place = ConfigurationPath(path: path, entry: here, owner: owner)
      if try place.walk(name) { return place }
    }
    throw .system(SystemError("openat", code: ENOENT, subject: "\(path)/\(name)"))
  }

  /// Reads the file, up to `limit` + 1 bytes; the extra byte shows that the file is larger.
  borrowing func bytes(limit: Int) throws(ConfigurationFileError) -> [UInt8] {
    guard entry.kind == S_IFREG else { throw .notRegular(path: path) }
    var bytes: [UInt8] = []
    do throws(SystemError) {
      while bytes.count <= limit {
        let chunk = try entry.descriptor.readAvailable(limit: limit + 1 - bytes.count)
        if chunk.isEmpty { break }
        bytes += chunk
      }
    } catch {
      throw .system(error)
    }
    return bytes
  }

  /// The sorted names in the directory without hidden ones; fails if others can write to it.
  borrowing func names(max: Int) throws(ConfigurationFileError) -> [String] {
    guard entry.kind == S_IFDIR else { throw .notDirectory(path: path) }
    guard !entry.isWritable else { throw .writable(path: path) }
    guard let here = try Entry(reading: ".", in: entry.number, path) else { return [] }
    var names: [String] = []
    var isTooMany = false
    do throws(SystemError) {
      try FileDescriptor(owning: here.release()).forEachName { name in
        guard !name.hasPrefix(".") else { return true }
        isTooMany = names.count >= max
        if !isTooMany { names.append(name) }
        return !isTooMany
      }
    } catch { throw .system(SystemError(error.call, code: error.code, subject: path)) }
    guard !isTooMany else { throw .tooMany(path: path, limit: max) }
    return names.sorted()
  }

  private static func isThere(_ path: String) -> Bool {
    var status = stat()
    // SAFETY: the string and the pointer are valid for the call.
    return unsafe lstat(path, &status) == 0 || (errno != ENOENT && errno != ENOTDIR)
  }
}

// MARK: Steps

extension ConfigurationPath {
  private enum Step {
    case nothing
    case taken
    case link(String)
  }

  private static func root(for owner: UInt32) throws(ConfigurationFileError) -> ConfigurationPath {
    guard let root = try Entry(holding: "/", in: AT_FDCWD, "/") else {
      throw .notDirectory(path: "/")
    }
    let place = ConfigurationPath(path: "/", entry: root, owner: owner)
    try place.check(place.entry, "/")
    return place
  }

  /// Walks on to `path`; false if it does not exist.
  private mutating func walk(_ path: String) throws(ConfigurationFileError) -> Bool {
    let goal = path.utf8.first == UInt8(ascii: "/") ? path : "\(self.path)/\(path)"
    var rest = Self.parts(path)
    // The number of remaining components that come from the path itself and not from a link.
    var asked = rest.count
    var links = 0
    while let name = rest.popLast() {
      let isAsked = rest.count < asked
      asked = min(asked, rest.count)
      switch try step(to: name) {
      case .taken: break
      case .nothing where isAsked: return false
      case .nothing: throw .leadsNowhere(path: goal)
      case .link(let target):
        links += 1
        guard links <= Self.linksMax else {
          throw .system(SystemError("openat", code: ELOOP, subject: goal))
        }
        if target.utf8.first == UInt8(ascii: "/") { self = try Self.root(for: owner) }
        rest += Self.parts(target)
      }
    }
    return true
  }

  /// The components of `path`, the first one last.
  private static func parts(_ path: String) -> [String] {
    components(ofPath: path).reversed()
  }

  private mutating func step(to name: String) throws(ConfigurationFileError) -> Step {
    guard entry.kind == S_IFDIR else { throw .notDirectory(path: path) }
    let path = self.path == "/" ? "/\(name)" : "\(self.path)/\(name)"
    guard var next = try Entry(holding: name, in: entry.number, path) else { return .nothing }
    try check(next, path)
    if next.kind == S_IFLNK { return .link(try next.target(path)) }
    if next.kind == S_IFREG {
      guard let file = try Entry(reading: name, in: entry.number, path) else { return .nothing }
      // It may have been replaced since it was checked.
      try check(file, path)
      next = file
    }
    self.path = path
    entry = next
    return .taken
  }

  /// Throws if another user could have put `next` at its place in this directory.
  private func check(_ next: borrowing Entry, _ path: String) throws(ConfigurationFileError) {
    guard [S_IFREG, S_IFDIR, S_IFLNK].contains(next.kind) else { throw .notRegular(path: path) }
    guard next.owner == 0 || next.owner == owner else {
      throw .owner(path: path, user: next.owner, expected: owner)
    }
    if next.kind == S_IFDIR {
      guard !next.isWritable || next.isSticky else { throw .writable(path: path) }
    } else {
      guard next.kind == S_IFLNK || !next.isWritable else { throw .writable(path: path) }
      guard !entry.isWritable else { throw .shared(path: path) }
    }
  }
}

/// One opened path component and its status.
private struct Entry: ~Copyable {
  let descriptor: FileDescriptor
  private let status: stat

  /// Opens an entry of any kind with O_PATH, to inspect it and walk on; nil if it does not exist.
  init?(
    holding name: String,
    in directory: Int32,
    _ path: String
  ) throws(ConfigurationFileError) {
    // SAFETY: the string is a C string for the call.
    try self.init(unsafe la_entry_hold(directory, name), path)
  }

  /// Opens a file or a directory for reading; nil if it does not exist.
  init?(
    reading name: String,
    in directory: Int32,
    _ path: String
  ) throws(ConfigurationFileError) {
    // SAFETY: the string is a C string for the call.
    try self.init(unsafe la_entry_read(directory, name), path)
  }

  private init?(_ number: Int32, _ path: String) throws(ConfigurationFileError) {
    guard number != -ENOENT else { return nil }
    guard number >= 0 else {
      throw .system(SystemError("openat", code: -number, subject: path))
    }
    let opened = FileDescriptor(owning: number)
    var status = stat()
    // SAFETY: the pointer is valid for the call.
    guard unsafe fstat(number, &status) == 0 else {
      throw .system(SystemError("fstat", code: errno, subject: path))
    }
    descriptor = opened
    self.status = status
  }

  consuming func release() -> Int32 { descriptor.release() }

  var number: Int32 { descriptor.rawValue }
  var kind: mode_t { status.st_mode & S_IFMT }
  var owner: UInt32 { status.st_uid }
  /// Whether the group or others may write to it.
  var isWritable: Bool { status.st_mode & 0o022 != 0 }
  /// Whether only owners can remove or rename its entries.
  var isSticky: Bool { status.st_mode & 0o1000 != 0 }

  /// The target of a symbolic link.
  func target(_ path: String) throws(ConfigurationFileError) -> String {
    var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
    // SAFETY: the array has `count` bytes, which the call does not exceed.
    let count = unsafe readlinkat(number, "", &bytes, bytes.count)
    guard count > 0 else {
      throw .system(SystemError("readlinkat", code: errno, subject: path))
    }
    return String(decoding: bytes.prefix(count), as: UTF8.self)
  }
}
