import CLocalAuthLinux
import Glibc

/// Who is at the other end of a connection: the kernel's word, taken once when it was accepted.
public struct PeerIdentity: Sendable {
  /// The process that connected; 0 when it lives in a pid namespace that we cannot see.
  public let processID: Int32
  /// Its effective user when it connected.
  public let userID: UInt32
  /// Its effective group when it connected.
  public let groupID: UInt32
  /// Holds on to that very process; the descriptor is closed with the last copy of the identity.
  ///
  /// Nil when the process was gone already or cannot be seen.
  public let process: ProcessReference?

  /// Asks the kernel who connected `socket`.
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

  /// The same without ``process``, for a connection that need not hold a second descriptor.
  public var withoutProcess: Self {
    Self(processID: processID, userID: userID, groupID: groupID, process: nil)
  }

  /// The program that the process runs now, for display only.
  ///
  /// It says nothing about who connected: a process may execute another program, and replace its
  /// own file. Nil when the process is gone or its link may not be read.
  public var executablePath: String? {
    guard processID > 0, let process else { return nil }
    var target = [CChar](repeating: 0, count: Int(PATH_MAX))
    // SAFETY: the array holds `count` bytes for the call.
    let length = unsafe readlink("/proc/\(processID)/exe", &target, target.count)
    // A process that still lives kept its id for itself while the link was read.
    guard length > 0, !process.hasEnded else { return nil }
    return String(decoding: target.prefix(length).map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// What the process calls itself now, for display only: everybody may read it, also where
  /// ``executablePath`` is not shown to us.
  ///
  /// A process chooses its name freely, of up to 15 bytes, and each may be any. Nil when it is gone.
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
    // The kernel ends it with a line end.
    return String(decoding: bytes.prefix(count - 1), as: UTF8.self)
  }
}

/// Holds on to one process, which no reuse of its number can replace.
public final class ProcessReference: Sendable {
  private let descriptor: FileDescriptor
  /// Whether the kernel took the reference when the peer connected (SO_PEERPIDFD, Linux 6.5).
  ///
  /// Otherwise it was looked up by number, which a peer that had ended by then and whose number had
  /// been used again could slip through.
  public let isFromConnection: Bool

  convenience init?(peerOf socket: Int32, processID: Int32) {
    let exact = la_peer_process(socket)
    if exact >= 0 {
      self.init(owning: exact, isFromConnection: true)
      return
    }
    // Only a kernel without the option leads to the lookup; ESRCH says that the peer has ended.
    guard exact == -ENOPROTOOPT else { return nil }
    self.init(lookingUp: processID)
  }

  /// Looks a process up by its number.
  convenience init?(lookingUp processID: Int32) {
    guard processID > 0 else { return nil }
    let found = la_process_open(processID)
    guard found >= 0 else { return nil }
    self.init(owning: found, isFromConnection: false)
  }

  private init(owning number: Int32, isFromConnection: Bool) {
    descriptor = FileDescriptor(owning: number)
    self.isFromConnection = isFromConnection
  }

  /// Whether the process has ended; true also when the kernel cannot say.
  public var hasEnded: Bool { la_process_has_ended(descriptor.rawValue) != 0 }
}
