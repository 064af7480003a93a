import LocalAuthSync

/// How much of what the hub has came here, for a person who waits for it.
extension Synchronizer {
  /// How much of a zone has come; nil while nothing is on its way.
  func progress(of zone: ZoneName) -> ZoneProgress? {
    state.zones[zone].flatMap { ZoneProgress(of: $0, to: ends[zone]) }
  }

  /// Notes where the hub says that zones end; of one that it does not name there is nothing more to come.
  func heard(_ heads: [ZoneHead]) {
    // What came before is no part of what comes now.
    if progress(of: .documents) == nil { arrival = DocumentArrival() }
    ends = state.zones.replicas.mapValues { _ in .reached }
    for head in heads {
      let known = state.zones[head.zone]?.chain.head.number ?? 0
      ends[head.zone] = OfferedEnd(head.place.number, from: known)
    }
  }
}
