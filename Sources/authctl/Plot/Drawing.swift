import LocalAuthAnalysis
import LocalAuthCore

/// A picture that was asked for with `--plot`: where it goes is settled before anything is computed.
struct Drawing: ~Copyable {
  static let file = Option<PictureFile?>(
    "plot",
    "FILE",
    help: "draw a picture, an SVG or PNG file, with gnuplot"
  )
  static let picture = Option<Picture>(
    "picture",
    "KIND",
    default: Picture.survival.rawValue,
    help: "what --plot draws"
  )
  static let declarations = [file.declaration, picture.declaration]

  private let file: PictureFile
  private let picture: Picture
  private let gnuplot: Gnuplot
  private var draft: PictureDraft

  /// The picture that the command line of `context` asks for; nil for none.
  ///
  /// It fails where gnuplot is missing or nothing can be written.
  static func asked(_ context: VerbContext) throws(Failure) -> Drawing? {
    guard let file = context.arguments[Self.file] else { return nil }
    return Drawing(
      file: file,
      picture: context.arguments[picture],
      gnuplot: try Gnuplot(in: context.environment),
      draft: try PictureDraft(file)
    )
  }

  private init(
    file: PictureFile,
    picture: Picture,
    gnuplot: Gnuplot,
    draft: consuming PictureDraft
  ) {
    self.file = file
    self.picture = picture
    self.gnuplot = gnuplot
    self.draft = draft
  }

  /// Draws it; `simulated` is shown beside what is exact.
  consuming func draw(
    _ report: CaseReport,
    _ context: VerbContext,
    days: UInt32,
    simulated: LoginStatistics? = nil
  ) throws(Failure) {
    let pictures = PolicyPictures(
      plan: report.plan,
      sensorName: report.sensorName,
      days: days,
      attackTime: context.arguments[CaseOptions.time].duration,
      simulated: simulated
    )
    try gnuplot.draw(pictures.figure(picture), as: file.format, into: &draft)
  }
}
