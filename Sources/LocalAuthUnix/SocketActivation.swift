import CLocalAuthLinux
import Glibc

/// The listening sockets passed by the service manager (sd_listen_fds(3)).
public struct SocketActivation: ~Copyable, Sendable {
  /// The most sockets that are accepted.
  public static let mostSockets = 16
  /// The first passed descriptor (SD_LISTEN_FDS_START).
  public static let firstDescriptor: Int32 = 3

  private var sockets: [(name: String, descriptor: Int32)] = []

  /// The names of the sockets that have not been taken yet.
  public var names: [String] { sockets.map(\.name) }

  /// The descriptor of the only socket; nil unless there is exactly one.
  public var onlyDescriptor: Int32? { sockets.count == 1 ? sockets[0].descriptor : nil }

  /// Takes over the sockets passed to this process; there are none if it was started otherwise.
  ///
  /// Call it once, before opening any other descriptor. It sets close-on-exec on the sockets.
  /// - Throws: ``SocketActivationError``, if anything but listening Unix stream sockets was passed.
  public init(environment: ProcessEnvironment = .current) throws(SocketActivationError) {
    try self.init(environment: environment, processID: getpid(), first: Self.firstDescriptor)
  }

  init(
    environment: ProcessEnvironment,
    processID: Int32,
    first: Int32
  ) throws(SocketActivationError) {
    // The variables may be inherited from another process that was started by activation.
    guard let owner = environment["LISTEN_PID"], owner == String(processID) else { return }
    guard let text = environment["LISTEN_FDS"] else { return }
    guard let count = Int(text), (0...Self.mostSockets).contains(count) else {
      throw .badCount(text)
    }
    let names = environment["LISTEN_FDNAMES"]?.split(
      separator: ":",
      omittingEmptySubsequences: false
    )
    for index in 0..<count {
      let descriptor = first + Int32(index)
      guard fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0, la_socket_is_listener(descriptor) == 1
      else { throw .notListening(descriptor: descriptor) }
      let name = names.flatMap { index < $0.count ? String($0[index]) : nil }
      sockets.append((name ?? "unknown", descriptor))
    }
  }

  /// Takes the socket called `name` (FileDescriptorName= in its unit), or nil.
  public mutating func take(named name: String) -> FileDescriptor? {
    guard let index = sockets.firstIndex(where: { $0.name == name }) else { return nil }
    return FileDescriptor(owning: sockets.remove(at: index).descriptor)
  }

  /// Takes the only socket, whatever its name; nil unless there is exactly one.
  public mutating func takeOnly() -> FileDescriptor? {
    guard sockets.count == 1 else { return nil }
    return FileDescriptor(owning: sockets.removeLast().descriptor)
  }

  deinit { for socket in sockets { close(socket.descriptor) } }
}

/// Why the passed sockets were rejected.
public enum SocketActivationError: Error, Equatable, CustomStringConvertible {
  /// `LISTEN_FDS` is not a number, or out of range.
  case badCount(String)
  /// A passed descriptor is not a listening Unix stream socket.
  case notListening(descriptor: Int32)

  /// One line that says what to do.
  public var description: String {
    switch self {
    case .badCount(let text):
      "LISTEN_FDS is \(text): pass 1 to \(SocketActivation.mostSockets) sockets"
    case .notListening(let descriptor):
      "descriptor \(descriptor) is not a listening Unix stream socket: use ListenStream= with a "
        + "path and Accept=no in the socket unit"
    }
  }
}
