import LocalAuthPAM
import LocalAuthWire

/// The task that the command line asks for.
enum WorkerTask {
  /// Judge by this service, for calls to descriptor 3; of this uid alone, if one is named.
  case serve(PAMService, daemon: UInt32?)
  /// Start a worker for each connection of this user to the listening socket, which is descriptor 3
  /// or is made at this path.
  case listen(PAMService, daemon: String, socket: String?)

  /// Parses a command line; nil if it is invalid.
  init?(_ arguments: [String]) {
    var words = arguments.dropFirst()
    let isListening = words.first == "--listen"
    if isListening { words.removeFirst() }
    guard let values = Self.values(words, allowed: isListening ? ["--socket"] : []),
      let service = PAMService(values["--service"] ?? "localauth", in: values["--confdir"])
    else { return nil }
    guard !isListening else {
      let daemon = values["--daemon"] ?? "localauth"
      self = .listen(service, daemon: daemon, socket: values["--socket"])
      return
    }
    let daemon = values["--daemon"].map { UInt32($0) }
    // What was named must be a number: workers look no account up.
    if case .some(nil) = daemon { return nil }
    self = .serve(service, daemon: daemon ?? nil)
  }

  /// Whether the process was started with the socket as descriptor 3, and does not make its own.
  var hasSocket: Bool {
    switch self {
    case .serve: true
    case .listen(_, _, let socket): socket == nil
    }
  }

  /// The arguments that make a worker of `service` for the daemon with this uid.
  static func arguments(_ service: PAMService, daemon: UInt32) -> [String] {
    service.arguments + ["--daemon", "\(daemon)"]
  }

  private static func values(
    _ words: ArraySlice<String>,
    allowed: Set<String>
  ) -> [String: String]? {
    var values: [String: String] = [:]
    var rest = words
    while let option = rest.popFirst() {
      guard allowed.union(["--service", "--confdir", "--daemon"]).contains(option),
        let value = rest.popFirst(), !value.isEmpty,
        values.updateValue(value, forKey: option) == nil
      else { return nil }
    }
    return values
  }
}
