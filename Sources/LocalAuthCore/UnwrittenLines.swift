/// What a device has no audit lines of: refusals that are only counted, and lines that could not be
/// written.
///
/// It is in memory alone: what a service that is killed has not told is lost.
public struct UnwrittenLines: Sendable {
  /// How long the line of somebody else's refusal stands for those after it.
  public static let standsFor = Duration.seconds(3600)

  /// A refusal of somebody else that has a line, which says who asked.
  private struct Told: Sendable {
    let id: EvaluationID
    let moment: Moment

    func stands(at now: Moment) -> Bool {
      moment.bootID == now.bootID && now.boot - moment.boot < UnwrittenLines.standsFor
    }
  }

  private var told: Told?
  private var gap: AuditGap?

  /// Nothing is missing.
  public init() {}

  /// Whether the line of somebody else's prompt waits until something is there to judge: ``counts(_:_:at:)`` says what
  /// becomes of a prompt that nobody answers.
  ///
  /// The first after another line does not wait, nor does one in an hour.
  public mutating func putsOff(_ id: EvaluationID, at now: Moment) -> Bool {
    if let told, told.stands(at: now) { return told.id != id }
    told = Told(id: id, moment: now)
    return false
  }

  /// Whether a refusal of somebody else that judged and charged nothing is only counted.
  ///
  /// The first after another line is not, nor is one in an hour: their lines say who asked.
  public mutating func counts(_ id: EvaluationID, _ outcome: OutcomeCode, at now: Moment) -> Bool {
    guard putsOff(id, at: now) else { return false }
    widen(to: now.wall)
    gap?.refusals += 1
    gap?.refusal = outcome
    return true
  }

  /// What is missing before `line`, which is about to be written; nil if nothing is.
  ///
  /// A line that began before the refusal that was told makes no room for another one: it may be written
  /// again and again.
  public mutating func takeGap(before line: AuditRecord) -> AuditGap? {
    if let told, told.id != line.id, told.moment.wall <= line.began { self.told = nil }
    gap?.found(line.id)
    return takeGap()
  }

  /// What is missing where no line follows; nil if nothing is.
  public mutating func takeGap() -> AuditGap? {
    defer { gap = nil }
    return gap?.isEmpty == true ? nil : gap
  }

  /// The line that says what `gap` has could not be written.
  public mutating func failed(_ gap: AuditGap) {
    self.gap = self.gap.map { gap.joined(with: $0) } ?? gap
  }

  /// `line` could not be written.
  ///
  /// Several failures in a row of one evaluation count once. An error that is about what else was to be
  /// changed counts as none.
  public mutating func failed(_ line: AuditRecord, _ error: StorageError) {
    switch error {
    case .overQuota, .duplicate, .missing: return
    case .corrupt, .fromTheFuture, .unwritable, .full, .owned, .failed: break
    }
    if told?.id == line.id { told = nil }
    widen(to: line.ended ?? line.began)
    gap?.lost(line.id, error)
  }

  private mutating func widen(to now: WallInstant) {
    gap = gap ?? AuditGap(at: now)
    gap?.widen(to: now)
  }
}
