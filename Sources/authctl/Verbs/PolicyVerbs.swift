import LocalAuthClient
import LocalAuthCore
import LocalAuthPolicies
import LocalAuthWire

/// `authctl policy`.
enum PolicyVerbs {
  static let name = Argument<String>("NAME", source: .policies, help: "the policy's name")
  static let file = Argument<String>("FILE", source: .files, help: "the file to check")

  static let command = Command(
    "policy",
    abstract: "List, show, check and question policies.",
    subcommands: [
      list, show, check, PolicyExplainVerb.command, PolicySimulateVerb.command,
      PolicySolveVerb.command, PolicyChooseVerb.command, PolicyProveVerb.command,
      PolicyDiffVerb.command, PolicyReportVerb.command,
    ]
  )

  static let list = Command("list", abstract: "List the policies.") { (context) throws(Failure) in
    let reply = try context.call(Methods.listPolicies, ServiceMessages.Empty())
    let rows = reply.policies.map { line in
      [line.name, line.origin, line.usable ? line.summary : "unusable: \(line.message ?? "")"]
    }
    return Report(
      CountText.of(reply.policies.count, "policy", "policies") + ".",
      answer: Columns.table(rows)
    ) {
      $0.member("items", reply.policies) { line, writer in
        writer.member("name", line.name)
        writer.member("summary", line.summary)
        writer.member("origin", line.origin)
        writer.member("requirement", line.requirement)
        writer.member("acr", line.acr)
        writer.member("usable", line.usable)
        writer.member("message", line.message)
      }
    }
  }

  static let show = Command(
    "show",
    abstract: "Show a policy, in words and as its file has it.",
    arguments: [name.declaration]
  ) { (context) throws(Failure) in
    var call = PolicyMessages.ShowCall()
    call.policy = context.arguments[name]
    let reply = try context.call(Methods.showPolicy, call)
    let lines =
      ["\(reply.name) (\(reply.origin))", ""] + Columns.paragraph(reply.description) + [""]
      + Columns.paragraph(reply.source)
    return Report("\(reply.name) is shown.", answer: lines) {
      $0.member("policy", reply.name)
      $0.member("origin", reply.origin)
      $0.member("description", reply.description)
      $0.member("source", reply.source)
    }
  }

  static let check = Command(
    "check",
    abstract: "Check a policy file; exit 78 when it cannot be used.",
    arguments: [file.declaration]
  ) { (context) throws(Failure) in
    var call = PolicyMessages.CheckCall()
    let path = context.arguments[file]
    call.source = try TextFile.read(path: path)
    guard call.source.contains(where: { !$0.isWhitespace }) else {
      throw Failure(.badConfiguration, "\(path) is empty; localauth-policy(5) has examples.")
    }
    call.file = CheckedFile.pathWithKind(of: path)
    let reply = try context.call(Methods.checkPolicy, call)
    guard reply.valid else {
      throw Failure(.badConfiguration, reply.message ?? "\(path) cannot be used.")
    }
    let checked = CheckedFile(call.file, call.source, context)
    if let problem = checked.problem { throw Failure(.badConfiguration, "\(problem)") }
    let words = reply.description ?? ""
    let remarks = checked.remarks
    let notes = ([checked.whereItCounts] + remarks).filter { !$0.isEmpty }
    let answer =
      ["\(path) is valid.", ""] + Columns.paragraph(words)
      + notes.flatMap(Columns.paragraph)
    return Report("\(path) is valid.", answer: answer) {
      $0.member("file", path)
      $0.member("description", words)
      $0.member("remarks", remarks)
    }
  }
}
