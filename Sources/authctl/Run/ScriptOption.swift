import Glibc
import LocalAuthSecret

/// What `--script` and `sensor script` take: the events themselves, `@FILE`, or `-`.
struct ScriptOption: ExpressibleByArgument {
  private enum Source: Sendable {
    case inline(String)
    case file(String)
    case standardInput
  }

  private let source: Source

  init?(argument: String) {
    switch argument {
    case "", "@": return nil
    case "-": source = .standardInput
    default:
      source = argument.hasPrefix("@") ? .file(String(argument.dropFirst())) : .inline(argument)
    }
  }

  static var expectation: String { "events, @FILE or -" }

  /// Whether the events stood on the command line, where others can read them.
  var isInline: Bool {
    switch source {
    case .inline: true
    case .file, .standardInput: false
    }
  }

  /// Whether they are read from standard input.
  var isStandardInput: Bool {
    switch source {
    case .standardInput: true
    case .inline, .file: false
    }
  }

  /// The events, in secret memory, because they may hold a passcode.
  func read() throws(Failure) -> Secret {
    switch source {
    case .inline(let events): return Secret(copying: events)
    case .file(let path): return try SecretFile.read(path: path)
    case .standardInput: return try SecretFile.read(STDIN_FILENO)
    }
  }
}

extension Secret {
  /// Secret memory for what stood on the command line, to be sent as a secret is sent.
  init(copying argument: String) {
    self.init(capacity: argument.utf8.count)
    for byte in argument.utf8 { _ = append(byte) }
  }
}
