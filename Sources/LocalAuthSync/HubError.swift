/// Why the hub did not do what was asked.
public enum HubError: Error, Hashable, Sendable {
  /// There is no connection, or it broke; what was asked may have been done.
  case unreachable(String)
  /// The server does not let the role in, as after a removal, or when its invitation is over.
  case denied(String)
  /// The hub refused, with its code of five letters and its reason.
  case refused(code: String, reason: String)
  /// It answered what no hub of this version answers.
  case unexpected(String)
  /// Its schema is of another version.
  case schema(found: Int?, wanted: Int)

  /// Whether the hub does not know the device as one of a circle: it was removed, or its invitation is over.
  public var isDenial: Bool {
    switch self {
    case .denied, .refused(code: "42501", _): true
    case .unreachable, .refused, .unexpected, .schema: false
    }
  }

  /// Whether the circle has used up its share of bytes; a disk that is full has the same code.
  public var isFullShare: Bool {
    guard case .refused("53100", let reason) = self else { return false }
    return reason.firstRange(of: "the circle has no room left") != nil
  }

  /// The longest reason that is passed on, in bytes.
  public static let reasonMax = 512

  /// Whether the same request may succeed later.
  public var isTemporary: Bool {
    switch self {
    // Whoever administers the server may have locked everybody out by mistake.
    case .unreachable, .denied: true
    // Connections, resources, interventions of its administrator, transactions that met each other, locks that others
    // hold, and failures of its machine.
    case .refused(let code, _):
      ["08", "53", "57", "40", "55", "58", "XX"].contains { code.hasPrefix($0) }
    case .unexpected, .schema: false
    }
  }
}

extension FramedBytes {
  mutating func add(_ error: HubError) {
    switch error {
    case .unreachable(let reason):
      add(UInt8(0))
      add(reason: reason)
    case .refused(let code, let reason):
      add(UInt8(1))
      add(reason: code)
      add(reason: reason)
    case .unexpected(let reason):
      add(UInt8(2))
      add(reason: reason)
    case .schema(let found, let wanted):
      add(UInt8(3))
      add(UInt8(found == nil ? 0 : 1))
      add(UInt32(clamping: found ?? 0))
      add(UInt32(clamping: wanted))
    case .denied(let reason):
      add(UInt8(4))
      add(reason: reason)
    }
  }

  /// Cut between two characters, because a server may say more than anybody reads.
  private mutating func add(reason: String) {
    var text = reason
    while text.utf8.count > HubError.reasonMax { text.removeLast() }
    add(counted: Array(text.utf8))
  }
}

extension FramedReader {
  mutating func hubError() -> HubError? {
    guard let code: UInt8 = number() else { return nil }
    switch code {
    case 0: return reason().map { .unreachable($0) }
    case 1:
      guard let code = reason(), let reason = reason() else { return nil }
      return .refused(code: code, reason: reason)
    case 2: return reason().map { .unexpected($0) }
    case 3:
      guard let isFound: UInt8 = number(), isFound <= 1, let found: UInt32 = number(),
        let wanted: UInt32 = number(), isFound == 1 || found == 0
      else { return nil }
      return .schema(found: isFound == 1 ? Int(found) : nil, wanted: Int(wanted))
    case 4: return reason().map { .denied($0) }
    default: return nil
    }
  }

  private mutating func reason() -> String? { text(most: HubError.reasonMax) }
}
