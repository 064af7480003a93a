import CLocalAuthFuse
import CLocalAuthLinux
import Glibc
import LocalAuthFileFormat
import LocalAuthFiles
import LocalAuthUnix
import Synchronization

/// What is in files.
extension FileTree {
  /// Opens a file for a program; returns its handle.
  func open(_ number: UInt64, _ flags: Int32) throws(Refusal) -> UInt64 {
    let (handle, wasSealed) = try regular(number).open(flags, files)
    // Where a program ended while it wrote, the content may end elsewhere than the size on the disk says.
    if !wasSealed { session.withLock { $0 }?.forgetStatus(of: number) }
    return handle
  }

  /// Makes a file, which has its name once it is a protected one, and opens it.
  @unsafe
  func create(
    _ name: UnsafePointer<CChar>,
    in parent: UInt64,
    _ mode: UInt32,
    _ flags: Int32
  ) throws(Refusal) -> (la_fuse_entry, UInt64) {
    let directory = try nodes.node(parent)
    let standard = try Refusal.translating { () throws(FileFailure) in
      try DirectoryDefault.of(directory.path)
    }
    let unnamed = la_unnamed_file(directory.descriptor, mode)
    guard unnamed >= 0 else { throw Refusal(-unnamed) }
    let made = FileDescriptor(owning: unnamed)
    let file = try Refusal.translating { () throws(FileFailure) in
      try files.begin(on: unnamed, standard ?? .complete)
    }
    // Once the file has its name, nothing fails that takes a descriptor.
    let place = FileDescriptor(owning: try Refusal.checkShim(la_held_again(unnamed)))
    let path = "/proc/self/fd/\(unnamed)"
    // SAFETY: the strings are C strings for the duration of the call.
    guard unsafe linkat(AT_FDCWD, path, directory.descriptor, name, AT_SYMLINK_FOLLOW) == 0 else {
      guard errno == EEXIST, flags & O_EXCL == 0 else { throw .ofLastCall }
      return try unsafe openThere(name, in: parent, flags)
    }
    var opened: (node: Node, handle: UInt64)?
    do throws(Refusal) {
      let entry = try entry(of: place) { opened = ($0, $0.begin(file, on: made, flags)) }
      return (entry, opened?.handle ?? 0)
    } catch {
      // The program does not have it, and so will not close it; others may know the node by then.
      if let opened { _ = opened.node.release(opened.handle) }
      throw error
    }
  }

  /// Opens a file that somebody else has made meanwhile.
  @unsafe
  private func openThere(
    _ name: UnsafePointer<CChar>,
    in parent: UInt64,
    _ flags: Int32
  ) throws(Refusal) -> (la_fuse_entry, UInt64) {
    let entry = try unsafe lookup(name, in: parent)
    do throws(Refusal) { return (entry, try open(entry.node, flags)) } catch {
      nodes.forget(entry.node, 1)
      throw error
    }
  }

  @unsafe
  func read(
    _ number: UInt64,
    _ room: UnsafeMutableRawBufferPointer,
    at offset: Int64
  ) throws(Refusal) -> Int {
    try regular(number).withFile(files, for: .read) { (file, _) throws(FileFailure) in
      try unsafe file.read(room, at: Int(offset))
    }
  }

  /// Writes `bytes` at `offset`, or behind the content for a program that appends where the kernel takes that to end
  /// elsewhere: it asks for no size then.
  @unsafe
  func write(
    _ number: UInt64,
    _ bytes: UnsafeRawBufferPointer,
    at offset: Int64,
    appends: Bool
  ) throws(Refusal) {
    let start = try regular(number).withFile(files, for: .write) {
      (file, content) throws(FileFailure) in
      let length = try file.length
      content.end.compare(length)
      let start = content.end.start(of: Int(offset), length, appends: appends)
      try checkSpace(for: start + bytes.count, file)
      try unsafe file.write(bytes, at: start)
      content.end.reaches(Int(offset) + bytes.count)
      return start
    }
    // The kernel has them in memory where it takes the end to be.
    if start != Int(offset) { lingering.forgetPages(of: number) }
  }

  /// Seals what was written to a file, for a program that synchronizes it, or that writes and closes it.
  func seal(_ number: UInt64, _ handle: UInt64, closes: Bool) throws(Refusal) {
    let node = try nodes.node(number)
    if node.isRegular { try node.seal(handle, closes: closes) }
  }

  /// A program has closed a file.
  func release(_ number: UInt64, _ handle: UInt64) {
    guard let node = try? nodes.node(number), node.isRegular else { return }
    if node.release(handle) { lingering.add(node) }
    // What stayed because it was open goes, if the device is locked.
    if !node.isKept(heard.withLock { $0 }) { lingering.forgetPages(of: number) }
  }

  /// Makes a file at least as long as that; what is new is zeros, and no hole.
  func reserve(
    _ number: UInt64,
    _ mode: Int32,
    _ offset: Int64,
    _ length: Int64
  ) throws(Refusal) {
    guard mode == 0 else { throw Refusal(EOPNOTSUPP) }
    let (end, overflows) = offset.addingReportingOverflow(length)
    guard !overflows else { throw Refusal(EFBIG) }
    try regular(number).withFile(files, for: .write) { (file, content) throws(FileFailure) in
      if try file.length < Int(end) {
        try checkSpace(for: Int(end), file)
        try file.truncate(to: Int(end))
      }
      content.end.reaches(Int(end))
    }
  }

  func truncate(_ node: Node, to length: Int) throws(Refusal) {
    guard node.isRegular else { throw Refusal(EINVAL) }
    try node.withFile(files, for: .write) { (file, _) throws(FileFailure) in
      try checkSpace(for: length, file)
      try file.truncate(to: length)
    }
  }

  /// Throws if a file that becomes as long as that fits on no disk: its zeros take space as all content does.
  private func checkSpace(for length: Int, _ file: ProtectedFile) throws(FileFailure) {
    let growth = length - (try file.length)
    guard growth > ProtectedFile.partSize else { return }
    var space = statvfs()
    do throws(Refusal) { try unsafe self.space(&space) } catch {
      throw .file(.system(call: "fstatvfs", code: error.code))
    }
    let (free, overflows) = Int(clamping: space.f_bavail)
      .multipliedReportingOverflow(by: Int(clamping: space.f_frsize))
    guard growth <= free || overflows else { throw .file(.system(call: "pwrite", code: ENOSPC)) }
  }

  private func regular(_ number: UInt64) throws(Refusal) -> Node {
    let node = try nodes.node(number)
    guard node.isRegular else { throw Refusal(EINVAL) }
    return node
  }
}
