import LocalAuthCore
import LocalAuthKeychain
import LocalAuthSecret
import LocalAuthService
import LocalAuthSync
import LocalAuthWire

extension SyncMessages.StatusReply {
  init(_ report: SyncReport) {
    self.init()
    stage = report.stage.name
    hub = SyncMessages.Hub(report.address)
    circle = report.circle == .none ? "" : PeerIdentifier(half: report.circle.bytes).text
    head = Int64(clamping: report.head.number)
    words = report.words
    peers = report.peers.map { SyncMessages.Peer($0) }
    zones = report.zones.map { SyncMessages.Zone($0) }
    circleAlarm = report.circleAlarm?.sentence
    heardAt = report.heard?.milliseconds
    failure = report.failure?.sentence ?? report.unkept.map { Self.sentence(ofUnkept: $0) }
    failureCode = report.failure?.code ?? report.unkept.map { _ in "notStored" }
    if report.stage == .codeWasUsed {
      failure = "it let another device in by the same code"
      failureCode = "codeWasUsed"
    }
    isInviting = report.isInviting
    answering = report.answering.map { SyncMessages.Answering($0) }
  }

  /// Why nothing goes on, though the hub was reached.
  static func sentence(ofUnkept failure: StorageError) -> String {
    let reason = failure == .full ? "the disk is full" : failure.advice
    return "this device cannot keep what comes and goes: \(reason)"
  }
}

extension SyncMessages.Answering {
  fileprivate init(_ answering: SyncReport.Answering) {
    self.init()
    (name, words) = (answering.name, answering.words)
  }
}

extension SyncMessages.Hub {
  fileprivate init(_ address: HubAddress) {
    self.init()
    host = address.host
    port = Int64(address.port)
    database = address.database
    authority = address.authority.isEmpty ? nil : address.authority
    certificate = address.certificate?.path
    certificateKey = address.certificate?.key
  }
}

extension SyncMessages.Peer {
  fileprivate init(_ peer: SyncReport.Peer) {
    self.init()
    id = peer.identifier.text
    name = peer.name
    words = peer.words
    kind = peer.kind == .device ? "device" : "recovery"
    isThisDevice = peer.isMe
    heardAt = peer.heard?.milliseconds
  }
}

extension SyncMessages.Zone {
  fileprivate init(_ zone: SyncReport.Zone) {
    self.init()
    name = zone.name.text
    records = Int64(zone.records)
    outgoing = Int64(zone.outgoing)
    incoming = Int64(zone.incoming)
    conflicts = Int64(zone.conflicts)
    alarm = zone.alarm?.sentence
    needsRepair = zone.needsRepair ? true : nil
    head = Int64(clamping: zone.head.number)
    words = zone.words
    claimed = zone.claimed.map { Int64(clamping: $0) }
    claimedBy = claimed.map { _ in zone.claimants.map(\.text) }
    lacksKeys = zone.lacksKeys ? true : nil
    progress = zone.progress.map { SyncMessages.Progress($0, zone.arrival) }
    (unreadable, unreadableBy) = Self.unopened(zone.unreadable)
    (newer, newerBy) = Self.unopened(zone.newer)
    (lost, lostBy) = Self.unopened(zone.lost)
  }

  private static func unopened(_ records: SyncReport.Unopened) -> (Int64?, [String]?) {
    guard records.count > 0 else { return (nil, nil) }
    return (Int64(records.count), records.authors.map(\.text))
  }
}

extension SyncMessages.Progress {
  fileprivate init(_ progress: ZoneProgress, _ arrival: DocumentArrival?) {
    self.init()
    entries = Int64(clamping: progress.entries)
    allEntries = Int64(clamping: progress.allEntries)
    isHubsWord = progress.isHubsWord
    records = progress.records.map { Int64($0.count) }
    allRecords = progress.records.map { Int64($0.all) }
    bytes = arrival.map { Int64(clamping: $0.bytes) }
    allBytes = arrival?.all.map { Int64(clamping: $0) }
  }
}

extension SyncReport.Stage {
  fileprivate var name: String {
    switch self {
    case .founding: "founding"
    case .joining, .codeWasUsed: "joining"
    case .member: "member"
    case .removed: "removed"
    case .stateWasChanged: "stateWasChanged"
    }
  }
}

