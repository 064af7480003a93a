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
  static let ownName = Option<String?>(
    "name",
    "NAME",
    help: "the name of this device in the circle; the host's if it is left out"
  )
  static let role = Option<String>("role", "ROLE", help: "the role that the administrator made")
  static let noWait = Flag("no-wait", help: "do not wait for the other device")
  static let passwordStdin = Flag(
    "password-stdin",
    help: "read the role's password from standard input"
  )
  static let passwordDescriptor = Option<Int?>(
    "password-fd",
    "N",
    help: "read the role's password from this open descriptor"
  )
  static let codeStdin = Flag("code-stdin", help: "read the code from standard input")
  static let codeDescriptor = Option<Int?>(
    "code-fd",
    "N",
    help: "read the code from this open descriptor"
  )

  static let options = [
    port.declaration, database.declaration, authority.declaration, ownName.declaration,
  ]
  static let passwordOptions = [passwordStdin.declaration, passwordDescriptor.declaration]
  static let codeOptions = [codeStdin.declaration, codeDescriptor.declaration]

  static func hub(_ context: VerbContext) throws(Failure) -> SyncMessages.Hub {
    let arguments = context.arguments
    var hub = SyncMessages.Hub()
    hub.host = arguments[host]
    hub.port = arguments[port].map { Int64($0) }
    hub.database = arguments[database]
    hub.authority = try context.absolute(arguments[authority])
    guard hub.host.hasPrefix("/") || hub.authority != nil else {
      throw Failure(
        .usage,
        "Give --ca FILE: the certificate that the hub's must lead to, so that nobody else can pass for it."
      )
    }
    return hub
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

  static func secret(_ context: VerbContext, _ prompt: String) throws(Failure) -> Secret {
    try read(context, passwordStdin, passwordDescriptor, prompt, "--password-stdin")
  }

  static func code(_ context: VerbContext) throws(Failure) -> Secret {
    try read(context, codeStdin, codeDescriptor, "Code of the other device", "--code-stdin")
  }

  private static func read(
    _ context: VerbContext,
    _ stdin: Flag,
    _ descriptor: Option<Int?>,
    _ prompt: String,
    _ option: String
  ) throws(Failure) -> Secret {
    let arguments = context.arguments
    if let source = arguments[stdin] ? 0 : arguments[descriptor].map({ Int32(clamping: $0) }) {
      do throws(SecretInputError) {
        return try SecretInput.read(fileDescriptor: source)
      } catch { throw Failure(error) }
    }
    return try context.askOnTerminal(
      orElse: "It is needed and there is no terminal to ask on. Give \(option)."
    ) { (session) throws(SecretInputError) in
      try session.readSecret(prompt: prompt)
    }
  }
}
