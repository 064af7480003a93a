import Glibc
import LocalAuthCore
import LocalAuthUnix

/// The command that a verb becomes when everything else is done.
struct NextProgram {
  static let words = Argument<ProgramWords>(
    "COMMAND",
    source: .files,
    help: "the command to become, and its arguments"
  )
  private static let standardPath = "/usr/local/bin:/usr/bin:/bin"

  private let program: ReplacementProgram
  /// What will run, with the program's path, as a person reads it.
  let text: String

  /// What stands for a file in a command that is given one.
  static let place = "{}"

  /// Whether a word of the command behind `--` stands for a file.
  static var hasPlace: Bool {
    ThisProgram.wordsBehindDashes.dropFirst().contains(Array(place.utf8))
  }

  /// Finds the command behind `--` before anybody is asked; `file` is what each ``place`` becomes.
  init(_ context: VerbContext, file: String = place) throws(Failure) {
    let words = ThisProgram.wordsBehindDashes.map {
      $0 == Array(Self.place.utf8) ? Array(file.utf8) : $0
    }
    let path = context.environment["PATH"] ?? Self.standardPath
    do throws(ReplacementProgram.Failure) {
      program = try ReplacementProgram(words, searching: Array(path.utf8))
    } catch {
      throw Self.failure(error, CommandText.text(Array(words.prefix(1))))
    }
    text = CommandText.text([program.path] + words.dropFirst())
  }

  /// Becomes the command, with this environment; returns why that failed.
  @unsafe
  func replaceProcess(
    environment: UnsafePointer<UnsafeMutablePointer<CChar>?>
  ) -> Failure {
    let failure = unsafe program.replaceProcess(environment: environment)
    return Self.failure(failure, CommandText.text([program.path]))
  }

  /// Keeps a descriptor from which a secret was read out of the command.
  static func withhold(_ descriptors: [Int?]) {
    for case let number? in descriptors where number > STDERR_FILENO {
      _ = fcntl(Int32(clamping: number), F_SETFD, FD_CLOEXEC)
    }
  }

  private static func failure(_ failure: ReplacementProgram.Failure, _ name: String) -> Failure {
    let exit = failure.status
    switch failure {
    case .notFound:
      return Failure(.usage, "There is no command \(name). Nothing was run.", exit: exit)
    case .notRunnable(let number):
      let why = Failure(.usage, errno: number, "\(name) cannot be run").message
      return Failure(.usage, "\(why) Nothing was run.", exit: exit)
    }
  }
}
