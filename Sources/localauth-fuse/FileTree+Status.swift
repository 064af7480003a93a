import CLocalAuthFuse
import Glibc
import LocalAuthFileFormat
import LocalAuthFiles
import LocalAuthKeychain
import LocalAuthUnix
import Synchronization

extension Node {
  /// What programs see of the file: its size is that of the content.
  ///
  /// While nobody has it open, the size is what the file itself seems to say, and only opening it verifies that.
  func status() throws(Refusal) -> stat {
    guard isRegular else { return try Self.rawStatus(of: descriptor) }
    return try content.withLock { (content) throws(Refusal) in
      // Under the lock, or the size would be that of a file that is being written.
      var status = try Self.rawStatus(of: descriptor)
      if let length = try? content.file?.length {
        status.st_size = length
      } else if let seen = try appearance() {
        status.st_size = seen.length
      }
      if let modified = content.modified { status.st_mtim = modified }
      content.end.wasTold(Int(status.st_size))
      return status
    }
  }

  /// The newest header and how long the content seems to be, which nothing has verified; nil if there is no header, or
  /// the file's mode hides it.
  private func appearance() throws(Refusal) -> (header: FileHeader, length: Int)? {
    let file: FileDescriptor
    do throws(Refusal) { file = try openUnseen() } catch {
      guard error.code == EACCES else { throw error }
      return nil
    }
    do throws(ProtectedFileError) {
      let header = try FileHeader.unverified(of: file.rawValue)
      return (header, try header.likelyLength(of: file.rawValue))
    } catch {
      guard case .system(_, let code) = error else { return nil }
      throw Refusal(code)
    }
  }

  /// Opens the file to look at its header: its time of access is that of programs, as far as the file is the caller's.
  private func openUnseen() throws(Refusal) -> FileDescriptor {
    do throws(Refusal) { return try open(O_RDONLY | Int32(LA_OPEN_UNSEEN)) } catch {
      guard error.code == EPERM else { throw error }
      return try open(O_RDONLY)
    }
  }

  /// How a regular file is protected; nil if it is not.
  func protection() throws(Refusal) -> FileProtection? {
    if let open = content.withLock({ $0.file?.protection }) { return open }
    return try appearance()?.header.protection
  }
}

/// What is said of files, and what of it is changed.
extension FileTree {
  func status(of number: UInt64) throws(Refusal) -> stat { try nodes.node(number).status() }

  /// Changes what `what` names; returns what there is then.
  func setStatus(
    of number: UInt64,
    _ what: Int32,
    _ wanted: stat
  ) throws(Refusal) -> stat {
    let node = try nodes.node(number)
    if what & Int32(LA_FUSE_MODE) != 0 {
      // SAFETY: the string is a C string for the duration of the call.
      try Refusal.check(unsafe chmod(node.path, wanted.st_mode & 0o7777))
    }
    if what & Int32(LA_FUSE_USER | LA_FUSE_GROUP) != 0 {
      let user = what & Int32(LA_FUSE_USER) != 0 ? wanted.st_uid : uid_t.max
      let group = what & Int32(LA_FUSE_GROUP) != 0 ? wanted.st_gid : gid_t.max
      try Refusal.checkShim(la_held_set_owner(node.descriptor, user, group))
    }
    if what & Int32(LA_FUSE_SIZE) != 0 { try truncate(node, to: Int(wanted.st_size)) }
    if what & Int32(LA_FUSE_ACCESSED | LA_FUSE_MODIFIED) != 0 {
      try setTimes(of: node, what, wanted)
    }
    return try node.status()
  }

  private func setTimes(of node: Node, _ what: Int32, _ wanted: stat) throws(Refusal) {
    func time(_ named: Int, _ now: Int, _ value: timespec) -> timespec {
      if what & Int32(now) != 0 { return Node.now }
      return what & Int32(named) != 0 ? value : Node.kept
    }
    let accessed = time(LA_FUSE_ACCESSED, LA_FUSE_ACCESSED_NOW, wanted.st_atim)
    let modified = time(LA_FUSE_MODIFIED, LA_FUSE_MODIFIED_NOW, wanted.st_mtim)
    try node.setTimes(accessed: accessed, modified: modified)
    guard what & Int32(LA_FUSE_MODIFIED) != 0 else { return }
    // What seals the file later keeps to it.
    node.content.withLock { if $0.isOpen { $0.modified = modified } }
  }

  /// Waits until the names in a directory are on the disk.
  func synchronizeDirectory(_ number: UInt64) throws(Refusal) {
    let directory = try nodes.node(number).open(O_RDONLY | O_DIRECTORY)
    try Refusal.check(fsync(directory.rawValue))
  }
}
