public import LocalAuthCore

/// A handle to a caller's process; until the process has ended, its pid cannot be reused.
public protocol CallerProcess: Sendable {
  /// Whether the process has ended; also true if this cannot be determined.
  var hasEnded: Bool { get }
}

/// The peer of a connection, as the kernel reported it when the connection was accepted.
public struct Caller: Sendable {
  /// The caller's uid.
  public var uid: UInt32
  /// The user whose devices the caller names: its own uid, or the user that root named.
  public var owner: UInt32
  /// The origin that the caller's attempts are counted by.
  public var origin = Origin.owner
  /// The pid of the caller, or 0 if the kernel does not report it.
  public var pid: Int32
  /// The name of the caller's program; for display only, not verified.
  public var program: String
  /// The path of that program, for display; nil if the service cannot see it.
  public var path: String?
  /// The terminal of the caller's process, such as `pts/3`; nil if it has none.
  public var terminal: String?
  /// The login session of the caller's process; nil if it is not needed for this caller.
  public var session: LoginSession?
  /// A handle to the process, for a caller that must be recognised again; otherwise nil.
  public var process: (any CallerProcess)?

  /// The caller with this identity.
  public init(uid: UInt32, pid: Int32, program: String, process: (any CallerProcess)? = nil) {
    self.uid = uid
    owner = uid
    self.pid = pid
    self.program = program
    self.process = process
  }

  /// The caller as a prompt shows it: `authctl (/usr/bin/authctl, process 7)`.
  ///
  /// Long names are cut, so that they cannot push the rest out of sight.
  public func shown(withUser: Bool = false) -> String {
    let about = [path, "process \(pid)", withUser ? "user \(uid)" : nil].compactMap(\.self)
    return "\(Self.cut(program)) (\(about.map { Self.cut($0) }.joined(separator: ", ")))"
  }

  /// The most characters of a path in the audit.
  static let auditedPathMax = 256

  /// Names the caller in an audit line, with a program and a path that are no longer than a limit.
  func sign(_ line: inout AuditRecord) {
    line.program = Self.cut(program)
    line.programPath = path.map { Self.cut($0, to: Self.auditedPathMax) } ?? ""
    line.terminal = terminal ?? ""
  }

  /// Who asks for another's device through this caller, in words for the audit; nil if it is the owner,
  /// the caller itself, or not known.
  var askedFor: String? {
    switch origin {
    case .owner, .host(""): nil
    case .user(let asking): [owner, uid].contains(asking) ? nil : "asked for by user \(asking)"
    case .host(let name): "asked for from host \(Self.cut(name))"
    }
  }

  /// Keeps the beginning, which tells whose program it may be, and the end, which tells its name.
  private static func cut(_ text: String, to limit: Int = 72) -> String {
    let scalars = text.unicodeScalars
    guard scalars.count > limit else { return text }
    let part = (limit - 3) / 2
    let beginning = String(Substring(scalars.prefix(part)))
    return beginning + "..." + String(Substring(scalars.suffix(part)))
  }

  /// Whether both are certainly the same process of the same user.
  ///
  /// A pid is reused only after its process has ended. Equal pids therefore name one process while
  /// both callers' processes live. If that cannot be verified, the answer is false.
  public func isSameProcess(as other: Caller) -> Bool {
    guard uid == other.uid, pid == other.pid, pid > 0, let process,
      let otherProcess = other.process
    else { return false }
    return !process.hasEnded && !otherProcess.hasEnded
  }
}
