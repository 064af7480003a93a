import LocalAuthAnalysis
import LocalAuthCore

/// A picture requested with `--plot`; its destination is opened before anything is computed.
struct Drawing: ~Copyable {
  static let file = Option<PictureFile?>(
    "plot",
    "FILE",
    help: "draw a picture, an SVG or PNG file, with gnuplot"
  )
  static let picture = Option<Picture?>(
    "picture",
    "KIND",
    help: "what --plot draws, else \(Picture.survival.rawValue)"
  )
  static let declarations = [file.declaration, picture.declaration]

  private let file: PictureFile
  private let picture: Picture
  private let gnuplot: Gnuplot
  private let draft: FileDraft

  /// Returns the picture that the command line of `context` requests; nil if it requests none.
  ///
  /// It fails if gnuplot is missing, the file cannot be written, or the policy has nothing to do with it.
  static func asked(_ plan: PolicyCase, _ context: VerbContext) throws(Failure) -> Drawing? {
    let asked = context.arguments[picture]
    guard let file = context.arguments[Self.file] else {
      guard asked == nil else {
        throw Failure(.usage, "--picture says what --plot draws, so it needs --plot FILE.")
      }
      return nil
    }
    guard asked != .det || plan.asksForFinger else {
      throw Failure(
        .usage,
        "\(plan.policy.name) asks for no finger, so --picture det would show nothing of it."
      )
    }
    return Drawing(
      file: file,
      picture: asked ?? .survival,
      gnuplot: try Gnuplot(in: context.environment),
      draft: try FileDraft(file.path)
    )
  }

  /// Draws the picture, unless a signal comes first; `simulated` is shown beside the exact results.
  consuming func draw(
    _ report: CaseReport,
    _ context: VerbContext,
    days: UInt32,
    _ questions: [AttackQuestion],
    _ simulated: Simulated? = nil,
    until interruption: inout Interruption
  ) throws(Failure) {
    let usual = questions.isEmpty && picture == .attackers
    let pictures = PolicyPictures(
      plan: report.plan,
      sensorName: report.sensorName,
      days: days,
      attacks: (usual ? try Self.usual(context) : questions).compactMap(\.attack),
      attackTime: context.arguments[AttackOptions.time].duration,
      simulated: simulated
    )
    let picture = picture
    let (figures, isComplete) = try QuestionRun([pictures], in: "pictures")
      .perform(until: &interruption, context) { (pictures, isStopped) throws(Failure) in
        try pictures.figure(picture, isStopped: isStopped)
      }
    guard isComplete, let figure = figures.first else { return }
    try gnuplot.draw(figure, as: file.format, into: draft)
    if !context.output.isQuiet { context.output.say("The picture is in \(file.path).") }
  }

  /// The attackers of a picture for which none is named.
  private static func usual(_ context: VerbContext) throws(Failure) -> [AttackQuestion] {
    try AttackOptions.questions(
      [.zeroEffort, .targeted, .presentation, .pin, .fakeAndPIN],
      try SensorChoice(context),
      context
    )
  }
}

/// What a simulation found.
struct Simulated {
  let people: LoginStatistics
  let attacks: [SimulatedAttack]
}

/// An attack, and the outcomes that were drawn.
struct SimulatedAttack {
  let attack: Attack
  let seen: AttackStatistics
}

extension AttackQuestion {
  /// The attack; nil if it is no attempt to get in.
  var attack: Attack? {
    switch self {
    case .attack(let attack): attack
    case .denial: nil
    }
  }
}
