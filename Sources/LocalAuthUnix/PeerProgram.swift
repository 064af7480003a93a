import CLocalAuthLinux
import Glibc

/// What the kernel says about the program at the other end of a connection, beyond its user.
///
/// Everything is read from one directory of `/proc` that stands for one process, while a hold on the
/// process that connected shows before and after that it lives: so its number has not been given to
/// another one, which would then lend it what it is. Every reading is of now, not of the moment of
/// the connection.
public final class PeerProgram: Sendable {
  private let userID: UInt32
  private let process: ProcessReference
  private let directory: FileDescriptor

  /// The process behind `peer`.
  public convenience init(of peer: PeerIdentity) throws(PeerProgramError) {
    guard let process = peer.process else { throw .unseen }
    try self.init(processID: peer.processID, userID: peer.userID, process: process)
  }

  init(processID: Int32, userID: UInt32, process: ProcessReference) throws(PeerProgramError) {
    self.userID = userID
    self.process = process
    let path = "/proc/\(processID)"
    // SAFETY: the path is a C string for the call.
    let opened = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    let code = errno
    guard processID > 0, opened >= 0 else {
      if process.hasEnded { throw .ended }
      throw .system(SystemError("open", code: code, subject: path))
    }
    directory = FileDescriptor(owning: opened)
    guard !process.hasEnded else { throw .ended }
    try checkUser()
  }

  /// The path of the process's control group; see ``ControlGroupFile``.
  public func controlGroup() throws(PeerProgramError) -> String {
    let text = try read("cgroup", sizeLimit: 65_536)
    guard let path = ControlGroupFile.path(in: text) else { throw .noControlGroup }
    return path
  }

  /// Whether the process runs `file`: the very file, whatever it is called now.
  ///
  /// Not for a process that forbids to be looked into (prctl(2), PR_SET_DUMPABLE), nor for another
  /// user's unless we are root: that throws.
  public func runs(_ file: ExecutableFile) throws(PeerProgramError) -> Bool {
    try whileAlive { () throws(SystemError) in
      var status = stat()
      // SAFETY: the string and the pointer are valid for the call.
      guard unsafe fstatat(directory.rawValue, "exe", &status, 0) == 0 else {
        throw SystemError("stat", code: errno, subject: "/proc/PID/exe")
      }
      return ExecutableFile(status) == file
    }
  }

  /// Where the process was looked up by its number, a process of another user may have got that
  /// number between connecting and looking up; the user, at least, must be the one who connected.
  private func checkUser() throws(PeerProgramError) {
    guard !process.isFromConnection else { return }
    let users = try read("status", sizeLimit: 65_536).split(separator: UInt8(ascii: "\n"))
      .first { $0.starts(with: "Uid:".utf8) }?
      .split { $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: " ") }
    // Real, effective, saved and of the file system; SO_PEERCRED tells the effective one.
    guard let users, users.count == 5, users[2].elementsEqual("\(userID)".utf8) else {
      throw .otherUser
    }
  }

  private func read(_ name: String, sizeLimit: Int) throws(PeerProgramError) -> [UInt8] {
    try whileAlive { () throws(SystemError) in
      let subject = "/proc/PID/\(name)"
      // SAFETY: the name is a C string for the call.
      let opened = unsafe openat(directory.rawValue, name, O_RDONLY | O_CLOEXEC)
      guard opened >= 0 else { throw SystemError("open", code: errno, subject: subject) }
      let file = FileDescriptor(owning: opened)
      var bytes: [UInt8] = []
      while bytes.count <= sizeLimit {
        let chunk = try file.readAvailable(limit: sizeLimit + 1 - bytes.count)
        if chunk.isEmpty { return bytes }
        bytes += chunk
      }
      throw SystemError("read", code: EFBIG, subject: subject)
    }
  }

  private func whileAlive<Fact>(
    _ body: () throws(SystemError) -> Fact
  ) throws(PeerProgramError) -> Fact {
    guard !process.hasEnded else { throw .ended }
    let fact: Fact
    do throws(SystemError) {
      fact = try body()
    } catch {
      throw process.hasEnded ? .ended : .system(error)
    }
    guard !process.hasEnded else { throw .ended }
    return fact
  }
}

/// Why something about a peer's program cannot be known.
public enum PeerProgramError: Error, Hashable, CustomStringConvertible {
  /// There is no hold on the process: it was gone at once, or cannot be seen from here.
  case unseen
  /// The process has ended.
  case ended
  /// The process of that number is not of the user who connected.
  case otherUser
  /// The kernel's list has no control group that can be told by a path.
  case noControlGroup
  /// A file of the process could not be read.
  case system(SystemError)

  /// One line.
  public var description: String {
    switch self {
    case .unseen: "the caller's process cannot be seen"
    case .ended: "the caller's process has ended"
    case .otherUser: "the caller's process runs as another user than the one who connected"
    case .noControlGroup: "the caller's control group has no path that can be told from here"
    case .system(let error): "the caller's process cannot be read: \(error)"
    }
  }
}
