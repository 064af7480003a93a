import CLocalAuthLinux
import Glibc

/// The process at the other end of a connection, as reported by the kernel at accept.
public struct PeerIdentity: Sendable {
  /// The process that connected; 0 if it is in a pid namespace that we cannot see.
  public let processID: Int32
  /// Its effective user when it connected.
  public let userID: UInt32
  /// Its effective group when it connected.
  public let groupID: UInt32
  /// A reference to that process; the last copy of the identity closes its descriptor.
  ///
  /// Nil if the process had ended already or cannot be seen.
  public let process: ProcessReference?

  /// Asks the kernel for the peer of `socket`.
  public init(of socket: Int32) throws(SystemError) {
    var peer = la_peer()
    // SAFETY: the shim fills `peer`, which outlives the call.
    _ = try unsafe SystemError.check(la_peer_credentials(socket, &peer), "getsockopt SO_PEERCRED")
    processID = peer.pid
    userID = peer.uid
    groupID = peer.gid
    process = ProcessReference(peerOf: socket, processID: peer.pid)
  }

  init(processID: Int32, userID: UInt32, groupID: UInt32, process: ProcessReference?) {
    self.processID = processID
    self.userID = userID
    self.groupID = groupID
    self.process = process
  }

  /// A copy without ``process``, for a connection that need not hold a second descriptor.
  public var withoutProcess: Self {
    Self(processID: processID, userID: userID, groupID: groupID, process: nil)
  }

  /// The path of the program that the process runs now, for display only.
  ///
  /// It does not prove who connected: a process may execute another program or replace its own
  /// file. Nil if the process has ended or its link may not be read.
  public var executablePath: String? {
    guard processID > 0, let process else { return nil }
    var target = [CChar](repeating: 0, count: Int(PATH_MAX))
    // SAFETY: the array holds `count` bytes for the call.
    let length = unsafe readlink("/proc/\(processID)/exe", &target, target.count)
    // The process still lives, so its id was not reused while the link was read.
    guard length > 0, !process.hasEnded else { return nil }
    return String(decoding: target.prefix(length).map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// The name of the process now, for display only.
  ///
  /// Every user may read it, even where ``executablePath`` is not permitted. A process chooses its
  /// name freely: up to 15 bytes of any value. Nil if the process has ended.
  public var commandName: String? {
    guard processID > 0, let process else { return nil }
    // SAFETY: the string is a C string for the length of the call.
    let number = unsafe open("/proc/\(processID)/comm", O_RDONLY | O_CLOEXEC)
    guard number >= 0 else { return nil }
    let file = FileDescriptor(owning: number)
    var bytes = [UInt8](repeating: 0, count: 64)
    // SAFETY: the array's storage is valid for the call and `count` bytes long.
    let count = unsafe read(file.rawValue, &bytes, bytes.count)
    guard count > 1, !process.hasEnded else { return nil }
    // The kernel appends a newline.
    return String(decoding: bytes.prefix(count - 1), as: UTF8.self)
  }

  /// The name of the terminal of the process now, such as `pts/3`, for display only.
  ///
  /// Nil if it has none, or if the process has ended.
  public var terminal: String? {
    guard processID > 0, let process else { return nil }
    let file = try? ProcessStatFile.read(ofProcess: processID)
    // It may be another process's by now.
    return process.hasEnded ? nil : file?.terminalName
  }
}

/// A reference to one process (a pidfd), safe against reuse of its process id.
public final class ProcessReference: Sendable {
  private let descriptor: FileDescriptor
  /// Whether the kernel took the reference when the peer connected (SO_PEERPIDFD, Linux 6.5).
  ///
  /// Otherwise it was looked up by process id, and refers to the wrong process if the peer had
  /// ended and its id had been reused by then.
  public let isFromConnection: Bool

  convenience init?(peerOf socket: Int32, processID: Int32) {
    let exact = la_peer_process(socket)
    if exact >= 0 {
      self.init(owning: exact, isFromConnection: true)
      return
    }
    // Look up by id only if the kernel lacks the option; ESRCH means that the peer has ended.
    guard exact == -ENOPROTOOPT else { return nil }
    self.init(lookingUp: processID)
  }

  /// Looks up a process by its id.
  public convenience init?(lookingUp processID: Int32) {
    guard processID > 0 else { return nil }
    let found = la_process_open(processID)
    guard found >= 0 else { return nil }
    self.init(owning: found, isFromConnection: false)
  }

  private init(owning number: Int32, isFromConnection: Bool) {
    descriptor = FileDescriptor(owning: number)
    self.isFromConnection = isFromConnection
  }

  /// Whether the process has ended; also true if the kernel cannot tell.
  public var hasEnded: Bool { la_process_has_ended(descriptor.rawValue) != 0 }

  /// Waits for the process to end; false if the deadline passed first.
  public func waitForEnd(until deadline: Deadline) -> Bool {
    // A reference becomes readable when its process ends.
    (try? waitForEvents(POLLIN, on: descriptor.rawValue, until: deadline)) ?? hasEnded
  }
}
