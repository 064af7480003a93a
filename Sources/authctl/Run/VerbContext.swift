import LocalAuthClient
import LocalAuthCore
import LocalAuthTerminal
import LocalAuthUnix
import LocalAuthWire

/// What a verb runs with: its arguments, its output, and the way to the daemon.
struct VerbContext: Sendable {
  /// What was typed.
  let arguments: ParsedArguments
  /// Where answers go.
  let output: Output
  /// The environment variables, as far as they may be believed.
  let environment: ProcessEnvironment

  /// Runs the body of a verb, prints what comes of it and returns the exit status.
  static func run(
    _ arguments: ParsedArguments,
    _ body: (VerbContext) throws(Failure) -> Report
  ) -> Int32 {
    let context = VerbContext(
      arguments: arguments,
      output: Output(arguments),
      environment: .current
    )
    do throws(Failure) {
      return context.output.report(try body(context))
    } catch {
      return context.output.report(error)
    }
  }

  /// The daemon that was named, by options first and by the environment second.
  func address() throws(Failure) -> DaemonAddress {
    let user = arguments[GlobalOptions.user]
    let isSystem = arguments[GlobalOptions.system]
    guard !isSystem || arguments[GlobalOptions.home] == nil else {
      throw Failure(.usage, "--home names a daemon of one user: leave it out with --system.")
    }
    guard isSystem || user == nil else {
      throw Failure(.usage, "--user needs --system: a daemon of one user knows no other.")
    }
    do throws(RuntimePathsError) {
      if isSystem {
        return try DaemonAddress(systemSocket: arguments[GlobalOptions.socket], user: user)
      }
      let paths = try RuntimePaths(
        home: arguments[GlobalOptions.home],
        socket: arguments[GlobalOptions.socket],
        environment: environment
      )
      return DaemonAddress(paths: paths, environment: environment)
    } catch {
      throw Failure(error)
    }
  }

  /// The device that was named, and whether a simulated success counts on it.
  func device() throws(Failure) -> DeviceChoice {
    try deviceChoice(named: arguments[GlobalOptions.device])
  }

  /// The device of this name, else the one of the environment, else the user's own machine.
  func deviceChoice(named name: String?) throws(Failure) -> DeviceChoice {
    do throws(DeviceChoiceError) {
      return try DeviceChoice(named: name, environment: environment)
    } catch {
      throw Failure(.badConfiguration, "\(error)")
    }
  }

  /// `path` seen from the root, because the daemon's current directory is another.
  func absolute(_ path: String?) throws(Failure) -> String? {
    guard let path else { return nil }
    guard let absolute = environment.absolute(path) else {
      throw Failure(.badConfiguration, "There is no current directory: give an absolute path.")
    }
    return absolute
  }

  /// A connection to the daemon, which is started where it does not run.
  func connect() throws(Failure) -> DaemonConnection {
    let address = try address()
    return try calling { () throws(ClientError) in try address.connect() }
  }

  /// Calls one method on a connection of its own.
  func call<Call: WireObject, Reply: WireObject>(
    _ method: RemoteMethod<Call, Reply>,
    _ parameters: Call,
    within patience: Duration? = DaemonConnection.standardPatience
  ) throws(Failure) -> Reply {
    var connection = try connect()
    return try calling { () throws(ClientError) in
      try connection.call(method, parameters, within: patience)
    }
  }

  /// Turns what the client has against `body` into a failure of the verb.
  func calling<Result: ~Copyable>(
    _ body: () throws(ClientError) -> Result
  ) throws(Failure) -> Result {
    do throws(ClientError) { return try body() } catch { throw Failure(error, typed: typed()) }
  }

  /// How the program is typed so that it means the same daemon and, where it is named, `device`.
  func typed(device: String? = nil) -> String {
    var words = ["authctl"]
    if arguments[GlobalOptions.system] { words.append("--system") }
    if let user = arguments[GlobalOptions.user] { words += ["--user", "\(user)"] }
    if let home = arguments[GlobalOptions.home] { words += ["--home", home] }
    if let socket = arguments[GlobalOptions.socket] { words += ["--socket", socket] }
    if let device, device != "default" { words += ["--device", device] }
    return words.map { ShellWord.quoted($0) }.joined(separator: " ")
  }

  /// How prompts may look here.
  var promptStyle: PromptStyle {
    PromptStyle(noColor: environment["NO_COLOR"], term: environment["TERM"])
  }
}

/// A word as it is typed into a shell.
enum ShellWord {
  /// `word`, between quotes where the shell would not take it as it is.
  static func quoted(_ word: String) -> String {
    let isPlain = word.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
        UInt8(ascii: "."), UInt8(ascii: "/"), UInt8(ascii: ":"), UInt8(ascii: ","):
        true
      default: false
      }
    }
    guard word.isEmpty || !isPlain else { return word }
    let parts = word.split(separator: "'", omittingEmptySubsequences: false)
    return "'" + parts.joined(separator: "'\\''") + "'"
  }
}
