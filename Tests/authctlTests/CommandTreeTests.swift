import Testing

@testable import authctl

@Suite struct CommandTreeTests {
  @Test func findsVerbsByPath() {
    #expect(Sample.line.command(at: ["device", "create"])?.name == "create")
    #expect(Sample.line.command(at: [])?.name == "authctl")
    #expect(Sample.line.command(at: ["device", "nothing"]) == nil)
  }

  @Test func listsEveryVerbOnce() {
    #expect(
      Sample.line.allCommands.map { $0.path.joined(separator: " ") } == [
        "authctl", "authctl evaluate", "authctl device", "authctl device create",
        "authctl device list", "authctl check", "authctl replay", "authctl completion",
      ]
    )
  }

  @Test func sampleIsWellFormed() {
    #expect(TreeCheck.problems(in: Sample.line) == [])
  }

  @Test func findsWhatIsWrongInATable() {
    let twice = Option<Int>("json", "N", default: "x", help: "is wrong twice.")
    let last = Argument<[String]>("A", help: "all")
    let after = Argument<String>("B", help: "one")
    let bad = Command(
      "bad",
      abstract: "Is bad",
      arguments: [last.declaration, after.declaration],
      options: [twice.declaration],
      exclusions: [["nothing", "json"]]
    ) { _ in 0 }
    let line = CommandTree(root: Command("p", abstract: "Is fine.", subcommands: [bad, bad]))
    #expect(
      TreeCheck.problems(in: line) == [
        "p: two verbs have one name", "p bad: the abstract is no sentence",
        "p bad: two options have one name", "p bad: --json has a default it would refuse",
        "p bad: the help of --json ends with a full stop",
        "p bad: an exclusion names no option of the verb", "p bad: operands follow an open end",
        "p bad: the abstract is no sentence",
        "p bad: two options have one name", "p bad: --json has a default it would refuse",
        "p bad: the help of --json ends with a full stop",
        "p bad: an exclusion names no option of the verb", "p bad: operands follow an open end",
      ]
    )
  }
}

/// What must hold for a table to be read one way only.
enum TreeCheck {
  static func problems(in line: CommandTree) -> [String] {
    line.allCommands.flatMap { path, command in
      (problems(of: command, globals: line.globals)).map {
        "\(path.joined(separator: " ")): \($0)"
      }
    }
  }

  private static func problems(of command: Command, globals: [OptionDeclaration]) -> [String] {
    var problems: [String] = []
    let verbs = command.subcommands.map { $0.name }
    if Set(verbs).count < verbs.count { problems.append("two verbs have one name") }
    if command.abstract.last != "." { problems.append("the abstract is no sentence") }
    let names = (command.options + globals).map { $0.name }
    if Set(names).count < names.count { problems.append("two options have one name") }
    for option in command.options {
      if let text = option.defaultText, option.value?.accepts(text) != true {
        problems.append("\(option.spelling) has a default it would refuse")
      }
      if option.help.last == "." {
        problems.append("the help of \(option.spelling) ends with a full stop")
      }
    }
    let own = Set(command.options.map { $0.name })
    if !own.isSuperset(of: command.exclusions.joined()) {
      problems.append("an exclusion names no option of the verb")
    }
    let open = command.arguments.drop { $0.arity == .one }
    if open.dropFirst().contains(where: { $0.arity == .one })
      || open.dropLast().contains(where: { $0.isOpen })
    {
      problems.append("operands follow an open end")
    }
    return problems
  }
}
