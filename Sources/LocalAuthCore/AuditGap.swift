/// A gap between two audit lines of a device: how many are missing there, of which time, and why.
public struct AuditGap: Hashable, Sendable {
  /// When the first and the last of them would have been written.
  private var first: WallInstant
  private var last: WallInstant
  /// The number of refusals that were only counted.
  var refusals = 0
  /// How the last of these ended.
  var refusal: OutcomeCode?
  /// The number of lines that could not be written.
  private var lost = 0
  /// The evaluation or act of the last of these, and why.
  private var lastLost: EvaluationID?
  private var error: StorageError?

  init(at now: WallInstant) { (first, last) = (now, now) }

  /// Whether nothing is missing after all.
  var isEmpty: Bool { refusals == 0 && lost == 0 }

  mutating func widen(to now: WallInstant) {
    (first, last) = (min(first, now), max(last, now))
  }

  /// The line of `id` could not be written.
  mutating func lost(_ id: EvaluationID, _ error: StorageError) {
    if lastLost != id { lost += 1 }
    (lastLost, self.error) = (id, error)
  }

  /// The line of `id` is written after all.
  mutating func found(_ id: EvaluationID) {
    guard lastLost == id else { return }
    lost -= 1
    lastLost = nil
  }

  /// This and a later gap as one.
  func joined(with later: AuditGap) -> AuditGap {
    var all = self
    all.widen(to: later.first)
    all.widen(to: later.last)
    all.refusals += later.refusals
    all.refusal = later.refusal ?? refusal
    all.lost += later.lost
    all.lastLost = later.lastLost ?? lastLost
    all.error = later.error ?? error
    return all
  }

  /// The line that stands in the gap.
  ///
  /// Its outcome is that of the last refusal, or an internal error where lines could not be written.
  public func line(_ id: EvaluationID, of device: DeviceRecord) -> AuditRecord {
    var line = AuditRecord(
      id: id,
      action: "audit gap",
      device: device.identity,
      callerUID: device.identity.owner,
      callerPID: 0,
      isSimulated: device.isSimulated,
      began: first
    )
    line.ended = last
    line.outcome = lost > 0 ? .internalError : refusal ?? .internalError
    line.detail = [refusalText, lostText].compactMap(\.self).joined(separator: "; ")
    return line
  }

  private var refusalText: String? {
    guard refusals > 0 else { return nil }
    let what = refusals == 1 ? "refusal" : "refusals"
    return "\(refusals) more \(what) of others in between, not written: nothing was judged"
  }

  private var lostText: String? {
    guard lost > 0, let error else { return nil }
    return "\(lost) \(lost == 1 ? "line" : "lines") could not be written: \(error.advice)"
  }
}
