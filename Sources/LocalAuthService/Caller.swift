public import LocalAuthCore

/// A caller's process, held on to: while it has not ended, no other can take its number.
public protocol CallerProcess: Sendable {
  /// Whether the process has ended; true also when nobody can say.
  var hasEnded: Bool { get }
}

/// Who asks: what the kernel said when the connection was accepted.
public struct Caller: Sendable {
  /// The caller's uid.
  public var uid: UInt32
  /// The user whose devices it names: itself, or whom root named.
  public var owner: UInt32
  /// Where the request comes from; attempts are counted by it.
  public var origin = Origin.owner
  /// The caller's process; 0 when the kernel does not name it.
  public var pid: Int32
  /// The caller's program for display, advisory only.
  public var program: String
  /// Where the file of that program is, for display; nil where it is not shown to the service.
  public var path: String?
  /// The session that its process was in, of a caller for whom that matters; else nil.
  public var session: LoginSession?
  /// Holds on to the process of a caller who has to be recognised again; else nil.
  public var process: (any CallerProcess)?

  /// The caller with this identity.
  public init(uid: UInt32, pid: Int32, program: String, process: (any CallerProcess)? = nil) {
    self.uid = uid
    owner = uid
    self.pid = pid
    self.program = program
    self.process = process
  }

  /// Who asks, as a prompt tells a person: `authctl (/usr/bin/authctl, process 7)`.
  ///
  /// Long names are cut, so that none pushes out of sight what follows.
  public func shown(withUser: Bool = false) -> String {
    let about = [path, "process \(pid)", withUser ? "user \(uid)" : nil].compactMap(\.self)
    return "\(Self.cut(program)) (\(about.map(Self.cut).joined(separator: ", ")))"
  }

  /// The beginning says whose it may be, the end what it is called: both are kept.
  private static func cut(_ text: String) -> String {
    let scalars = text.unicodeScalars
    guard scalars.count > 72 else { return text }
    let beginning = String(Substring(scalars.prefix(34)))
    return beginning + "..." + String(Substring(scalars.suffix(34)))
  }

  /// Whether both are certainly one process of one user.
  ///
  /// A number can be used again only after its process has ended. So equal numbers name one process
  /// as long as the process of each caller lives; whatever cannot be checked counts as no.
  public func isSameProcess(as other: Caller) -> Bool {
    guard uid == other.uid, pid == other.pid, pid > 0, let process,
      let otherProcess = other.process
    else { return false }
    return !process.hasEnded && !otherProcess.hasEnded
  }
}