extension PeerIdentifier {
  /// The first half of a digest, which is enough to tell circles apart.
  fileprivate init(half bytes: [UInt8]) {
    func number(_ range: Range<Int>) -> UInt64 { bytes[range].reduce(0) { $0 << 8 | UInt64($1) } }
    self.init(high: number(0..<8), low: number(8..<16))
  }
}

extension HubAlarm {
  /// What the hub did, and what to do about it.
  var sentence: String {
    switch self {
    case .hubTampered(let what):
      "the hub changed what a device sent (\(what)); nothing of it was taken"
    case .hubRolledBack(let verified, let offered):
      "the hub ends at entry \(offered.number), and entry \(verified.number) was verified here: an older copy was put back"
    case .hubForked(let zone, let number):
      "the hub shows another history from entry \(number) of \(zone?.text ?? "the circle") on"
    }
  }
}

extension SyncDoubt {
  /// What the log says of it.
  func line(of device: DeviceIdentity) -> String {
    let place =
      switch subject {
      case .circle: "the circle of "
      case .zone(let zone): "\(zone.text) of "
      case .device, .disk: ""
      }
    let what =
      switch reason {
      case .alarm(let alarm): alarm.sentence
      case .removed: "another device removed it from its circle"
      case .stateWasChanged: "what it kept of its circle was changed or put back"
      case .denied: "the hub of its circle does not let it in, as after a removal"
      case .unkept(let failure): SyncMessages.StatusReply.sentence(ofUnkept: failure)
      }
    return
      "\(place)the device \(device.name) of user \(device.owner): \(what); see 'authctl sync status'"
  }
}

extension HubError {
  /// Its name on the wire.
  var code: String {
    switch self {
    case _ where isDenial: "denied"
    case .unreachable: "unreachable"
    case .denied, .refused: "refused"
    case .unexpected: "unexpected"
    case .schema: "schema"
    }
  }

  /// What the server said itself, without the way to it.
  private static func said(_ reason: String) -> Substring {
    reason.firstRange(of: " failed: ").map { reason[$0.upperBound...] } ?? reason[...]
  }

  /// Why the hub did not do what was asked.
  var sentence: String {
    switch self {
    case .denied(let reason):
      "it does not let this device in, as after a removal or with a code that is over (\(Self.said(reason)))"
    case .unreachable(let reason): "it cannot be reached: \(reason)"
    case _ where isFullShare:
      "the circle has used up its share of bytes there: remove something, or have the hub's administrator give it more"
    case .refused(let code, let reason): "it refused: \(reason) (\(code))"
    case .unexpected(let reason): "it answered nonsense: \(reason)"
    case .schema(let found, let wanted):
      "its schema has version \(found.map(String.init) ?? "none"), and \(wanted) is needed"
    }
  }
}

extension SyncFailure {
  /// Its name on the wire.
  var code: String {
    switch self {
    case .notMember, .onItsWay: "notMember"
    case .alreadyMember: "alreadyMember"
    case .hub(let error): error.isDenial ? "denied" : "hub"
    case .noInvitation: "noInvitation"
    case .otherDevice: "otherDevice"
    case .wrongCode: "wrongCode"
    case .circleChanged: "circleChanged"
    case .circleFull: "circleFull"
    case .noSuchPeer: "noSuchPeer"
    case .lastMember: "lastMember"
    case .stateWasChanged: "stateWasChanged"
    case .removed: "removed"
    case .alarm: "alarm"
    case .unrepaired: "unrepaired"
    case .nothingToRepair: "nothingToRepair"
    case .noSuchConflict: "noSuchConflict"
    case .notStored: "notStored"
    case .rowTooLarge: "rowTooLarge"
    case .otherCircle: "otherCircle"
    case .otherHub: "otherHub"
    case .olderHub: "olderHub"
    case .noSuchRecoveryKey: "noSuchRecoveryKey"
    case .locked: "locked"
    case .incomplete: "incomplete"
    }
  }

