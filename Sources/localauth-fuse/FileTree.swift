import CLocalAuthFuse
import CLocalAuthLinux
import Glibc
import LocalAuthFileFormat
import LocalAuthFiles
import LocalAuthUnix
import Synchronization

/// A directory with protected files, as the file system shows it.
///
/// Any thread asks it. Names are those of the directory, byte for byte.
final class FileTree: Sendable {
  let files: ProtectedFiles
  let nodes: NodeTable
  let listings = Mutex(Listings())
  let lingering: LingeringFiles
  /// What was heard of the lock last.
  let heard: Mutex<DataAvailability>
  /// The session in which the kernel asks, once the tree is mounted.
  let session = Mutex<MountSession?>(nil)
  private let device: dev_t

  /// The tree below the open directory `root`.
  init(_ root: consuming FileDescriptor, _ files: ProtectedFiles) throws(Refusal) {
    let status = try Node.rawStatus(of: root.rawValue)
    device = status.st_dev
    nodes = NodeTable(Node(Node.root, root, status))
    do throws(SystemError) { lingering = try LingeringFiles() } catch { throw Refusal(error.code) }
    self.files = files
    heard = Mutex(files.availability)
  }

  /// Seals all files that are open.
  func sealAll() { for node in nodes.all { node.shut() } }

  // MARK: Names

  /// What `name` in a directory leads to.
  @unsafe
  func lookup(_ name: UnsafePointer<CChar>, in parent: UInt64) throws(Refusal) -> la_fuse_entry {
    let directory = try nodes.node(parent)
    // SAFETY: the caller's string is a C string for the duration of the call.
    let place = try Refusal.checkShim(unsafe la_entry_hold(directory.descriptor, name))
    return try entry(of: FileDescriptor(owning: place))
  }

  /// Tells the kernel of the file on `place`, after `body` has begun its content.
  func entry(
    of place: consuming FileDescriptor,
    _ body: (Node) -> Void = { _ in }
  ) throws(Refusal) -> la_fuse_entry {
    let status = try Node.rawStatus(of: place.rawValue)
    // Numbers of files are those of one file system.
    guard status.st_dev == device else { throw Refusal(EXDEV) }
    let node = nodes.lookup(place, status)
    body(node)
    do throws(Refusal) {
      return la_fuse_entry(node: node.number, status: try node.status())
    } catch {
      nodes.forget(node.number, 1)
      throw error
    }
  }

  /// Makes a directory, whose default is that of its parent.
  @unsafe
  func makeDirectory(
    _ name: UnsafePointer<CChar>,
    in parent: UInt64,
    _ mode: UInt32
  ) throws(Refusal) -> la_fuse_entry {
    let directory = try nodes.node(parent)
    let standard = try Refusal.translating { () throws(FileFailure) in
      try DirectoryDefault.of(directory.path)
    }
    // SAFETY: the caller's string is a C string for the duration of the calls.
    try Refusal.check(unsafe mkdirat(directory.descriptor, name, mode))
    let made: la_fuse_entry
    do throws(Refusal) { made = try unsafe lookup(name, in: parent) } catch {
      unsafe unlinkat(directory.descriptor, name, AT_REMOVEDIR)
      throw error
    }
    guard let standard else { return made }
    do throws(Refusal) {
      let node = try nodes.node(made.node)
      try Refusal.translating { () throws(FileFailure) in
        do throws(FileFailure) { try DirectoryDefault.set(standard, of: node.path) } catch {
          // Where others can write, or own what is made, no default counts, and files are complete.
          guard error == .othersCanWrite || error == .foreignOwner else { throw error }
        }
      }
      return made
    } catch {
      nodes.forget(made.node, 1)
      unsafe unlinkat(directory.descriptor, name, AT_REMOVEDIR)
      throw error
    }
  }

  /// Makes a symbolic link, whose target is as little secret as a name.
  @unsafe
  func makeLink(
    to target: UnsafePointer<CChar>,
    _ name: UnsafePointer<CChar>,
    in parent: UInt64
  ) throws(Refusal) -> la_fuse_entry {
    // SAFETY: the caller's strings are C strings for the duration of the call.
    try Refusal.check(unsafe symlinkat(target, nodes.node(parent).descriptor, name))
    return try unsafe lookup(name, in: parent)
  }

  /// Removes a name.
  @unsafe
  func remove(
    _ name: UnsafePointer<CChar>,
    in parent: UInt64,
    isDirectory: Bool
  ) throws(Refusal) {
    let directory = try nodes.node(parent)
    // SAFETY: the caller's string is a C string for the duration of the call.
    try Refusal.check(
      unsafe unlinkat(directory.descriptor, name, isDirectory ? AT_REMOVEDIR : 0)
    )
  }

  /// `RENAME_NOREPLACE` and `RENAME_EXCHANGE`.
  private static let renameFlags: UInt32 = 1 | 2

  /// Gives a file another name; it stays protected as it is.
  @unsafe
  func rename(
    _ name: UnsafePointer<CChar>,
    in parent: UInt64,
    to newName: UnsafePointer<CChar>,
    in newParent: UInt64,
    _ flags: UInt32
  ) throws(Refusal) {
    // A whiteout would be a device in the directory.
    guard flags & ~Self.renameFlags == 0 else { throw Refusal(EINVAL) }
    let (old, new) = (try nodes.node(parent).descriptor, try nodes.node(newParent).descriptor)
    // SAFETY: the caller's strings are C strings for the duration of the call.
    try Refusal.checkShim(unsafe la_held_rename(old, name, new, newName, flags))
  }

  /// The target of a symbolic link.
  @unsafe
  func target(
    of number: UInt64,
    _ room: UnsafeMutablePointer<CChar>,
    _ size: Int
  ) throws(Refusal)
    -> Int
  {
    // SAFETY: the caller's buffer has that size.
    let count = unsafe readlinkat(try nodes.node(number).descriptor, "", room, size)
    guard count >= 0 else { throw .ofLastCall }
    return count
  }

  /// The space on the file system below.
  @unsafe
  func space(_ space: UnsafeMutablePointer<statvfs>) throws(Refusal) {
    // SAFETY: the structure is the caller's.
    try Refusal.check(unsafe fstatvfs(try nodes.node(Node.root).descriptor, space))
  }
}
