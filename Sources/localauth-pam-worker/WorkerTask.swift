import LocalAuthPAM

/// The task that the command line asks for.
enum WorkerTask {
  /// Hold conversations on a connected socket.
  case connected(Int32, PAMScope?)
  /// Start a worker for each connection of this user to the listening socket, which is descriptor 3
  /// or is made at this path.
  case listen(daemon: String, socket: String?, PAMScope)

  /// Parses a command line; nil if it is invalid.
  init?(_ arguments: [String]) {
    var words = arguments.dropFirst()
    switch words.first {
    case "--listen", "--within":
      let isListening = words.removeFirst() == "--listen"
      guard let values = Self.values(words, allowed: isListening ? ["--daemon", "--socket"] : [])
      else {
        return nil
      }
      let scope = PAMScope(
        service: values["--service"] ?? "localauth",
        configurationDirectory: values["--confdir"]
      )
      self =
        isListening
        ? .listen(
          daemon: values["--daemon"] ?? "localauth",
          socket: values["--socket"],
          scope
        ) : .connected(3, scope)
    default:
      guard words.count <= 1, let descriptor = Int32(words.first ?? "3"), descriptor > 2 else {
        return nil
      }
      self = .connected(descriptor, nil)
    }
  }

  /// The socket that the process was started with; nil if it makes its own.
  var descriptor: Int32? {
    switch self {
    case .connected(let descriptor, _): descriptor
    case .listen(_, let socket, _): socket == nil ? 3 : nil
    }
  }

  /// The arguments that make another worker process perform this task.
  var arguments: [String] {
    switch self {
    case .connected(let descriptor, nil): ["\(descriptor)"]
    case .connected(_, let scope?): ["--within"] + Self.words(scope)
    case .listen(let daemon, let socket, let scope):
      ["--listen", "--daemon", daemon] + (socket.map { ["--socket", $0] } ?? [])
        + Self.words(scope)
    }
  }

  private static func words(_ scope: PAMScope) -> [String] {
    ["--service", scope.service] + (scope.configurationDirectory.map { ["--confdir", $0] } ?? [])
  }

  private static func values(
    _ words: ArraySlice<String>,
    allowed: Set<String>
  ) -> [String: String]? {
    var values: [String: String] = [:]
    var rest = words
    while let option = rest.popFirst() {
      guard allowed.union(["--service", "--confdir"]).contains(option),
        let value = rest.popFirst(), !value.isEmpty,
        values.updateValue(value, forKey: option) == nil
      else { return nil }
    }
    return values
  }
}
