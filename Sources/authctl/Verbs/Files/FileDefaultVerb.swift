import LocalAuthCore
import LocalAuthFiles
import LocalAuthKeychain
import LocalAuthTerminal

/// `authctl file default`.
enum FileDefaultVerb {
  static let directory = Argument<String>("DIRECTORY", source: .directories, help: "the directory")
  static let protection = Argument<FileProtection?>(
    "CLASS",
    help: "how file protect and a mount protect files in it; without, the default is shown"
  )
  static let clear = Flag("clear", help: "the directory has no default any more")

  static let command = Command(
    "default",
    abstract: "Say how the files in a directory are protected by default.",
    discussion: """
      file protect follows it where no --class is given. Files that are there stay as they are. The
      default stands in an extended attribute of the directory.

        authctl file default . after-first-unlock
      """,
    arguments: [directory.declaration, protection.declaration],
    options: [clear.declaration]
  ) { (context) throws(Failure) in try setDefault(context) }

  private static func setDefault(_ context: VerbContext) throws(Failure) -> Report {
    let path = context.arguments[directory]
    let wanted = context.arguments[protection]
    let clears = context.arguments[clear]
    guard wanted == nil || !clears else {
      throw Failure(.usage, "--clear takes no class.")
    }
    let current = try Failure.translating(path) { () throws(FileFailure) in
      if wanted != nil || clears { try DirectoryDefault.set(wanted, of: path) }
      return try DirectoryDefault.of(path)
    }
    let shown = TerminalText.sanitized(path, limit: 1000)
    let line = "\(shown): \(current.map { "protected as " + $0.word } ?? "no default, so complete")"
    return Report(line, answer: wanted == nil && !clears ? [line] : []) {
      $0.member("directory", path)
      $0.member("class", current?.word)
    }
  }
}
