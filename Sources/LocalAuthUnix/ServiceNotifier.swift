import CLocalAuthLinux
import Glibc

/// Tells the service manager how this process is doing (sd_notify(3)); never blocks.
public struct ServiceNotifier: Sendable {
  /// What can be told.
  public enum Message: Sendable, Equatable {
    /// Requests are served from now on.
    case ready
    /// The end has begun.
    case stopping
    /// One line for `systemctl status`; never a secret.
    case status(String)
    /// Still alive.
    case watchdog

    var text: String {
      switch self {
      case .ready: "READY=1\n"
      case .stopping: "STOPPING=1\n"
      case .status(let line): "STATUS=\(ServiceNotifier.oneLine(line))\n"
      case .watchdog: "WATCHDOG=1\n"
      }
    }
  }

  /// How often a sign of life is due at the latest; nil when nobody asks for one.
  ///
  /// Send ``Message/watchdog`` twice as often.
  public let watchdogInterval: Duration?
  private let address: String

  /// Finds the service manager's socket; nil when this process was started otherwise.
  public init?(environment: ProcessEnvironment = .current) {
    self.init(environment: environment, processID: getpid())
  }

  init?(environment: ProcessEnvironment, processID: Int32) {
    guard let address = environment["NOTIFY_SOCKET"], let first = address.utf8.first,
      first == UInt8(ascii: "/") || first == UInt8(ascii: "@")
    else { return nil }
    self.address = address
    watchdogInterval = Self.watchdogInterval(in: environment, processID)
  }

  /// Tells one thing.
  ///
  /// - Throws: what the system says, EAGAIN included when the service manager is behind.
  public func notify(_ message: Message) throws(SystemError) {
    var text = message.text
    // SAFETY: the bytes are the string's own, valid inside the closure; they are never empty.
    let outcome = text.withUTF8 { bytes in
      unsafe bytes.baseAddress.map { unsafe la_send_datagram(address, $0, bytes.count) } ?? 0
    }
    _ = try SystemError.check(outcome, "sendto", subject: address)
  }

  /// `line` without what could begin another assignment.
  private static func oneLine(_ line: String) -> String {
    let scalars = line.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7f ? " " : $0 }
    return String(String.UnicodeScalarView(scalars))
  }

  private static func watchdogInterval(
    in environment: ProcessEnvironment,
    _ processID: Int32
  ) -> Duration? {
    if let owner = environment["WATCHDOG_PID"], owner != String(processID) { return nil }
    guard let text = environment["WATCHDOG_USEC"], let microseconds = Int64(text),
      microseconds > 0
    else { return nil }
    return .microseconds(microseconds)
  }
}
