import LocalAuthSync

/// Looking once more at zones whose hub is not believed, or that cannot be kept here, for a removal.
extension SyncRound {
  /// Surveys each zone with an alarm, and each that did not come to its end here; nothing of it is kept.
  func surveyDoubted(then body: @escaping ([ZoneName: ZoneSurvey]) -> Void) {
    var zones = Set(synchronizer.state.zones.doubted).union(unkept)
    // It is not pulled as long as a store cannot be read.
    if synchronizer.hasDamagedStore { zones.insert(.keyValues) }
    survey(zones.sorted()[...], [:], then: body)
  }

  private func survey(
    _ zones: ArraySlice<ZoneName>,
    _ done: [ZoneName: ZoneSurvey],
    then body: @escaping ([ZoneName: ZoneSurvey]) -> Void
  ) {
    guard let zone = zones.first else { return body(done) }
    goOn(with: ZoneSurvey(of: zone, in: synchronizer.state.circle)) { [self] ended in
      var all = done
      all[zone] = ended
      survey(zones.dropFirst(), all, then: body)
    }
  }

  private func goOn(with begun: ZoneSurvey, then body: @escaping (ZoneSurvey) -> Void) {
    let limit = Self.entriesAtOnce
    ask(.zonePull(begun.zone, after: begun.end.number, limit: limit)) { [self] reply in
      guard case .zone(let page) = reply else { return endUnexpectedly() }
      // Who has not let lost entries go removes nobody, also where nothing of the zone is kept, so that no alarm is.
      guard !hasLost(page, of: begun.zone) else { return end() }
      catchUp(with: page) { [self] in
        var next = begun
        let hasMore = next.take(page, in: synchronizer.state.circle, synchronizer.ports)
        hasMore ? goOn(with: next, then: body) : body(next)
      }
    }
  }

  /// Whether the hub's zone ends before what was verified here, and no alarm says so yet.
  private func hasLost(_ page: ZonePage, of zone: ZoneName) -> Bool {
    guard let replica = synchronizer.state.zones[zone], replica.alarm == nil else { return false }
    return page.head.number < replica.chain.head.number
  }
}