  /// What happened, and what to do.
  var sentence: String {
    switch self {
    case .notMember: "The device is in no circle: found one, or join one."
    case .onItsWay:
      "The device is on its way into a circle, and not in it yet: 'sync status' says what it waits for."
    case .alreadyMember: "The device is in a circle already: it has to leave that first."
    case .hub(let error): "The hub did not do it: \(error.sentence)."
    case .noInvitation:
      "No invitation is open: one is good for ten minutes, and ends with the service."
    case .otherDevice:
      "Another device answers than the one that you were shown, and none was let in: compare the words once more."
    case .wrongCode:
      "That is no code for this, or what it was for is over: 'hub found' makes the codes of 'sync found', 'sync invite' those of 'sync join', and 'sync recover' takes a recovery key."
    case .circleChanged: "Another device changed the circle at the same time: try again."
    case .circleFull:
      "The circle has had \(CircleLog.peersMax) devices and recovery keys, and may not have more: found a new one, which the others join."
    case .noSuchPeer: "The circle has no such device."
    case .lastMember: "A device does not remove itself: it leaves, or another one removes it."
    case .stateWasChanged:
      "What the device kept of its synchronization was changed, or an older state was put back: leave, and join again."
    case .removed: "Another device removed this one from the circle: leave, and join again."
    case .noSuchConflict:
      "No such version was overruled here, or it is gone; 'sync conflicts' shows those that are kept."
    case .notStored: "The device could not keep it; nothing was changed."
    case .rowTooLarge:
      "The row would have more than \(TableRow.bytesMax >> 10) KiB or \(TableRow.columnsMax) columns with what was overruled; nothing was changed: make columns of the row that stands shorter, or null, and do it once more."
    case .otherCircle:
      "The hub shows another circle than this key is of, or keeps its keys back. The device did not join."
    case .otherHub(let zone):
      "The hub there has another history of \(zone?.text ?? "the circle's log") than this device verified: nothing was changed."
    case .olderHub(let zone, let verified, let offered):
      "The hub there is an older copy: of \(zone?.text ?? "the circle's log") it ends at entry \(offered), and entry \(verified) was verified here. Nothing was changed."
    case .noSuchRecoveryKey: "The circle has another recovery key, or none any more."
    case .locked: "The device was locked meanwhile: unlock it, and do it once more."
    case .incomplete:
      "Something that the hub has is not read here, so not everything got new keys: see the status, and try again."
    case .nothingToRepair: "There is nothing to repair: the hub is believed."
    case .alarm: "The hub is not believed any more; see the status."
    case .unrepaired:
      "The hub lost entries that this device had: say 'sync repair' first, and then remove the other one."
    }
  }
}

extension SyncMessages.ProvenReply: EvaluatingReply {}

extension Responder {
  /// Sends the code of an invitation as the last reply, or the error instead of it.
  func finishWithCode(_ result: Result<SecretBox, EngineError>) {
    finish(
      result,
      in: { code in
        var reply = SyncMessages.InviteReply()
        reply.code = code
        return reply
      }
    )
  }

  /// Sends a recovery key as the last reply, or the error instead of it.
  func finishWithKey(_ result: Result<SecretBox, EngineError>) {
    finish(
      result,
      in: { key in
        var reply = SyncMessages.RecoveryKeyReply()
        reply.code = key
        return reply
      }
    )
  }

  /// Sends what a person is to read as the last reply, or the error instead of it.
  private func finish(
    _ result: Result<SecretBox, EngineError>,
    in compose: (WireSecret) -> some WireObject
  ) {
    let held: SecretBox
    switch result {
    case .failure(let error): return fail(error)
    case .success(let code): held = code
    }
    guard let code = held.take() else { return fail(.internalError("The code was taken.")) }
    // SAFETY: the bytes stay in place while the reply is written; nothing points to them afterwards.
    unsafe code.withUnsafeBytes { bytes in
      let reply = compose(unsafe WireSecret(base64Of: bytes))
      replySecretly(reply, holding: bytes.count, sizeMax: 4000)
    }
  }
}

extension Responder {
  /// Sends a value as the last reply, or the error instead of it.
  func reply<Value>(
    _ result: Result<Value, EngineError>,
    _ compose: (Value) -> some WireObject
  ) {
    switch result {
    case .failure(let error): fail(error)
    case .success(let value): reply(compose(value))
    }
  }
}
