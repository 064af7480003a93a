/// Names the role that one device has at a hub: `localauth_` and 32 hexadecimal digits.
public struct HubRole: Hashable, Comparable, Sendable {
  /// What every role begins with.
  public static let prefix = "localauth_"
  /// How many digits follow.
  public static let digits = 32

  /// Its text.
  public let text: String

  /// Reads a role; nil for any other text.
  public init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard text.hasPrefix(Self.prefix), bytes.count == Self.prefix.utf8.count + Self.digits,
      bytes.suffix(Self.digits).allSatisfy({ (48...57).contains($0) || (97...102).contains($0) })
    else { return nil }
    self.text = text
  }

  /// A role that no device has, for an address that is not one device's.
  public static let nobody = HubRole(zeros: digits)

  private init(zeros: Int) { text = Self.prefix + String(repeating: "0", count: zeros) }

  /// The role of these 16 bytes; nil for any other count.
  public init?(bytes: [UInt8]) {
    guard bytes.count * 2 == Self.digits else { return nil }
    let digits = Array("0123456789abcdef".utf8)
    let text = bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    self.text = Self.prefix + String(decoding: text, as: UTF8.self)
  }

  /// Orders roles as texts.
  public static func < (left: Self, right: Self) -> Bool { left.text < right.text }
}

/// Where a hub is, how it proves that it is the right one, and who this device is there.
///
/// A host that begins with a slash is the directory of a Unix socket. Any other one must prove by its certificate
/// that it has that name, and its certificate must lead to ``authority``.
public struct HubAddress: Hashable, Sendable {
  /// The longest path, in bytes.
  public static let pathMax = 1024

  /// A certificate that the device shows a server that wants one, besides its password.
  public struct Certificate: Hashable, Sendable {
    /// The file with the certificate.
    public let path: String
    /// The file with its key, which the worker can read and others cannot.
    public let key: String

    /// The certificate in these files; nil unless their paths are absolute and not too long.
    public init?(path: String, key: String) {
      guard HubAddress.isPath(path), HubAddress.isPath(key) else { return nil }
      self.path = path
      self.key = key
    }
  }

  /// The name of the host, or the directory of its socket.
  public let host: String
  /// Its port, which names the socket, too.
  public let port: UInt16
  /// The database.
  public let database: String
  /// The file with the certificate that the hub's must lead to; empty for a Unix socket.
  public let authority: String
  /// The device's role.
  public private(set) var role: HubRole
  /// What the device shows besides its password; nil for nothing.
  public let certificate: Certificate?

  /// The address with these parts.
  ///
  /// Nil for a list of hosts, which libpq would try in turn, for a host without ``authority``, for a socket with a
  /// certificate, for a relative path, and for what is too long.
  ///
  /// - Parameters:
  ///   - host: The name of the host, or the directory of its socket.
  ///   - port: Its port.
  ///   - database: The database.
  ///   - authority: The file with the certificate that the hub's must lead to; empty for a Unix socket.
  ///   - role: The device's role.
  ///   - certificate: What the device shows besides its password; nil for nothing.
  public init?(
    host: String,
    port: UInt16 = 5432,
    database: String,
    authority: String = "",
    role: HubRole,
    certificate: Certificate? = nil
  ) {
    let isLocal = host.hasPrefix("/")
    guard Self.isWord(host, most: isLocal ? Self.pathMax : 253), !host.contains(","),
      Self.isWord(database, most: 63), port > 0,
      isLocal ? authority.isEmpty : Self.isPath(authority), !host.hasPrefix("@"),
      !isLocal || certificate == nil
    else { return nil }
    self.host = host
    self.port = port
    self.database = database
    self.authority = authority
    self.role = role
    self.certificate = certificate
  }

  /// The same place for a device with another role.
  public func address(for role: HubRole) -> Self {
    var address = self
    address.role = role
    return address
  }

  /// Whether the hub is reached through a socket of this machine.
  public var isLocal: Bool { host.hasPrefix("/") }

  private static func isWord(_ text: String, most: Int) -> Bool {
    (1...most).contains(text.utf8.count) && text.utf8.allSatisfy { $0 > 32 && $0 != 127 }
  }

  private static func isPath(_ text: String) -> Bool {
    text.hasPrefix("/") && (2...pathMax).contains(text.utf8.count)
      && text.utf8.allSatisfy { $0 >= 32 && $0 != 127 }
  }
}

extension FramedBytes {
  mutating func add(_ text: String) { add(counted: Array(text.utf8)) }

  mutating func add(_ role: HubRole) { add(role.text) }

  mutating func add(_ address: HubAddress) {
    add(address.host)
    add(address.port)
    add(address.database)
    add(address.authority)
    add(address.role)
    add(UInt8(address.certificate == nil ? 0 : 1))
    guard let certificate = address.certificate else { return }
    add(certificate.path)
    add(certificate.key)
  }
}

extension FramedReader {
  mutating func text(most: Int) -> String? {
    counted(most: most).flatMap { String(validating: $0, as: UTF8.self) }
  }

  mutating func role() -> HubRole? { text(most: 64).flatMap { HubRole($0) } }

  mutating func address() -> HubAddress? {
    guard let host = text(most: HubAddress.pathMax), let port: UInt16 = number(),
      let database = text(most: 63), let authority = text(most: HubAddress.pathMax),
      let role = role(), let hasCertificate: UInt8 = number(), hasCertificate <= 1
    else { return nil }
    var certificate: HubAddress.Certificate?
    if hasCertificate == 1 {
      certificate = self.certificate()
      guard certificate != nil else { return nil }
    }
    return HubAddress(
      host: host,
      port: port,
      database: database,
      authority: authority,
      role: role,
      certificate: certificate
    )
  }

  private mutating func certificate() -> HubAddress.Certificate? {
    guard let path = text(most: HubAddress.pathMax), let key = text(most: HubAddress.pathMax)
    else { return nil }
    return HubAddress.Certificate(path: path, key: key)
  }
}
