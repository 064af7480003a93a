import LocalAuthSync

/// Checkpoints in a round: beginning at one, and leaving one for who joins later.
extension SyncRound {
  // MARK: Beginning

  /// Begins with a zone of which nothing was verified: at the hub's checkpoint, or with the first entry if there is none.
  func begin(_ zone: ZoneName, then body: @escaping () -> Void) {
    begin(zone, mayMiss: Self.missesMax, then: body)
  }

  /// How often somebody may have left a later checkpoint while the manifest of one was fetched.
  private static let missesMax = 3

  private func begin(_ zone: ZoneName, mayMiss misses: Int, then body: @escaping () -> Void) {
    askForCheckpoint(zone, otherwise: body) { [self] word in
      guard let word else { return pull(zone, then: body) }
      collect(word, [:], part: 0, mayMiss: misses, then: body)
    }
  }

  /// Collects the parts of the manifest, which count once all of them fit the checkpoint.
  ///
  /// A member may sign another place than the one where it leaves a checkpoint, and leave parts that are none. Then the
  /// zone is verified from its first entry on.
  private func collect(
    _ word: SyncedCheckpoint,
    _ lines: [RecordName: ZoneManifest.Line],
    part: UInt16,
    mayMiss misses: Int,
    then body: @escaping () -> Void
  ) {
    let (zone, place) = (word.checkpoint.zone, word.checkpoint.place)
    guard part < word.parts else {
      return synchronizer.begin(at: word.checkpoint, lines) { [self] isDone in
        isDone ? pull(zone, then: body) : failed(zone, then: body)
      }
    }
    ask(.manifest(zone, at: place, part: part)) { [self] reply in
      guard case .manifest(let came) = reply else { return endUnexpectedly() }
      guard let came else {
        return misses > 0
          ? begin(zone, mayMiss: misses - 1, then: body) : pull(zone, then: body)
      }
      let all = lines.merging(came.lines) { _, new in new }
      collect(word, all, part: part + 1, mayMiss: misses, then: body)
    }
  }

  /// Asks for the bodies before the checkpoint, page by page; each is durable before the next, so a kill loses none.
  func pullRecords(_ zone: ZoneName, then body: @escaping () -> Void) {
    guard let replica = synchronizer.state.zones[zone], replica.alarm == nil,
      replica.awaitsRecords
    else { return body() }
    let head = replica.chain.head
    ask(.records(zone, upTo: head.number, after: replica.recordsCursor)) { [self] reply in
      guard case .records(let bodies, let isLast) = reply else { return endUnexpectedly() }
      synchronizer.take(bodies, isLast: isLast, of: zone, at: head) { [self] isDone in
        isDone ? pullRecords(zone, then: body) : failed(zone, then: body)
      }
    }
  }

  // MARK: Leaving

  /// Leaves a checkpoint where one is due, also in place of a device that was killed before it could.
  ///
  /// It comes before the others are told, so that they find it. The hub shows it when it has all parts, and a round that
  /// ends before makes another.
  func leaveCheckpoint(of zone: ZoneName, then body: @escaping () -> Void) {
    guard synchronizer.isCheckpointDue(of: zone) else { return body() }
    askForCheckpoint(zone, otherwise: body) { [self] last in
      synchronizer.checkpoints[zone] = last?.checkpoint.place.number ?? 0
      guard synchronizer.isCheckpointDue(of: zone),
        let (own, parts) = synchronizer.makeCheckpoint(of: zone)
      else { return body() }
      put(own, parts, part: 0, then: body)
    }
  }

  private func put(
    _ checkpoint: ZoneCheckpoint,
    _ parts: [ManifestPart],
    part: Int,
    then body: @escaping () -> Void
  ) {
    guard part < parts.count else {
      synchronizer.checkpoints[checkpoint.zone] = checkpoint.place.number
      return body()
    }
    let request = HubRequest.putCheckpoint(
      checkpoint,
      part: UInt16(part),
      of: UInt16(parts.count),
      parts[part]
    )
    ask(request, mayBeRefused: true) { [self] reply in
      // A hub without room for it takes changes all the same, and is asked again an interval later.
      let next = reply == .done ? part + 1 : parts.count
      put(checkpoint, parts, part: next, then: body)
    }
  }

  // MARK: The hub's

  /// Asks for the latest checkpoint and compares it with what was verified here.
  ///
  /// - Parameters:
  ///   - zone: The zone.
  ///   - body: Called if the round goes on without the zone, because the hub is not believed.
  ///   - use: Gets the checkpoint; nil if there is none, or a device left it that was removed since.
  private func askForCheckpoint(
    _ zone: ZoneName,
    otherwise body: @escaping () -> Void,
    _ use: @escaping (SyncedCheckpoint?) -> Void
  ) {
    ask(.checkpoint(zone)) { [self] reply in
      guard case .checkpoint(let checkpoint, let parts) = reply,
        parts <= ManifestPart.partsMax
      else { return endUnexpectedly() }
      guard let checkpoint else { return use(nil) }
      catchUp(with: checkpoint) { [self] in
        synchronizer.heed(checkpoint, of: zone) { [self] isWord in
          guard let isWord else { return failed(zone, then: body) }
          use(isWord ? SyncedCheckpoint(checkpoint: checkpoint, parts: parts) : nil)
        }
      }
    }
  }

  /// Pulls the circle once more for the word of a device that joined since, or that knew more of it.
  private func catchUp(with checkpoint: ZoneCheckpoint, then body: @escaping () -> Void) {
    let circle = synchronizer.state.circle
    guard
      circle.peers[checkpoint.author] == nil
        || checkpoint.circleHead.number > circle.head.number
    else { return body() }
    catchUp(then: body)
  }
}

/// A member's word that the hub has, and of how many parts its manifest is.
struct SyncedCheckpoint {
  let checkpoint: ZoneCheckpoint
  let parts: UInt16
}
