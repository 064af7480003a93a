import LocalAuthCore
import LocalAuthKeychain

@testable import LocalAuthSync

/// What the hub of the model keeps.
struct ModelHub {
  var circle: [CircleEntry] = []
  var entries: [ZoneEntry] = []
  var answers: [BatchIdentifier: PushAnswer] = [:]
  /// The bodies that stand.
  var bodies: [RecordName: SyncDigest] = [:]
  var places: [ChainPlace] = [.beginning]
  /// What was known of a record by whoever pushed it last, for the witness.
  var known: [RecordName: Set<Int>] = [:]
  /// What was known by whoever pushed a body.
  var knownOfBody: [SyncDigest: Set<Int>] = [:]
  /// Devices that were removed, which an honest hub does not let in.
  var shutOut: Set<Int> = []

  var head: ChainPlace { places[places.count - 1] }

  mutating func push(_ batch: Outbox.Batch, _ known: [RecordName: Set<Int>]) -> PushAnswer {
    if let answer = answers[batch.entry.batch] { return answer }
    guard batch.entry.previous == head else { return .refused }
    let place = batch.entry.place(World.ports.hash)
    entries.append(batch.entry)
    places.append(place)
    for change in batch.entry.changes {
      bodies[change.name] = change.body
      if let what = known[change.name] {
        self.known[change.name] = what
        if let body = change.body { knownOfBody[body, default: []].formUnion(what) }
      }
      if change.body == nil { self.known[change.name] = nil }
    }
    answers[batch.entry.batch] = .accepted(place)
    return .accepted(place)
  }

  func answer(behind place: ChainPlace) -> ZoneAnswer {
    let news = Array(entries.dropFirst(Int(place.number)))
    var bodies: [RecordName: SyncDigest] = [:]
    for entry in news {
      for change in entry.changes { bodies[change.name] = self.bodies[change.name] }
    }
    return ZoneAnswer(entries: news, bodies: bodies, head: head)
  }
}

/// A device of the model.
struct ModelDevice {
  var replica: ZoneReplica
  var circle: CircleLog
  var isUnlocked = true
  var epochs: Set<UInt32>
  /// How far its clock is ahead, in milliseconds.
  var ahead: Int64 = 0
  /// What the witness says that it knows of each record: the changes whose effect it shows, or that came before.
  var known: [RecordName: Set<Int>] = [:]

  var access: ZoneKeyAccess { ZoneKeyAccess(epochs: epochs, isUnlocked: isUnlocked) }
}

/// A record in the batch of a device.
struct BatchPlace: Hashable {
  let device: Int
  let name: RecordName

  init(_ device: Int, _ name: RecordName) {
    self.device = device
    self.name = name
  }
}

/// Three devices, three records and a hub, with a witness that no machine reads.
struct World {
  static let names: [RecordName] = (0..<3).map { number in
    guard let digest = SyncDigest([UInt8(number)] + [UInt8](repeating: 1, count: 31)) else {
      preconditionFailure("32 bytes are a digest")
    }
    return RecordName(digest)
  }
  static let hour: Int64 = 3_600_000
  static let day: Int64 = 24 * hour
  static let beginning = WallInstant(milliseconds: 1_000 * day)
  static let identifier = ItemIdentifier(high: 1, low: 1)
  static let ports = SyncPorts(hash: ModelHash(), signatures: ModelVerifier())
  static let keys: [PeerKeys] = (0..<3).map { index in
    let signing = ModelSigner(index).key
    guard let keys = PeerKeys(.device, signing: signing, agreement: signing, name: "\(index)")
    else { preconditionFailure("these are keys") }
    return keys
  }
  static let peers: [PeerIdentifier] = keys.map { $0.identifier(ports.hash) }
  static let signers: [ModelSigner] = (0..<3).map { ModelSigner($0) }

  /// The class of a record: two are opened by a locked device, one is not.
  static func keyClass(_ key: Int) -> ZoneKeyClass { key == 2 ? .whenUnlocked : .afterFirstUnlock }

  /// A change that a person made.
  struct Change {
    let author: Int
    let key: Int
    let content: SyncDigest
    let isTombstone: Bool
    /// What the device knew of the record before.
    let before: Set<Int>
  }

  let order: ModelOrder
  var hub = ModelHub()
  var devices: [ModelDevice] = []
  var changes: [Change] = []
  /// What has passed since the beginning.
  var elapsed: Int64 = 0
  /// Batches made so far.
  var batches: UInt64 = 0
  /// What was known of a record when it was put into a batch.
  var sentKnowledge: [BatchPlace: Set<Int>] = [:]
  /// Whether a tombstone was dropped that a device that is heard has not seen.
  var hasPurgedUnseen = false
  /// What was overruled because a device was away for too long.
  var forgiven: Set<Int> = []

  var clock: WallInstant { WallInstant(milliseconds: Self.beginning.milliseconds + elapsed) }
  func clock(of device: Int) -> WallInstant {
    WallInstant(milliseconds: clock.milliseconds + devices[device].ahead)
  }

  /// A circle of three with the keys of a first epoch, and an empty zone.
  init(_ order: ModelOrder) {
    self.order = order
    var circle = CircleLog()
    func add(_ act: CircleAct, to hub: inout ModelHub) {
      let entry = Self.entry(act, by: 0, circle)
      hub.circle.append(entry)
      do { try circle.append(entry, Self.ports) } catch { preconditionFailure("\(error)") }
    }
    add(.found(Self.keys[0], random: .none), to: &hub)
    for joiner in 1..<3 {
      let consent = Voucher.consent(
        to: circle.circle,
        invitation: .none,
        joiner: Self.keys[joiner],
        sponsor: Self.keys[0]
      )
      let signature = ModelSigner.signature(consent, by: Self.keys[joiner].signing)
      add(
        .add(Self.keys[joiner], Voucher(invitation: .none, consent: signature)),
        to: &hub
      )
    }
    add(.roll(.items, epoch: 1, shares: .none), to: &hub)
    devices = (0..<3).map { index in
      let horizon = TimeHorizon(Self.beginning)
      let replica = ZoneReplica(
        .items,
        circle: circle.circle,
        of: Self.peers[index],
        horizon: horizon
      )
      return ModelDevice(replica: replica, circle: circle, epochs: [1])
    }
  }

  static func entry(_ act: CircleAct, by author: Int, _ circle: CircleLog) -> CircleEntry {
    let unsigned = CircleEntry(
      circle: circle.circle,
      previous: circle.head,
      author: peers[author],
      act: act,
      signature: []
    )
    return CircleEntry(
      circle: circle.circle,
      previous: circle.head,
      author: peers[author],
      act: act,
      signature: ModelSigner.signature(unsigned.signed, by: keys[author].signing)
    )
  }
}
