import Testing

@testable import LocalAuthCore

/// The line that stands in a gap of the audit.
@Suite struct AuditGapTests {
  private let device = DeviceRecord(
    identity: DeviceIdentity(owner: 1000, name: "default"),
    isSimulated: true
  )
  private let id = EvaluationID(high: 0, low: 1)

  private func gap(at milliseconds: Int64, refusals: Int = 0) -> AuditGap {
    var gap = AuditGap(at: WallInstant(milliseconds: milliseconds))
    gap.refusals = refusals
    if refusals > 0 { gap.refusal = .busy }
    return gap
  }

  @Test func itIsALineOfTheDeviceAndOfNoCaller() {
    let line = gap(at: 5, refusals: 2).line(id, of: device)
    #expect(line.action == "audit gap" && line.device == device.identity)
    #expect(line.callerUID == 1000 && line.callerPID == 0 && line.program.isEmpty)
    #expect(line.isSimulated && line.id == id)
  }

  @Test func itTakesTheTimeFromTheFirstThatIsMissingToTheLast() {
    var gap = gap(at: 5, refusals: 2)
    gap.widen(to: WallInstant(milliseconds: 9))
    let later = self.gap(at: 12, refusals: 1)
    for all in [gap.joined(with: later), later.joined(with: gap)] {
      let line = all.line(id, of: device)
      #expect(line.began.milliseconds == 5 && line.ended?.milliseconds == 12)
      #expect(line.detail.hasPrefix("3 more refusals"))
    }
  }

  @Test func itEndedAsTheLastRefusalDid() {
    #expect(gap(at: 5, refusals: 2).line(id, of: device).outcome == .busy)
  }

  @Test func linesThatAreLostAreAnError() {
    var gap = gap(at: 5, refusals: 2)
    gap.lost(EvaluationID(high: 0, low: 7), .unwritable("a reason"))
    let line = gap.line(id, of: device)
    #expect(line.outcome == .internalError)
    #expect(
      line.detail == "2 more refusals of others in between, not written: nothing was judged; "
        + "1 line could not be written: it cannot be written: a reason"
    )
  }
}
