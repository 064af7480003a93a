/// The options that every verb accepts, before it or after it.
enum GlobalOptions {
  static let home = Option<String?>(
    "home",
    "DIR",
    source: .directories,
    help: "the state directory of the daemon to use"
  )
  static let socket = Option<String?>(
    "socket",
    "PATH",
    source: .files,
    help: "the socket of the daemon to use"
  )
  static let system = Flag("system", help: "use the service of the system, not your own daemon")
  static let user = Option<UserArgument?>(
    "user",
    "USER",
    source: .users,
    help: "with --system, as root: the user whose devices are meant"
  )
  static let device = Option<String?>(
    "device",
    "NAME",
    source: .devices,
    help: "the device to use; a simulated one counts only when named"
  )
  static let json = Flag("json", help: "print one JSON object on standard output")
  static let quiet = Flag("quiet", help: "print nothing that the exit status says already")
  static let version = Flag("version", help: "print the version")
  static let help = Flag("help", letter: "h", help: "explain the verb")

  static var all: [OptionDeclaration] {
    [
      home.declaration, socket.declaration, system.declaration, user.declaration,
      device.declaration, json.declaration, quiet.declaration, version.declaration,
      help.declaration,
    ]
  }
}
