@testable import authctl

/// A command line with one of everything, so that the parser is tested apart from the real verbs.
enum Sample {
  enum Sensor: String, CaseIterable, ExpressibleByArgument {
    case simulated
    case none
  }

  static let policy = Option<String>("policy", "NAME", help: "the policy to judge")
  static let reason = Option<String>("reason", "TEXT", help: "what the user is asked to allow")
  static let timeout = Option<Duration>(
    "timeout",
    "DURATION",
    default: "30s",
    help: "how long the prompt stays open"
  )
  static let nonInteractive = Flag("non-interactive", help: "answer at once, without a prompt")
  static let script = Option<String?>(
    "script",
    "EVENTS|@FILE|-",
    source: .files,
    help: "what the simulated sensor does"
  )

  static let name = Argument<String>("NAME", help: "the name of the new device")
  static let sensor = Option<Sensor>("sensor", "KIND", default: "simulated", help: "its sensor")
  static let finger = Option<[String]>("finger", "FINGER", help: "a finger to enroll")
  static let passcodeStdin = Flag("passcode-stdin", help: "read the passcode from standard input")
  static let passcodeDescriptor = Option<Int?>(
    "passcode-fd",
    "N",
    help: "read the passcode from this descriptor"
  )

  static let file = Argument<String?>("FILE", source: .files, help: "the file to check")
  static let events = Argument<[String]>("EVENT", help: "what happens, in this order")

  static let evaluate = Command(
    "evaluate",
    abstract: "Evaluate a policy.",
    discussion: """
      Asks on the terminal, which need not be standard input or output; a result is printed only
      when it is asked for.

        authctl evaluate --policy device-owner --reason "deploy" && ./deploy
      """,
    options: [
      policy.declaration, reason.declaration, timeout.declaration, nonInteractive.declaration,
      script.declaration,
    ],
    exclusions: [["non-interactive", "script"]]
  ) { _ in 0 }

  static let create = Command(
    "create",
    abstract: "Make a simulated device.",
    arguments: [name.declaration],
    options: [
      sensor.declaration, finger.declaration, passcodeStdin.declaration,
      passcodeDescriptor.declaration,
    ],
    exclusions: [["passcode-stdin", "passcode-fd"]]
  ) { _ in 1 }

  static let list = Command("list", abstract: "List the devices.") { _ in 2 }
  static let check = Command(
    "check",
    abstract: "Check a policy file.",
    arguments: [file.declaration]
  ) { _ in 3 }
  static let replay = Command(
    "replay",
    abstract: "Replay events.",
    arguments: [name.declaration, events.declaration]
  ) { _ in 4 }

  static let line: CommandTree = CommandTree(
    root: Command(
      "authctl",
      abstract: "Local authentication from the shell.",
      subcommands: [
        evaluate,
        Command(
          "device",
          abstract: "Make, list and change devices.",
          subcommands: [create, list]
        ),
        check, replay, CompletionVerb.command { line },
      ]
    )
  )

  /// The arguments of a line that must be right.
  static func run(_ words: String...) throws -> ParsedArguments {
    guard case .run(_, let arguments) = try line.parse(words) else { throw NotARun() }
    return arguments
  }

  /// The error of a line that must be wrong; nil when it is right.
  static func error(_ words: String...) -> UsageError? {
    do throws(UsageError) {
      _ = try line.parse(words)
      return nil
    } catch {
      return error
    }
  }

  struct NotARun: Error {}
}
