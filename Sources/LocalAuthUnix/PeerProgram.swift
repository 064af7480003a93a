import CLocalAuthLinux
import Glibc
public import LocalAuthCore

/// What the kernel reports about the program of a peer, beyond its user.
///
/// Everything is read through one `/proc` directory, opened once. A reference to the process that
/// connected shows before and after each read that it still lives, so its id cannot have passed to
/// another process whose properties would then be reported. Each read reflects the present, not the
/// moment of the connection.
public final class PeerProgram: Sendable {
  private let processID: Int32
  private let userID: UInt32
  private let process: ProcessReference
  private let directory: FileDescriptor

  /// Opens the process behind `peer`.
  public convenience init(of peer: PeerIdentity) throws(PeerProgramError) {
    guard let process = peer.process else { throw .unseen }
    try self.init(processID: peer.processID, userID: peer.userID, process: process)
  }

  init(processID: Int32, userID: UInt32, process: ProcessReference) throws(PeerProgramError) {
    self.processID = processID
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

  /// What a process belongs to: its session if it has a terminal, otherwise itself.
  public struct Place: Hashable, Sendable {
    /// The terminal's device number; 0 for none.
    public let terminal: UInt32
    /// The session leader if there is a terminal, otherwise the process.
    public let processID: Int32
    /// The start time of that process, in ticks since boot.
    public let start: UInt64
  }

  /// The session of a process that has a terminal, whose leader must still live; else the process.
  public func place() throws(PeerProgramError) -> Place {
    let own = try statusFile("stat")
    guard own.terminal != 0 else {
      return Place(terminal: 0, processID: processID, start: own.start)
    }
    // A session's id is not reused for a process while any of its processes lives.
    let leader = try statusFile("../\(own.session)/stat")
    guard own.session > 0, leader.session == own.session else { throw .noSession }
    return Place(terminal: own.terminal, processID: own.session, start: leader.start)
  }

  /// The current session of the process: audit's, which a login sets, else that of setsid(2).
  public func loginSession() throws(PeerProgramError) -> LoginSession {
    if let audited = try auditNumber("sessionid") { return .audit(audited) }
    let own = try statusFile("stat")
    guard own.session > 0 else { throw .noSession }
    return .processes(of: own.session)
  }

  /// The login that the process descends from, as recorded by audit; only root's rights can change
  /// it.
  ///
  /// Nil if there was none, or if the kernel does not audit.
  public func auditLogin() throws(PeerProgramError) -> AuditLogin? {
    guard let session = try auditNumber("sessionid"), let user = try auditNumber("loginuid") else {
      return nil
    }
    return AuditLogin(session: session, user: user)
  }

  /// Reads an audit number; nil if no login has set it, or if the kernel does not audit.
  private func auditNumber(_ name: String) throws(PeerProgramError) -> UInt32? {
    let text: [UInt8]
    do throws(PeerProgramError) {
      text = try read(name, sizeLimit: 16)
    } catch {
      if case .system = error { return nil }
      throw error
    }
    let digits = text.prefix { $0 != UInt8(ascii: "\n") }
    // The highest number means unset.
    return UInt32(String(decoding: digits, as: UTF8.self)).flatMap { $0 == .max ? nil : $0 }
  }

  private func statusFile(_ name: String) throws(PeerProgramError) -> ProcessStatFile {
    guard let file = ProcessStatFile(try read(name, sizeLimit: 4096)) else { throw .noSession }
    return file
  }

  /// The file of the program that the process runs; throws as ``runs(_:)`` does.
  public func executable() throws(PeerProgramError) -> (device: UInt64, inode: UInt64) {
    let status = try executableStatus()
    return (UInt64(status.st_dev), UInt64(status.st_ino))
  }

  /// Whether the process runs exactly `file`, whatever its name is now.
  ///
  /// Throws for a process that is not dumpable (prctl(2), PR_SET_DUMPABLE), and for a process of
  /// another user unless we are root.
  public func runs(_ file: ExecutableFile) throws(PeerProgramError) -> Bool {
    ExecutableFile(try executableStatus()) == file
  }

  private func executableStatus() throws(PeerProgramError) -> stat {
    try whileAlive { () throws(SystemError) in
      var status = stat()
      // SAFETY: the string and the pointer are valid for the call.
      guard unsafe fstatat(directory.rawValue, "exe", &status, 0) == 0 else {
        throw SystemError("stat", code: errno, subject: "/proc/PID/exe")
      }
      return status
    }
  }

  /// Checks the user of a process that was looked up by id.
  ///
  /// The id may have passed to a process of another user between the connection and the lookup.
  private func checkUser() throws(PeerProgramError) {
    guard !process.isFromConnection else { return }
    let users = try read("status", sizeLimit: 65_536).split(separator: UInt8(ascii: "\n"))
      .first { $0.starts(with: "Uid:".utf8) }?
      .split { $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: " ") }
    // Real, effective, saved and file system uid; SO_PEERCRED reports the effective one.
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

/// Why a property of a peer's program is unknown.
public enum PeerProgramError: Error, Hashable, CustomStringConvertible {
  /// There is no reference to the process: it had ended already, or cannot be seen from here.
  case unseen
  /// The process has ended.
  case ended
  /// The process with that id belongs to another user than the one who connected.
  case otherUser
  /// The process has no control group with a path visible from here.
  case noControlGroup
  /// The session's leader has ended or cannot be seen, or the kernel's answer cannot be parsed.
  case noSession
  /// A file of the process could not be read.
  case system(SystemError)

  /// One line.
  public var description: String {
    switch self {
    case .unseen: "the caller's process cannot be seen"
    case .ended: "the caller's process has ended"
    case .otherUser: "the caller's process runs as another user than the one who connected"
    case .noControlGroup: "the caller's control group has no path that can be told from here"
    case .noSession: "the caller's session cannot be told from here"
    case .system(let error): "the caller's process cannot be read: \(error)"
    }
  }
}
