import Glibc

/// A lock that the kernel releases when its owner ends, even by a crash.
///
/// It is an `flock` on a file that is never removed. The file holds the owner's process id, for
/// error messages only.
public struct FileLock: ~Copyable, Sendable {
  private let descriptor: FileDescriptor

  /// Takes the lock `name` in `directory`, without waiting.
  ///
  /// A read-only file is locked as well, without recording the owner's process id.
  ///
  /// - Throws: ``FileLockError/held(by:)`` while the lock is held, also if this process holds it
  ///   through another open.
  public init(
    acquiring name: String,
    in directory: borrowing PrivateDirectory
  ) throws(FileLockError) {
    while true {
      let descriptor = try FileLock.open(name, in: directory)
      guard flock(descriptor.rawValue, LOCK_EX | LOCK_NB) == 0 else {
        if errno == EWOULDBLOCK { throw .held(by: FileLock.owner(in: descriptor.rawValue)) }
        if errno == EINTR { continue }
        throw .system(SystemError("flock", code: errno))
      }
      // The file may have been removed between open and lock: a lock on it excludes nobody.
      guard try FileLock.isCurrent(descriptor.rawValue, name, in: directory) else { continue }
      if fcntl(descriptor.rawValue, F_GETFL) & O_ACCMODE != O_RDONLY {
        try FileLock.recordOwner(in: descriptor.rawValue)
      }
      self.descriptor = descriptor
      return
    }
  }

  deinit {
    // Closing is not enough: a program that another thread is starting holds a copy of the
    // descriptor until its execve.
    flock(descriptor.rawValue, LOCK_UN)
  }

  private static func open(
    _ name: String,
    in directory: borrowing PrivateDirectory
  ) throws(FileLockError) -> FileDescriptor {
    let flags = O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK
    let directory = directory.descriptor.rawValue
    // SAFETY: the string is a C string for the length of the calls.
    var opened = unsafe openat(directory, name, O_RDWR | O_CREAT | flags, 0o600)
    let error = SystemError("openat", code: errno, subject: name)
    if opened < 0, error.forbidsWriting { opened = unsafe openat(directory, name, flags) }
    guard opened >= 0 else { throw .system(error) }
    return FileDescriptor(owning: opened)
  }

  private static func isCurrent(
    _ descriptor: Int32,
    _ name: String,
    in directory: borrowing PrivateDirectory
  ) throws(FileLockError) -> Bool {
    var locked = stat()
    var named = stat()
    // SAFETY: the pointers and the string are valid for the calls.
    guard unsafe fstat(descriptor, &locked) == 0 else {
      throw .system(SystemError("fstat", code: errno))
    }
    guard unsafe fstatat(directory.descriptor.rawValue, name, &named, AT_SYMLINK_NOFOLLOW) == 0
    else {
      if errno == ENOENT { return false }
      throw .system(SystemError("fstatat", code: errno, subject: name))
    }
    return locked.st_dev == named.st_dev && locked.st_ino == named.st_ino
  }

  private static func recordOwner(in descriptor: Int32) throws(FileLockError) {
    var line = "\(getpid())\n"
    // SAFETY: the buffer is the string's own, valid inside the closure.
    let written = line.withUTF8 { text in
      guard ftruncate(descriptor, 0) == 0 else { return -1 }
      return unsafe pwrite(descriptor, text.baseAddress, text.count, 0)
    }
    guard written == line.utf8.count else {
      throw .system(SystemError("pwrite", code: errno))
    }
  }

  private static func owner(in descriptor: Int32) -> Int32? {
    var digits = [UInt8](repeating: 0, count: 16)
    // SAFETY: the array's storage is valid for the call and `count` bytes long.
    let count = unsafe pread(descriptor, &digits, digits.count, 0)
    guard count > 0 else { return nil }
    let line = digits[..<count].prefix { $0 != UInt8(ascii: "\n") }
    return Int32(String(decoding: line, as: UTF8.self))
  }
}

/// Why a lock was not taken.
public enum FileLockError: Error, CustomStringConvertible {
  /// The lock is held; the process id is the recorded one, nil if there is none.
  case held(by: Int32?)
  /// A system call failed.
  case system(SystemError)

  /// One line that says what to do.
  public var description: String {
    switch self {
    case .held(let owner):
      "the lock is held by \(owner.map { "process \($0)" } ?? "another process"): "
        + "wait for it to end, or stop it"
    case .system(let error): "the lock cannot be taken: \(error)"
    }
  }
}
