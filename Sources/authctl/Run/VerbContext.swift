import LocalAuthClient
import LocalAuthCore
import LocalAuthTerminal
import LocalAuthUnix
import LocalAuthWire

/// The context of a verb: its arguments, its output, and the connection to the daemon.
struct VerbContext: Sendable {
  /// The parsed command line.
  let arguments: ParsedArguments
  /// The output of the verb.
  let output: Output
  /// The environment variables, as far as they can be trusted.
  let environment: ProcessEnvironment

  /// Runs the body of a verb, prints its report and returns the exit status.
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
      try context.checkTarget()
      return context.output.report(try body(context))
    } catch {
      return context.output.report(error)
    }
  }

  /// Runs the body of a verb about one device, whose failure also says how to open what the device keeps closed.
  static func runOnDevice(
    _ arguments: ParsedArguments,
    _ body: (VerbContext) throws(Failure) -> Report
  ) -> Int32 {
    run(arguments) { (context) throws(Failure) in
      do throws(Failure) { return try body(context) } catch {
        guard let device = try? context.device() else { throw error }
        throw context.advised(error, on: device)
      }
    }
  }

  /// Fails if the options name two daemons, or nobody; also of verbs that ask no daemon, for which they say
  /// whose policies are meant.
  private func checkTarget() throws(Failure) {
    let isSystem = arguments[GlobalOptions.system]
    guard !isSystem || arguments[GlobalOptions.home] == nil else {
      throw Failure(.usage, "--home names a daemon of one user: leave it out with --system.")
    }
    guard isSystem || arguments[GlobalOptions.user] == nil else {
      throw Failure(.usage, "--user needs --system: a daemon of one user knows no other.")
    }
  }

  /// Returns the address of the daemon, given by options or else by the environment.
  func address() throws(Failure) -> DaemonAddress {
    try checkTarget()
    let user = arguments[GlobalOptions.user]
    let isSystem = arguments[GlobalOptions.system]
    let number = try user.map { (user) throws(Failure) in try user.number() }
    do throws(RuntimePathsError) {
      if isSystem {
        return try DaemonAddress(systemSocket: arguments[GlobalOptions.socket], user: number)
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

  /// Returns the chosen device, and whether a simulated success counts on it.
  func device() throws(Failure) -> DeviceChoice {
    try deviceChoice(named: arguments[GlobalOptions.device])
  }

  /// Returns the device called `name`, else that of the environment, else the user's own machine.
  func deviceChoice(named name: String?) throws(Failure) -> DeviceChoice {
    do throws(DeviceChoiceError) {
      return try DeviceChoice(named: name, environment: environment)
    } catch {
      throw Failure(.badConfiguration, "\(error)")
    }
  }

  /// Makes `path` absolute, because the daemon has another current directory.
  func absolute(_ path: String?) throws(Failure) -> String? {
    guard let path else { return nil }
    guard let absolute = environment.absolute(path) else {
      throw Failure(.badConfiguration, "There is no current directory: give an absolute path.")
    }
    return absolute
  }

  /// Connects to the daemon, which is started if it is not running.
  func connect() throws(Failure) -> DaemonConnection {
    let address = try address()
    return try calling { () throws(ClientError) in try address.connect() }
  }

  /// Calls one method on a new connection.
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

  /// Runs `body` and converts a client error to a failure.
  func calling<Result: ~Copyable>(
    _ body: () throws(ClientError) -> Result
  ) throws(Failure) -> Result {
    do throws(ClientError) { return try body() } catch { throw Failure(error, typed: typed()) }
  }

  /// Runs `body` as ``calling(_:)``, and says how to open what a device keeps closed.
  func calling<Result: ~Copyable>(
    on device: DeviceChoice,
    _ body: () throws(ClientError) -> Result
  ) throws(Failure) -> Result {
    do throws(Failure) { return try calling(body) } catch { throw advised(error, on: device) }
  }

  /// A failure that also says how to open what a device keeps closed.
  func advised(_ error: Failure, on device: DeviceChoice) -> Failure {
    var failure = error
    let typed = typed(device: device.name)
    switch failure.outcome {
    case .itemLocked: failure.message += " Unlock it: \(typed) device unlock"
    case .passcodeNotSet:
      failure.message += " Set one: \(typed) passcode set"
      if device.origin == .standard, let other = otherDevice {
        failure.message += ". Or name a device: \(self.typed(device: other))"
      }
    case .simulatedNotAllowed:
      failure.message += " Name it with --device, or set LOCALAUTH_ALLOW_SIMULATED=1."
    default: break
    }
    return failure
  }

  /// One of the caller's devices that is not the machine; nil for none.
  private var otherDevice: String? {
    let reply = try? call(Methods.listDevices, ServiceMessages.Empty())
    return reply?.devices.map(\.name).filter { $0 != "default" }.min()
  }

  /// Returns how to type the program so that it means the same daemon and, if given, `device`.
  func typed(device: String? = nil) -> String {
    var words = ["authctl"]
    if arguments[GlobalOptions.system] { words.append("--system") }
    if let user = arguments[GlobalOptions.user] { words += ["--user", user.text] }
    if let home = arguments[GlobalOptions.home] { words += ["--home", home] }
    if let socket = arguments[GlobalOptions.socket] { words += ["--socket", socket] }
    if let device, device != "default" { words += ["--device", device] }
    return words.map { ShellWord.quoted($0) }.joined(separator: " ")
  }

  /// The style of prompts in this environment.
  var promptStyle: PromptStyle {
    PromptStyle(
      noColor: environment["NO_COLOR"],
      term: environment["TERM"],
      lines: environment["LOCALAUTH_PROMPT_LINES"]
    )
  }
}

/// Quoting of words for the shell.
enum ShellWord {
  /// Returns `word`, quoted if the shell would not take it literally.
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
    return "'" + word.splitting(at: "'").joined(separator: "'\\''") + "'"
  }
}

extension String {
  /// The parts between the scalars that are `separator`, also where a mark behind it makes one character of both.
  func splitting(at separator: Unicode.Scalar) -> [String] {
    unicodeScalars.split(separator: separator, omittingEmptySubsequences: false).map { String($0) }
  }
}
