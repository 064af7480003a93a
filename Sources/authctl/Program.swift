import Glibc
import LocalAuthCore
import LocalAuthUnix

/// The program: words in, exit status out.
enum Program {
  /// The version of the package.
  static let version = ToolWords.version

  /// Takes the numbers of standard streams that are closed, so that nothing opened later gets one of
  /// them, and a secret.
  ///
  /// Reading and writing them fails, as it does where they are closed.
  static func reserveStandardStreams() {
    for number in Int32(0)...2 where fcntl(number, F_GETFD) < 0 {
      // SAFETY: the string is a C string for the duration of the call.
      _ = unsafe open("/dev/null", number == 0 ? O_WRONLY : O_RDONLY)
    }
  }

  /// Performs the command line of the process.
  static func run() -> Int32 {
    let words = Array(CommandLine.arguments.dropFirst())
    return words.first == ClipboardKeeper.word ? ClipboardKeeper.run(words) : run(words)
  }

  /// Performs the command line `words`, without the program's own name.
  static func run(_ words: [String]) -> Int32 {
    do throws(UsageError) {
      switch try CommandTable.tree.parse(words) {
      case .run(let command, let arguments):
        if let word = wordThatIsNoText(command) {
          let problem = "The word \(CommandText.text([word])) of the command line is no UTF-8."
          return refuse(problem, command: ["authctl"], wantsJSON: wantsJSON(words))
        }
        return command.run?(arguments) ?? 0
      case .help(let text): return show(text, wantsJSON: wantsJSON(words))
      case .version(let wantsJSON): return show("authctl \(version)\n", wantsJSON: wantsJSON)
      }
    } catch {
      return refuse(error.message, command: error.path, wantsJSON: error.wantsJSON)
    }
  }

  private static func refuse(_ problem: String, command: [String], wantsJSON: Bool) -> Int32 {
    let output = Output(wantsJSON: wantsJSON, isQuiet: false, command: command)
    return output.report(Failure(.usage, problem))
  }

  /// The first word that `command` reads as text and that is no UTF-8, which the runtime would repair; the words of a
  /// program to become may be any bytes.
  private static func wordThatIsNoText(_ command: Command) -> [UInt8]? {
    let takesProgram = command.arguments.contains { $0.arity == .program }
    let texts = takesProgram ? ThisProgram.wordsBeforeDashes : ThisProgram.words
    return texts.first { String(validating: $0, as: UTF8.self) == nil }
  }

  /// Prints a text that was requested.
  private static func show(_ text: String, wantsJSON: Bool) -> Int32 {
    let output = Output(wantsJSON: wantsJSON, isQuiet: false, command: ["authctl"])
    guard wantsJSON else { return output.write(text) ? 0 : OutcomeCode.internalError.exit }
    return output.report(Report("The text that was asked for.") { $0.member("text", text) })
  }

  private static func wantsJSON(_ words: [String]) -> Bool {
    words.prefix { $0 != "--" }.contains(GlobalOptions.json.declaration.spelling)
  }
}
