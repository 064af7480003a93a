/// An invalid command line.
///
/// Exit status 2.
///
/// The description is one printable line, whatever the words were. It repeats only names: verbs and
/// members of closed sets as the program spells them, and options, which begin with a dash. Any
/// other word may be a passcode typed in the wrong place.
struct UsageError: Error, Equatable, CustomStringConvertible {
  enum Problem: Equatable {
    case missingVerb([String])
    case unknownVerb(similar: String?, verbs: [String])
    case unknownOption(String, similar: String?)
    case optionBeforeVerb(option: String, verb: String)
    case missingValue(option: String, placeholder: String)
    case unexpectedValue(option: String)
    case repeatedOption(String)
    case conflictingOptions(String, String)
    case missingOption(String)
    case missingArgument(String)
    case missingProgram(String)
    case tooManyArguments(allowed: Int)
    case invalidChoice(parameter: String, choices: [String], similar: String?)
    case invalidValue(parameter: String, expectation: String)
  }

  let problem: Problem
  /// The program's name and the verbs recognised so far.
  let path: [String]
  /// Whether `--json` is among the words, so that the error is also reported in JSON.
  let wantsJSON: Bool

  /// What is wrong and how to correct it, without the name of the command.
  var message: String {
    switch problem {
    case .missingVerb(let verbs):
      "name a verb: \(Self.list(verbs))"
    case .unknownVerb(let similar, let verbs):
      "unknown verb; "
        + (similar.map { "did you mean '\($0)'?" } ?? "use \(Self.list(verbs))")
    case .unknownOption(let option, let similar):
      "unknown option \(Self.quoted(option)); "
        + (similar.map { "did you mean '\($0)'?" } ?? helpHint)
    case .optionBeforeVerb(let option, let verb):
      "'\(option)' belongs to a verb; write it after the verb, as in "
        + "'\(path.joined(separator: " ")) \(verb) \(option)'"
    case .missingValue(let option, let placeholder):
      "'\(option)' needs a value: '\(option) \(placeholder)', "
        + "or '\(option)=\(placeholder)' for one that begins with a dash"
    case .unexpectedValue(let option):
      "'\(option)' takes no value; write '\(option)' alone"
    case .repeatedOption(let option):
      "'\(option)' was given more than once; give it once"
    case .conflictingOptions(let first, let second):
      "'\(first)' and '\(second)' exclude each other; give one of them"
    case .missingOption(let usage):
      "'\(usage)' is missing; \(helpHint)"
    case .missingArgument(let name):
      "\(name) is missing; \(helpHint)"
    case .missingProgram(let operands):
      "write the command behind '--': '\(path.joined(separator: " ")) \(operands)'"
    case .tooManyArguments(let allowed):
      allowed == 0
        ? "this verb takes options alone; \(helpHint)"
        : "too many arguments; give at most \(allowed), and quote one that has blanks in it"
    case .invalidChoice(let parameter, let choices, let similar):
      "unknown value of \(parameter); "
        + (similar.map { "did you mean '\($0)'? (allowed: \(Self.list(choices)))" }
          ?? "use \(Self.list(choices))")
    case .invalidValue(let parameter, let expectation):
      "the value of \(parameter) is not understood; give \(expectation)"
    }
  }

  /// The error as one line for standard error.
  var description: String { "\(path.joined(separator: " ")): \(message)" }

  private var helpHint: String { "see '\(path.joined(separator: " ")) --help'" }

  private static func list(_ names: [String]) -> String {
    guard let last = names.last, names.count > 1 else { return names.first ?? "" }
    return names.dropLast().joined(separator: ", ") + " or " + last
  }

  /// Quotes and shortens a word, without anything that moves the cursor.
  private static func quoted(_ word: String) -> String {
    var shown = String.UnicodeScalarView()
    for scalar in word.unicodeScalars.prefix(60) {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned,
        .surrogate:
        shown.append("?")
      default:
        shown.append(scalar)
      }
    }
    return "'\(String(shown))\(word.unicodeScalars.count > 60 ? "..." : "")'"
  }
}
