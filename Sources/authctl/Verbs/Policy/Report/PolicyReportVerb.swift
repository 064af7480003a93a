import LocalAuthAnalysis
import LocalAuthCore

/// `authctl policy report`.
enum PolicyReportVerb {
  static let names = Argument<[String]>("NAME", source: .policies, help: "the policies' names")
  static let out = Option<String?>(
    "out",
    "FILE",
    source: .files,
    help: "write the page into this file, which is replaced"
  )
  static let compare = Flag("compare", help: "set the policies side by side")

  /// The most policies on one page.
  private static let namesMax = 8

  static let command = Command(
    "report",
    abstract: "Write a page that says what policies mean, for people who are no statisticians.",
    discussion: """
      One HTML page: the policy in words, what it means for 1,000 people and for each attacker, how sure
      the numbers are, and which public rules it meets, with the terms explained. It needs nothing from
      elsewhere, runs no script, and can be printed. Without --out it goes to standard output.
      """,
    arguments: [names.declaration],
    options: CaseOptions.declarations + [
      PolicySolveVerb.days.declaration, out.declaration, compare.declaration,
    ]
  ) { arguments in
    VerbContext.run(arguments) { (context) throws(Failure) in try run(context) }
  }

  private static func run(_ context: VerbContext) throws(Failure) -> Report {
    let names = try names(context)
    let path = context.arguments[out]
    guard path != nil || !context.output.wantsJSON else {
      throw Failure(.usage, "--json tells where the page is, so it needs --out FILE.")
    }
    let sensor = try SensorChoice(context)
    let choices = try names.map { (name) throws(Failure) in
      try PolicyChoice(
        policy: name,
        profile: context.arguments[PolicyChoice.profile],
        delays: context.arguments[PolicyChoice.delays],
        in: PolicyChoice.catalog(context)
      )
    }
    for choice in choices { try CaseOptions.check(choice) }
    guard let path else {
      let page = try page(choices, sensor, context)
      return Report("The report is written.", answer: page.split(separator: "\n").map(String.init))
    }
    let draft = try FileDraft(path)
    let page = try page(choices, sensor, context)
    try draft.keep(page)
    return Report("The report is in \(path).") {
      $0.member("policies", names)
      $0.member("file", path)
    }
  }

  private static func names(_ context: VerbContext) throws(Failure) -> [String] {
    let names = context.arguments[names]
    guard let first = names.first else {
      throw Failure(.usage, "Name a policy; 'authctl policy list' has them.")
    }
    guard names.count <= namesMax else {
      throw Failure(.usage, "A page has room for \(namesMax) policies.")
    }
    guard Set(names).count == names.count else {
      throw Failure(.usage, "Each policy is named once.")
    }
    guard names.count > 1 || !context.arguments[compare] else {
      throw Failure(.usage, "Nothing is beside \(first): --compare takes two policies or more.")
    }
    return names
  }

  private static func page(
    _ choices: [PolicyChoice],
    _ sensor: SensorChoice,
    _ context: VerbContext
  ) throws(Failure) -> String {
    let isCompared = context.arguments[compare]
    let studies = try choices.map { (choice) throws(Failure) in
      guard let study = try PolicyStudy(choice, sensor, isSensitive: !isCompared, context) else {
        throw Failure(.userCancel, "Interrupted: nothing was written.")
      }
      return study
    }
    return isCompared
      ? ComparisonPage(studies: studies).html.markup : ReportPage(studies: studies).html.markup
  }
}
