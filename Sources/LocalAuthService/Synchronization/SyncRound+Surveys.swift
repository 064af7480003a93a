import LocalAuthSync

/// Looking once more at zones whose hub is not believed, for a removal.
extension SyncRound {
  /// Surveys each zone with an alarm; nothing of it is kept.
  func surveyDoubted(then body: @escaping ([ZoneName: ZoneSurvey]) -> Void) {
    survey(synchronizer.state.zones.doubted[...], [:], then: body)
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
      catchUp(with: page) { [self] in
        var next = begun
        let hasMore = next.take(page, in: synchronizer.state.circle, synchronizer.ports)
        hasMore ? goOn(with: next, then: body) : body(next)
      }
    }
  }
}
