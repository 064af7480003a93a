import Glibc
import LocalAuthCore
import LocalAuthSecret
import LocalAuthTerminal
import LocalAuthWire

/// Where a hub is, and who this device is there, as options say.
enum SyncHubOptions {
  static let host = Argument<String>(
    "HOST",
    help: "the hub's host, or the directory of its socket"
  )
  static let port = Option<Int?>("port", "N", help: "its port; 5432 if it is left out")
  static let database = Option<String>(
    "database",
    "NAME",
    default: "localauth",
    help: "its database"
  )
  static let authority = Option<String?>(
    "ca",
    "FILE",
    source: .files,
    help: "the certificate that the hub's must lead to; needed unless it is a socket"
  )
  static let certificate = Option<String?>(
    "certificate",
    "FILE",
    source: .files,
    help: "the certificate that this device shows to a hub that wants one; with --certificate-key"
  )
  static let certificateKey = Option<String?>(
    "certificate-key",
    "FILE",
    source: .files,
    help: "the file with the key of that certificate"
  )
  static let ownName = Option<String?>(
    "name",
    "NAME",
    help: "the name of this device in the circle; the host's if it is left out"
  )
  static let noWait = Flag("no-wait", help: "wait for nothing that others do or the hub has")
  static let codeStdin = Flag("code-stdin", help: "read the code from standard input")
  static let codeDescriptor = Option<Int?>(
    "code-fd",
    "N",
    help: "read the code from this open descriptor"
  )

  /// Where a hub is.
  static let placeOptions = [
    port.declaration, database.declaration, authority.declaration, certificate.declaration,
    certificateKey.declaration,
  ]
  static let options = placeOptions + [ownName.declaration]
  static let codeOptions = [codeStdin.declaration, codeDescriptor.declaration]
  /// The options of a verb by which a device comes into a circle.
  static var beginningOptions: [OptionDeclaration] {
    options + codeOptions + ProofInput.policyOptions
  }
  static let beginningExclusions = [["code-stdin", "code-fd"]] + ProofInput.policyExclusions

  static func hub(_ context: VerbContext) throws(Failure) -> SyncMessages.Hub {
    let arguments = context.arguments
    var hub = SyncMessages.Hub()
    hub.host = try host(arguments[host])
    if let port = arguments[port] {
      guard (1...65_535).contains(port) else { throw Failure(.usage, "A port is from 1 to 65535.") }
      hub.port = Int64(port)
    }
    hub.database = arguments[database]
    hub.authority = try context.absolute(arguments[authority])
    try checkAuthority(of: hub)
    hub.certificate = try context.absolute(arguments[certificate])
    hub.certificateKey = try context.absolute(arguments[certificateKey])
    try checkCertificate(of: hub)
    return hub
  }

  /// The host, unless what was typed has more than that: it would be looked up as a name, and not be found.
  private static func host(_ typed: String) throws(Failure) -> String {
    guard !typed.hasPrefix("/") else { return typed }
    let parts = typed.split(separator: ":", omittingEmptySubsequences: false)
    if parts.count == 2, let port = UInt16(parts[1]) {
      throw Failure(.usage, "Give the port apart from the host: \(parts[0]) --port \(port).")
    }
    guard !typed.contains(where: { "/=,@ ".contains($0) }) else {
      throw Failure(
        .usage,
        "'\(typed)' is no host: give its name alone, or the directory of its socket from the first '/' on."
          + " --port and --database say the rest."
      )
    }
    return typed
  }

  private static func checkAuthority(of hub: SyncMessages.Hub) throws(Failure) {
    let isSocket = hub.host.hasPrefix("/")
    guard isSocket == (hub.authority == nil) else {
      throw Failure(
        .usage,
        isSocket
          ? "A hub behind a socket has no certificate: leave --ca out."
          : "Give --ca FILE: the certificate that the hub's must lead to, so that nobody else can pass for it."
      )
    }
    guard let path = hub.authority else { return }
    try CertificateFile.check(path, "give that of the hub's authority, as PEM text")
  }

  private static func checkCertificate(of hub: SyncMessages.Hub) throws(Failure) {
    guard (hub.certificate == nil) == (hub.certificateKey == nil) else {
      throw Failure(.usage, "Give --certificate and --certificate-key, or neither of them.")
    }
    guard let path = hub.certificate else { return }
    guard !hub.host.hasPrefix("/") else {
      throw Failure(.usage, "A hub behind a socket wants no --certificate.")
    }
    try CertificateFile.check(path, "give that of this device, as PEM text")
  }

  /// The name of this device in the circle.
  static func name(_ context: VerbContext) throws(Failure) -> String {
    if let name = context.arguments[ownName] { return name }
    var names = utsname()
    // SAFETY: the system fills the structure, whose name ends with a zero.
    guard unsafe uname(&names) == 0 else { throw Failure(.usage, "Give --name NAME.") }
    return unsafe withUnsafeBytes(of: names.nodename) { bytes in
      unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }

  static func code(_ context: VerbContext, _ prompt: String) throws(Failure) -> Secret {
    try context.secret(
      codeStdin,
      codeDescriptor,
      orElse: "The code is needed and there is no terminal to ask on. Give --code-stdin."
    ) { (session) throws(SecretInputError) in
      try session.readSecret(prompt: prompt)
    }
  }
}
