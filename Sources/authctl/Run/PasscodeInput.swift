import Glibc
import LocalAuthClient
import LocalAuthCore
import LocalAuthSecret
import LocalAuthTerminal
import LocalAuthWire

/// The source of a passcode: standard input, a descriptor or the terminal, never the command line.
struct PasscodeInput {
  static let passcodeStdin = Flag("passcode-stdin", help: "read the passcode from standard input")
  static let stdin = Flag("stdin", help: "read it from standard input, one line for each secret")
  static let descriptor = Option<Int?>(
    "passcode-fd",
    "N",
    help: "read it from this open descriptor, one line for each secret"
  )

  /// The options of a verb that may need the passcode.
  static var options: [OptionDeclaration] { [passcodeStdin.declaration, descriptor.declaration] }
  /// The options of a verb that manages the passcode.
  static var ownOptions: [OptionDeclaration] { [stdin.declaration] + options }
  static let exclusions = [["passcode-stdin", "passcode-fd"]]
  static let ownExclusions = [["stdin", "passcode-stdin", "passcode-fd"]]
  /// The fewest characters of a passcode about which nothing is said.
  private static let shortest = 4

  private let context: VerbContext

  init(_ context: VerbContext) { self.context = context }

  /// The descriptor to read secrets from; nil for the terminal.
  var source: Int? {
    let arguments = context.arguments
    if arguments[Self.stdin] || arguments[Self.passcodeStdin] { return Int(STDIN_FILENO) }
    return arguments[Self.descriptor]
  }

  /// Reads the next secret from the given descriptor; nil if none was given.
  func given() throws(Failure) -> Secret? {
    guard let source else { return nil }
    return try SecretInput.line(of: source)
  }

  /// Returns the current passcode, given or typed.
  func current(_ device: DeviceChoice) throws(Failure) -> Secret {
    if let given = try given() { return given }
    return try ask { (session) throws(SecretInputError) in
      try session.readSecret(prompt: "Passcode of \(device.name ?? "this machine")")
    }
  }

  /// Returns a passcode to set, given or typed twice.
  func new(for device: String) throws(Failure) -> Secret {
    if let given = try given() { return weighed(given) }
    return weighed(
      try ask { (session) throws(SecretInputError) in
        try session.readNewSecret(prompt: "New passcode of \(device)", again: "The same again")
      }
    )
  }

  /// Says so if a passcode is short; it is taken, since whoever owns the device decides.
  private func weighed(_ new: consuming Secret) -> Secret {
    if new.count < Self.shortest {
      context.output.say(
        "That passcode has fewer than \(Self.shortest) characters: a few tries find it."
      )
    }
    return new
  }

  /// Returns the account's password, given or typed; it exists already, so once is enough.
  func login() throws(Failure) -> Secret {
    if let given = try given() { return given }
    return try ask { (session) throws(SecretInputError) in
      try session.readSecret(prompt: "Current login password (it opens the new keychain)")
    }
  }

  /// Calls a method that may need the current passcode.
  func call<Call: WireObject, Reply: WireObject>(
    _ method: RemoteMethod<Call, Reply>,
    _ device: DeviceChoice,
    _ parameters: (WireSecret?) -> Call
  ) throws(Failure) -> Reply {
    try prove(device) { (connection, passcode) throws(ClientError) in
      try connection.call(method, parameters(passcode), within: DaemonConnection.passcodePatience)
    }
  }

  /// Does what may need the current passcode.
  ///
  /// It first tries with the given passcode, or without one; if the daemon then requires it, it
  /// asks for it on the terminal and tries again.
  func prove<Value>(
    _ device: DeviceChoice,
    _ body: (inout DaemonConnection, WireSecret?) throws(ClientError) -> Value
  ) throws(Failure) -> Value {
    var connection = try context.connect()
    return try prove(device, on: &connection, body)
  }

  /// Does it on a connection that there is.
  func prove<Value>(
    _ device: DeviceChoice,
    on connection: inout DaemonConnection,
    _ body: (inout DaemonConnection, WireSecret?) throws(ClientError) -> Value
  ) throws(Failure) -> Value {
    if let given = try given() { return try prove(with: given, on: &connection, body) }
    do throws(ClientError) { return try body(&connection, nil) } catch {
      guard error.isPasscodeRequired else {
        throw Failure(error, typed: context.typed())
      }
    }
    return try prove(with: current(device), on: &connection, body)
  }

  private func prove<Value>(
    with passcode: borrowing Secret,
    on connection: inout DaemonConnection,
    _ body: (inout DaemonConnection, WireSecret?) throws(ClientError) -> Value
  ) throws(Failure) -> Value {
    do throws(ClientError) {
      return try passcode.lend { (secret) throws(ClientError) in try body(&connection, secret) }
    } catch {
      throw Failure(error, typed: context.typed())
    }
  }

  private func ask(
    _ body: (inout PromptSession) throws(SecretInputError) -> Secret
  ) throws(Failure) -> Secret {
    let option = context.arguments.path.contains("passcode") ? "--stdin" : "--passcode-stdin"
    let advice =
      "The passcode is needed and there is no terminal to ask on. Give it with \(option)."
    return try context.askOnTerminal(orElse: advice, body)
  }
}

extension SecretInput {
  /// Reads the next secret from an open descriptor; unless `isText` is false it has to be UTF-8, as
  /// messages are.
  static func line(of descriptor: Int, isText: Bool = true) throws(Failure) -> Secret {
    let line = try bytes(of: descriptor)
    guard !isText || line.isUTF8 else {
      throw Failure(.usage, "The secret is no UTF-8 text: give it in UTF-8.")
    }
    return line
  }

  private static func bytes(of descriptor: Int) throws(Failure) -> Secret {
    do throws(SecretInputError) {
      return try read(fileDescriptor: Int32(clamping: descriptor))
    } catch { throw Failure(error) }
  }
}

extension Secret {
  /// Whether the bytes are text as messages carry it.
  var isUTF8: Bool {
    // SAFETY: the bytes are only read within the call.
    unsafe withUnsafeBytes { bytes in
      let bytes = unsafe bytes.assumingMemoryBound(to: UInt8.self).span
      do {
        _ = try UTF8Span(validating: bytes)
        return true
      } catch {
        return false
      }
    }
  }
}

extension VerbContext {
  /// Returns a secret, given on standard input or a descriptor as the options say, or asked for.
  func secret(
    _ stdin: Flag,
    _ descriptor: Option<Int?>,
    isText: Bool = true,
    orElse advice: String,
    _ ask: (inout PromptSession) throws(SecretInputError) -> Secret
  ) throws(Failure) -> Secret {
    let given = arguments[stdin] ? Int(STDIN_FILENO) : arguments[descriptor]
    if let given { return try SecretInput.line(of: given, isText: isText) }
    return try askOnTerminal(orElse: advice, ask)
  }

  /// Asks for a secret on the terminal; `advice` says what to do if there is none.
  func askOnTerminal(
    orElse advice: String,
    _ body: (inout PromptSession) throws(SecretInputError) -> Secret
  ) throws(Failure) -> Secret {
    var session: PromptSession
    do throws(TerminalError) {
      session = try PromptSession(terminal: try Terminal(), style: promptStyle)
    } catch .noTerminal {
      throw Failure(.notInteractive, advice)
    } catch {
      throw Failure(error)
    }
    defer { session.end() }
    do throws(SecretInputError) { return try body(&session) } catch { throw Failure(error) }
  }
}
