import Glibc
import LocalAuthClient
import LocalAuthCore
import LocalAuthPolicies
import LocalAuthSecret
import LocalAuthUnix
import LocalAuthWire

/// A program of an authenticator that is being checked, started as the daemon starts it.
struct ProgramUnderTest: ~Copyable {
  /// How long a reply may take that needs no person; that of the daemon.
  static let patience = Arming.patience

  private let program: ListeningProgram
  private let directory: PrivateDirectory
  /// The directory to remove at the end.
  private let scratch: String?

  /// Starts the program; without a directory for its state it gets an empty one.
  init(_ manifest: AuthenticatorManifest, directory: String?) throws(Failure) {
    let scratch = directory == nil ? try Self.emptyDirectory() : nil
    let path = directory ?? scratch ?? ""
    let held = try Self.open(path)
    program = try Self.start(manifest, in: held)
    self.directory = held
    self.scratch = scratch
  }

  private static func open(_ path: String) throws(Failure) -> PrivateDirectory {
    do throws(PrivateDirectoryError) {
      return try PrivateDirectory(opening: path)
    } catch {
      throw Failure(.usage, "\(error)")
    }
  }

  private static func start(
    _ manifest: AuthenticatorManifest,
    in directory: borrowing PrivateDirectory
  ) throws(Failure) -> ListeningProgram {
    do throws(SystemError) {
      return try ListeningProgram(
        manifest.program,
        arguments: manifest.arguments,
        environment: ["STATE_DIRECTORY=\(directory.path)"],
        socketIn: directory
      )
    } catch {
      throw Failure(.badConfiguration, "The program cannot be started: \(error)")
    }
  }

  deinit {
    program.kill()
    guard let scratch else { return }
    let removal = SpawnRequest(executable: "/bin/rm", arguments: ["-rf", scratch])
    if var remover = try? ChildProcess.spawn(removal) { _ = try? remover.waitForExit() }
  }

  private static func emptyDirectory() throws(Failure) -> String {
    var template = Array("/tmp/localauth-XXXXXX".utf8CString)
    // SAFETY: the template is a C string that mkdtemp modifies in place.
    guard unsafe mkdtemp(&template) != nil else {
      throw Failure(.internalError, errno: errno, "No directory can be made in /tmp")
    }
    return String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// A connection of its own for one call.
  borrowing func connect() throws(ClientError) -> DaemonConnection {
    do throws(SystemError) {
      let socket = try program.connect(isBlocking: true)
      return DaemonConnection(
        socket: try ClientSocket(descriptor: socket, frameLimit: Arming.wordSizeMax)
      )
    } catch {
      throw .unreachable("the program cannot be reached: \(error)")
    }
  }

  /// Calls a method that needs no person.
  borrowing func call<Call: WireObject, Reply: WireObject>(
    _ method: RemoteMethod<Call, Reply>,
    _ parameters: Call
  ) throws(ClientError) -> Reply {
    var connection = try connect()
    return try connection.call(method, parameters, within: Self.patience)
  }

  /// Sends bytes that are no call, as far as the program reads them, and reads what it says until it
  /// closes or `patience` is over.
  borrowing func send(_ bytes: [UInt8], within patience: Duration) {
    guard let made = try? program.connect(isBlocking: true),
      var socket = try? ClientSocket(descriptor: made)
    else { return }
    // SAFETY: the bytes stay in place during the call.
    unsafe bytes.withUnsafeBytes { try? unsafe socket.send($0) }
    let deadline = Deadline.after(patience)
    // SAFETY: the frame is not looked at.
    while (try? unsafe socket.receiveFrame(until: deadline) { _ in true }) != nil {}
  }

  /// Begins to judge an attempt.
  borrowing func arm(
    _ attempt: String,
    for user: String
  ) throws(ClientError) -> ArmedProgram {
    var connection = try connect()
    var parameters = AuthenticatorMessages.ArmCall()
    parameters.attempt = attempt
    parameters.user = user
    parameters.milliseconds = 30_000
    try connection.begin(Methods.armProgram, parameters)
    return ArmedProgram(attempt, over: connection)
  }

  /// Answers the question of an attempt.
  borrowing func answer(_ attempt: String, _ text: String) throws(ClientError) {
    var secret = Secret(capacity: text.utf8.count)
    for byte in text.utf8 { _ = secret.append(byte) }
    var connection = try connect()
    try secret.lend { (answer) throws(ClientError) in
      var parameters = AuthenticatorMessages.AnswerCall()
      parameters.attempt = attempt
      parameters.answer = answer
      let _: Methods.Empty = try connection.call(
        Methods.answerProgram,
        parameters,
        within: Self.patience
      )
    }
  }
}

/// An attempt that the program judges, with what the rules make of its words.
struct ArmedProgram: ~Copyable {
  private(set) var arming: Arming
  private var connection: DaemonConnection

  fileprivate init(_ attempt: String, over connection: consuming DaemonConnection) {
    arming = Arming(attempt)
    self.connection = connection
  }

  /// The next word, and what the rules make of it; nil if none comes within `patience`.
  mutating func next(within patience: Duration) throws(ClientError) -> Arming.Action? {
    let ready = try connection.wait(alsoFor: [], until: .after(patience))
    guard ready.isSocketReady else { return nil }
    do throws(ClientError) {
      let (reply, continues) = try connection.next(Methods.armProgram, until: .after(patience))
      guard let word = Arming.Word(reply), continues != word.isLast else {
        return arming.broke(.malformed)
      }
      return arming.said(word)
    } catch {
      switch error {
      case .remote(let name, let parameters):
        guard let word = Arming.Word(error: name, message: parameters.message ?? "") else {
          return arming.broke(.malformed)
        }
        return arming.said(word)
      case .protocolError, .requestTooLong, .foreignServer: return arming.broke(.malformed)
      // After its verdict it may close.
      case .unreachable: return arming.isOver ? nil : arming.broke(.gone)
      }
    }
  }

  /// Waits until the program is armed; returns how the attempt ended if it is not.
  mutating func untilArmed(within patience: Duration) throws(ClientError) -> Arming.Action? {
    let action = try next(within: patience) ?? arming.broke(.silent)
    return arming.isArmed ? nil : action
  }

  /// The action that is not about telling the person something.
  mutating func decisive(within patience: Duration) throws(ClientError) -> Arming.Action? {
    while let action = try next(within: patience) {
      switch action {
      case .nothing where arming.isArmed: continue
      case .submitted, .tell, .retry: continue
      case .nothing, .ask, .end: return action
      }
    }
    return nil
  }

  mutating func answered() { _ = arming.answered() }
}
