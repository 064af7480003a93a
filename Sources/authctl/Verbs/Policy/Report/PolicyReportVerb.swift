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
      Interrupted, the page has what was computed, says what is missing, and the exit status is 3.
      """,
    arguments: [names.declaration],
    options: CaseOptions.declarations + [
      PolicySolveVerb.days.declaration, out.declaration, compare.declaration,
    ]
  ) { (context) throws(Failure) in try run(context) }

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
      let (page, left) = try page(choices, sensor, context)
      var report = Report(
        "The report is written.",
        answer: page.split(separator: "\n").map(String.init)
      )
      report.remark = nil
      if let left { report.fail(.userCancel, left) }
      return report
    }
    let draft = try FileDraft(path)
    let (page, left) = try page(choices, sensor, context)
    try draft.keep(page)
    var report = Report("The report is in \(path).") {
      $0.member("policies", names)
      $0.member("file", path)
      $0.member("complete", left == nil)
    }
    if let left { report.fail(.userCancel, "\(left) The page is in \(path).") }
    return report
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
  ) throws(Failure) -> (markup: String, left: String?) {
    let isCompared = context.arguments[compare]
    var studies: [PolicyStudy] = []
    var interruption = Interruption()
    for choice in choices where !interruption.hasCome() {
      guard
        let study = try PolicyStudy(
          choice,
          sensor,
          isSensitive: !isCompared,
          context,
          until: &interruption
        )
      else { break }
      // Side by side stands only what is whole, unless it stands alone.
      if study.isComplete || !isCompared || studies.isEmpty { studies.append(study) }
    }
    guard !studies.isEmpty else {
      throw Failure(
        .userCancel,
        "Interrupted before the first day was solved: nothing was written."
      )
    }
    let left = left(studies, choices)
    let markup =
      isCompared
      ? ComparisonPage(studies: studies, left: left).html.markup
      : ReportPage(studies: studies, left: left).html.markup
    return (markup, left)
  }

  /// What is missing because a signal came; nil if nothing is.
  private static func left(_ studies: [PolicyStudy], _ choices: [PolicyChoice]) -> String? {
    let partial = studies.filter { !$0.isComplete }.map { study in
      "\(study.policy.name) was computed for \(CountText.of(study.solution.days, "day")), and not all of it"
    }
    let names = choices.dropFirst(studies.count).map(\.policy.name)
    let missing = names.isEmpty ? [] : ["\(names.joined(separator: ", ")) not at all"]
    let parts = partial + missing
    return parts.isEmpty
      ? nil : "Interrupted: this report is partial. \(parts.joined(separator: "; "))."
  }
}
