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

  /// The events, in secret memory, because they may hold a passcode.
  func read() throws(Failure) -> Secret {
    switch source {
    case .inline(let events): return Self.secret(events)
    case .file(let path): return try SecretFile.read(path: path)
    case .standardInput: return try SecretFile.read(STDIN_FILENO)
    }
  }

  private static func secret(_ text: String) -> Secret {
    var copy = Secret(capacity: text.utf8.count)
    for byte in text.utf8 { _ = copy.append(byte) }
    return copy
  }
}
