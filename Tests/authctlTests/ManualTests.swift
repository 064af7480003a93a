import LocalAuthCore
import LocalAuthJSON
import Testing

@testable import authctl

/// The manual page and the schema say what the code does.
@Suite struct ManualTests {
  private func manual() throws -> String { try packageFile("docs/man/authctl.1") }

  @Test func exitTableIsTheCodes() throws {
    let rows = try manual().split(separator: "\n").filter { line in
      line.hasPrefix(".It ") && line.dropFirst(4).first?.isNumber ?? false
    }.map { $0.dropFirst(4).split(separator: " Ta ").map { Self.plain(String($0)) } }
    let table = OutcomeCode.allCases.map {
      ["\($0.exit)", $0.rawValue, $0.laError.map { "\($0)" } ?? "-", $0.sentence]
    }
    #expect(rows == table)
  }

  @Test func everyVerbIsDescribed() throws {
    let manual = try manual()
    let described = manual.split(separator: "\n").filter {
      $0.hasPrefix(".It Ic ") || $0.hasPrefix(".Ic ")
    }.map { $0.hasPrefix(".It ") ? $0.dropFirst(7) : $0.dropFirst(4) }
    for (path, command) in CommandTable.tree.allCommands where command.subcommands.isEmpty {
      let words = path.dropFirst().joined(separator: " ")
      let isDescribed = described.contains { line in
        line == words || line.hasPrefix(words + " ")
          || line == "passcode set | change | remove" && path[1] == "passcode"
      }
      #expect(isDescribed, "\(words) is not in the manual page")
    }
  }

  @Test func everyOptionIsDescribed() throws {
    let manual = try manual()
    let options = CommandTable.tree.allCommands.flatMap { $0.command.options }
    for option in options + CommandTable.tree.globals {
      #expect(manual.contains("Fl \\-\(option.name)"), "\(option.spelling) is not described")
    }
  }

  @Test func manualNamesNoOptionThatDoesNotExist() throws {
    let known = Set(
      (CommandTable.tree.allCommands.flatMap { $0.command.options } + CommandTable.tree.globals)
        .map(\.name)
    )
    for line in try manual().split(separator: "\n") where line.hasPrefix(".") {
      let words = line.split(separator: " ")
      for (word, next) in zip(words, words.dropFirst()) where word == "Fl" && next.hasPrefix("\\-")
      {
        #expect(known.contains(String(next.dropFirst(2))), "\(next) does not exist")
      }
    }
  }

  @Test func schemaKnowsEveryOutcomeAndStatus() throws {
    let schema = try JSONValue.parsed(packageFile("docs/authctl.schema.json"))
    let outcomes = schema["$defs"]?["outcome"]?["enum"]?.elements.compactMap(\.string)
    #expect(outcomes == OutcomeCode.allCases.map(\.rawValue))
    let statuses = schema["$defs"]?["report"]?["properties"]?["exit"]?["enum"]?.elements
      .compactMap(\.integer)
    // Commands that are not run, and signals that interrupt a proof.
    let others: [Int64] = [126, 127, 129, 130, 131, 143]
    #expect(statuses == Set(OutcomeCode.allCases.map { Int64($0.exit) } + others).sorted())
  }

  private static func plain(_ cell: String) -> String {
    cell.replacing("\\&", with: "").replacing("\\-", with: "-")
  }
}
