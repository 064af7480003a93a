import Glibc
import LocalAuthJSON
import LocalAuthUnix
import Testing

/// What the README shows is what happens.
@Suite struct ReadmeTests {
  private static let readme =
    #filePath.split(separator: "/").dropLast(4).reduce("") { $0 + "/" + $1 } + "/README.md"

  @Test func consoleBlockPrintsWhatItShows() throws {
    let steps = try ConsoleBlock.steps(of: Files.text(Self.readme))
    let shell = try Shell()
    #expect(!steps.isEmpty)
    for step in steps {
      #expect(try shell.run(step.command) == step.output, "$ \(step.command)")
    }
  }

  @Test(
    arguments: [
      "", "```console\n$ true\n```\n", "\(ConsoleBlock.comment)\nWords.\n```console\n$ true\n```\n",
      "\(ConsoleBlock.comment)\n```console\n$ true\n", "\(ConsoleBlock.comment)\n```console\n```\n",
      "\(ConsoleBlock.comment)\n```console\nbefore any command\n$ true\n```\n",
    ]
  ) func readmeWithoutABlockIsNoSuccess(_ text: String) {
    #expect(throws: ConsoleBlock.Unreadable.self) { try ConsoleBlock.steps(of: text) }
  }

  @Test func eachCommandHasTheLinesUpToTheNext() throws {
    let text = "# A\n\n\(ConsoleBlock.comment)\n```console\n$ a\n1\n\n2\n$ b\n$ c\n3\n```\n$ no\n"
    let steps = try ConsoleBlock.steps(of: text)
    #expect(steps.map(\.command) == ["a", "b", "c"])
    #expect(steps.map(\.output) == ["1\n\n2\n", "", "3\n"])
  }
}

/// The block of the README that a reader may type.
private enum ConsoleBlock {
  static let comment =
    "<!-- A test replays this block: a line that begins with \"$ \" is a command, what follows is all "
    + "it prints. -->"

  struct Unreadable: Error {
    let why: String
  }

  struct Step {
    let command: String
    var output = ""
  }

  static func steps(of text: String) throws -> [Step] {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard let start = lines.firstIndex(where: { $0 == comment }) else {
      throw Unreadable(why: "no line says that a block is replayed")
    }
    let block = lines[(start + 1)...]
    guard block.first == "```console" else { throw Unreadable(why: "no ```console follows") }
    guard let end = block.firstIndex(of: "```") else { throw Unreadable(why: "it has no end") }
    var steps: [Step] = []
    for line in block[(start + 2)..<end] {
      if line.hasPrefix("$ ") {
        steps.append(Step(command: String(line.dropFirst(2))))
      } else if steps.isEmpty {
        throw Unreadable(why: "it begins with no command")
      } else {
        steps[steps.count - 1].output += line + "\n"
      }
    }
    guard !steps.isEmpty else { throw Unreadable(why: "it has no command") }
    return steps
  }
}

/// A person's shell: a home of its own, `authctl` on the path, and the daemon that it starts.
private final class Shell {
  private let scratch = Scratch()
  private let environment: [String]

  init() throws {
    environment = [
      "PATH=\(Machine.programs):/usr/bin:/bin", "HOME=\(try scratch.makeDirectory("home"))",
      "XDG_RUNTIME_DIR=\(try scratch.makeDirectory("run"))",
    ]
  }

  /// All that a command prints, on either output.
  func run(_ command: String) throws -> String {
    let output = try Captured()
    let program = try RunningProgram(
      SpawnRequest(
        executable: "/bin/sh",
        arguments: ["-c", command],
        environment: environment,
        descriptors: [
          .null, .duplicate(of: output.descriptor), .duplicate(of: output.descriptor),
        ]
      )
    )
    #expect(try program.waitForExit() == .status(0), "$ \(command)")
    return output.text
  }

  deinit {
    let socket = scratch.file("run") + "/localauth/socket"
    for daemon in (try? Processes.withArgument(socket)) ?? [] {
      kill(daemon, SIGTERM)
      _ = try? Processes.waitForEnd(of: daemon)
    }
  }
}
