import Testing

@testable import authctl

@Suite struct CommandTableTests {
  @Test func tableIsWellFormed() {
    #expect(TreeCheck.problems(in: CommandTable.tree) == [])
  }

  @Test func everyVerbExplainsItselfInEightyColumns() throws {
    for (path, _) in CommandTable.tree.allCommands {
      guard case .help(let text) = try CommandTable.tree.parse(path.dropFirst() + ["--help"]) else {
        Issue.record("\(path) has no help")
        continue
      }
      for line in text.split(separator: "\n") {
        #expect(line.utf8.count <= 80 || line.hasPrefix("  "), "\(path): \(line)")
        #expect(line.utf8.count <= 84, "\(path): \(line)")
        #expect(line.utf8.allSatisfy { $0 < 0x7F }, "\(path): \(line)")
      }
    }
  }

  @Test func noOptionTakesASecret() {
    for (path, command) in CommandTable.tree.allCommands {
      for option in command.options where option.value != nil {
        #expect(
          !["passcode", "password", "secret", "pin"].contains(option.name),
          "\(path) takes a secret from the command line"
        )
      }
    }
  }
}
