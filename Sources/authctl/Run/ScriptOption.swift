import Glibc
import LocalAuthCore
import LocalAuthSecret

/// The value of `--script` and `sensor script`: the events themselves, `@FILE`, or `-`.
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

  /// Whether the events are on the command line, where others can read them.
  var isInline: Bool {
    switch source {
    case .inline: true
    case .file, .standardInput: false
    }
  }

  /// Whether the events are read from standard input.
  var isStandardInput: Bool {
    switch source {
    case .standardInput: true
    case .inline, .file: false
    }
  }

  /// Reads the events into secret memory, because they may contain a passcode.
  func read() throws(Failure) -> Secret {
    let script: Secret
    switch source {
    case .inline(let events): script = Secret(copying: events)
    case .file(let path): script = try SecretFile.read(path: path)
    case .standardInput: script = try SecretFile.read(STDIN_FILENO)
    }
    guard script.isUTF8 else { throw Failure(.usage, "The script is no UTF-8 text.") }
    return script
  }
}

extension Secret {
  /// Copies a command-line argument into secret memory, to be sent as a secret.
  init(copying argument: String) {
    self.init(capacity: argument.utf8.count)
    for byte in argument.utf8 { _ = append(byte) }
  }
}
