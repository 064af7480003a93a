import LocalAuthCore
import LocalAuthCrypto
import LocalAuthSecret
import LocalAuthService
import LocalAuthSync
import LocalAuthTestSupport

/// A hub in memory that does what the functions of a real one do, and lies when a test tells it to.
final class ModelHub {
  /// One zone.
  struct Zone {
    var entries: [ZoneEntry] = []
    var records: [RecordName: (number: UInt64, body: [UInt8])] = [:]
    var head = ChainPlace.beginning
    /// What devices left, with as many parts as came.
    var checkpoints: [Left] = []
    /// Whether what follows the entries is none.
    var isSpoiled = false
  }

  /// A checkpoint with the parts of its manifest that came.
  struct Left {
    var checkpoint: ZoneCheckpoint
    let author: HubRole
    let count: UInt16
    var parts: [UInt16: ManifestPart] = [:]
    var isWhole: Bool { parts.count == Int(count) }
  }

  /// What a device that is to join was told, asked, and is answered.
  struct Invited {
    var offer: [UInt8]
    var request: [UInt8]?
    var answer: [UInt8]?
  }

  /// Which keys of an older epoch there can be one of.
  struct WrappedPlace: Hashable {
    let zone: ZoneName
    let epoch: UInt32
    let newer: UInt32
    let sender: HubRole
  }

  var entries: [CircleEntry] = []
  var head = ChainPlace.beginning
  var zones: [ZoneName: Zone] = [:]
  var shares: [KeyShare] = []
  var olderKeys: [WrappedPlace: (number: UInt64, keys: OlderKeys)] = [:]
  var heartbeats: [HubRole: Heartbeat] = [:]
  var invited: [HubRole: Invited] = [:]
  var members: Set<HubRole>
  /// Who was added by an entry of the circle's log.
  var added: [UInt64: HubRole] = [:]
  /// The hubs at other hosts.
  var elsewhere: [String: ModelHub] = [:]
  /// Whether nobody reaches it.
  var isDown = false
  /// Changes what a role gets; for a hub that lies.
  var lie: ((HubRole, HubRequest, HubReply) -> HubReply)?
  /// What becomes of a request; for a network that is bad.
  var passage: ((HubRole, HubRequest) -> Passage)?
  /// How many entries its devices let go by between two checkpoints.
  var checkpointInterval = ZoneCheckpoint.interval
  /// Whose checkpoints it has room for.
  var isOpenForCheckpoints: (HubRole) -> Bool = { _ in true }
  /// Whether the circle has used up its share of bytes, so that only what is not longer than what was there comes in.
  var isFull = false
  /// How many bodies of records a page has.
  var recordsAtOnce = 1_000
  /// Each zone as it was before each push.
  private var past: [ZoneName: [Zone]] = [:]
  private var underWay: [Carried] = []
  private var late: [Carried] = []
  /// Every request that came.
  private(set) var requests: [HubRequest] = []
  var time = beginning
  static let beginning = WallInstant(milliseconds: 1_800_000_000_000)
  /// The roles whose devices chose another password.
  private(set) var renewals: [HubRole] = []
  /// The password of each connection.
  private(set) var passwords: [String] = []
  private var links: [Link] = []
  private let hash = MessageHash()

  let founder: HubRole

  init(founder: HubRole) {
    self.founder = founder
    members = [founder]
  }

  /// The hub as one device's program reaches it.
  func linking(on clock: HandClock) -> any HubLinking { Program(self, clock) }

  private final class Program: HubLinking {
    private let hub: ModelHub
    private let clock: HandClock

    init(_ hub: ModelHub, _ clock: HandClock) {
      self.hub = hub
      self.clock = clock
    }

    func link(
      for owner: UInt32,
      to address: HubAddress,
      password: SecretBox,
      onNotice: @escaping (HubNotice) -> Void
    ) -> any HubLink {
      let hub = hub.elsewhere[address.host] ?? hub
      hub.passwords.append(password.text)
      let link = Link(hub, clock, address.role, onNotice)
      hub.links.append(link)
      return link
    }
  }

  private final class Link: HubLink {
    private weak var hub: ModelHub?
    private let clock: HandClock
    private let role: HubRole
    private let onNotice: (HubNotice) -> Void
    private var isOpen = true

    init(
      _ hub: ModelHub,
      _ clock: HandClock,
      _ role: HubRole,
      _ onNotice: @escaping (HubNotice) -> Void
    ) {
      self.hub = hub
      self.clock = clock
      self.role = role
      self.onNotice = onNotice
    }

    func ask(_ request: HubRequest, _ body: @escaping (HubReply) -> Void) {
      // The program reads bytes, and ends where they are no request.
      guard HubRequest.read(request.bytes(number: 1)) != nil else {
        return later { body(.failed(.unreachable("its program ended"))) }
      }
      hub?.carry(
        Carried(role: role, request: request) { [weak self] reply in
          self?.later { body(reply) }
        }
      )
    }

    func close() { isOpen = false }

    func say(_ notice: HubNotice) { later { [onNotice] in onNotice(notice) } }

    private func later(_ body: @escaping () -> Void) {
      _ = clock.schedule(at: clock.now().boot) { [weak self] in
        if self?.isOpen == true { body() }
      }
    }
  }

  /// Tells every device that something may have come.
  func tell() { say(.news) }

  /// Has the program of every device say something by itself.
  func say(_ notice: HubNotice) {
    for link in links { link.say(notice) }
  }

  /// Where everything ends.
  var heads: HubHeads {
    let zones = zones.map { ZoneHead($0.key, $0.value.head) }
    return HubHeads(circle: head, zones: zones, time: time)
  }

  /// Has a zone as a copy of it had that was made some pushes ago.
  func restore(_ zone: ZoneName, before pushes: Int) {
    guard let copies = past[zone], !copies.isEmpty else { return }
    zones[zone] = copies[max(0, copies.count - pushes)]
  }

  // MARK: The way there and back

  /// What becomes of a request on its way.
  enum Passage: CaseIterable {
    case arrives
    /// Nothing arrives, and the device hears that nobody is reached.
    case isLost
    /// It is done, and the device hears that nobody is reached.
    case losesReply
    /// It is done twice, and the device hears the second reply.
    case arrivesTwice
    /// The device hears that nobody is reached, and it is done some time later.
    case arrivesLate
    /// It is under way until ``release(_:as:)``.
    case waits
  }

  /// A request on its way.
  struct Carried {
    let role: HubRole
    let request: HubRequest
    let deliver: (HubReply) -> Void
  }

  private static let unheard = HubReply.failed(.unreachable("the network is bad"))

  fileprivate func carry(_ carried: Carried) {
    pass(carried, as: passage?(carried.role, carried.request) ?? .arrives)
  }

  private func pass(_ carried: Carried, as passage: Passage) {
    let (role, request) = (carried.role, carried.request)
    switch passage {
    case .arrives: carried.deliver(answer(request, to: role))
    case .isLost: carried.deliver(Self.unheard)
    case .losesReply:
      _ = answer(request, to: role)
      carried.deliver(Self.unheard)
    case .arrivesTwice:
      _ = answer(request, to: role)
      carried.deliver(answer(request, to: role))
    case .arrivesLate:
      late.append(carried)
      carried.deliver(Self.unheard)
    case .waits: underWay.append(carried)
    }
  }

  /// Lets the request that waits longest of a role's go on; false if there is none.
  func release(_ role: HubRole, as passage: Passage) -> Bool {
    guard let index = underWay.firstIndex(where: { $0.role == role }) else { return false }
    pass(underWay.remove(at: index), as: passage)
    return true
  }

  /// Whether a request of the role's is under way.
  func isWaiting(for role: HubRole) -> Bool { underWay.contains { $0.role == role } }

  /// Forgets what is under way of a role whose process ended.
  func forget(_ role: HubRole) { underWay.removeAll { $0.role == role } }

  /// Does what arrives late.
  func arriveLate() {
    for carried in late { _ = answer(carried.request, to: carried.role) }
    late = []
  }

  // MARK: Requests

  private func answer(_ request: HubRequest, to role: HubRole) -> HubReply {
    requests.append(request)
    guard !isDown else { return .failed(.unreachable("it is down")) }
    let reply = members.contains(role) ? answerMember(request, role) : answerInvited(request, role)
    return lie?(role, request, reply) ?? reply
  }

  private static let refusal = HubReply.failed(
    .refused(code: "42501", reason: "you are no device of a circle")
  )

  private static func refusal(_ reason: String) -> HubReply {
    .failed(.refused(code: "22023", reason: reason))
  }

  private func answerInvited(_ request: HubRequest, _ role: HubRole) -> HubReply {
    guard let own = invited[role] else { return Self.refusal }
    switch request {
    case .offer: return .letter(own.offer)
    case .ask(let letter):
      if own.request == nil { invited[role]?.request = letter }
      return .done
    case .answer: return .letter(own.answer)
    default: return Self.refusal
    }
  }

  private func answerMember(_ request: HubRequest, _ role: HubRole) -> HubReply {
    switch request {
    case .circlePush(let entry, let removal): return push(entry, removal, by: role)
    case .circlePull(let number): return .circle(Array(entries.dropFirst(Int(number))))
    case .zonePush(let entry, let bodies): return push(entry, bodies)
    case .zonePull(let zone, let number, let limit): return pull(zone, number, Int(limit))
    case .heads: return .heads(heads)
    case .putShares(let new):
      for share in new {
        let same = shares.filter {
          ($0.zone, $0.epoch, $0.receiver, $0.sender)
            == (share.zone, share.epoch, share.receiver, share.sender)
        }
        guard same.allSatisfy({ $0.circleHead.number <= share.circleHead.number }) else { continue }
        shares.removeAll { same.contains($0) }
        shares.append(share)
      }
      return .done
    case .shares(let receiver): return .shares(shares.filter { $0.receiver == receiver })
    case .putOlderKeys(let keys, let number):
      for keys in keys {
        let place = WrappedPlace(
          zone: keys.zone,
          epoch: keys.epoch,
          newer: keys.newer,
          sender: role
        )
        guard olderKeys[place].map({ $0.number <= number }) ?? true else { continue }
        olderKeys[place] = (number, keys)
      }
      return .done
    case .olderKeys(let zone, let epoch):
      let those = olderKeys.values.map(\.keys).filter { $0.zone == zone && $0.newer == epoch }
      return .olderKeys(those.sorted { $0.epoch > $1.epoch })
    case .putHeartbeat(let beat):
      heartbeats[role] = beat
      return .done
    case .heartbeats:
      let all = heartbeats.sorted { $0.key < $1.key }.map { HubHeartbeat($0.key, $0.value) }
      return .heartbeats(all, isLast: true)
    case .invite(let joiner, _, let offer):
      invited[joiner] = Invited(offer: offer)
      return .done
    case .revoke(let joiner):
      if !members.contains(joiner) { invited[joiner] = nil }
      return .done
    case .requests:
      return .requests(invited.filter { $0.value.answer == nil }.compactMapValues(\.request))
    case .admit(let joiner, let letter, let entry):
      guard let invitation = invited[joiner], !members.contains(joiner) else {
        return Self.refusal("no such device is invited")
      }
      guard entry.map({ added[$0] == nil }) ?? true else {
        return .failed(.refused(code: "23505", reason: "the entry has a role"))
      }
      invited[joiner] = Invited(
        offer: invitation.offer,
        request: invitation.request,
        answer: letter
      )
      members.insert(joiner)
      if let entry { added[entry] = joiner }
      return .done
    case .answer: return .letter(invited[role]?.answer)
    case .tell:
      tell()
      return .done
    case .setVerifier:
      renewals.append(role)
      return .done
    case .offer: return .letter(invited[role]?.offer)
    case .records(let zone, let number, let name): return records(zone, number, name)
    case .putCheckpoint(let checkpoint, let part, let count, let lines):
      return put(checkpoint, part, count, lines, by: role)
    case .checkpoint(let zone):
      let latest = checkpoint(of: zone)
      return .checkpoint(latest?.checkpoint, parts: latest?.count ?? 0)
    case .manifest(let zone, let place, let part):
      let latest = checkpoint(of: zone)
      return .manifest(latest?.checkpoint.place.number == place.number ? latest?.parts[part] : nil)
    case .connect, .ask: return .failed(.unexpected("no test asks this"))
    }
  }

  private func push(_ entry: CircleEntry, _ removal: HubRemoval?, by author: HubRole) -> HubReply {
    let place = entry.place(hash)
    if place == head { return .pushed(.accepted(head)) }
    guard entry.previous == head else { return .pushed(.refused) }
    // The role that a recovery key has by this entry, if it was let in before.
    if case .recovery(let keys) = entry.act {
      let named = HubRole(ofRecovery: keys.identifier(hash))
      if members.contains(named) { added[head.number + 1] = named }
    }
    if let removal {
      for cut in removal.remaining?.heads ?? [] {
        guard zones[cut.zone]?.head ?? .beginning == cut.place else { return .pushed(.refused) }
      }
      if let removed = added[removal.entry] ?? removal.role { members.remove(removed) }
      if let remaining = removal.remaining {
        let entries = remaining.entries + [head.number + 1]
        let known = entries.compactMap { added[$0] } + remaining.roles + [author]
        members.formIntersection(known + [founder])
      }
    }
    if head.number == 0 { added[1] = author }
    entries.append(entry)
    head = place
    return .pushed(.accepted(place))
  }

  /// Takes an entry at the end of its zone, whoever sends it.
  func push(_ entry: ZoneEntry, _ bodies: ZoneBodies) -> HubReply {
    var zone = zones[entry.zone] ?? Zone()
    if let earlier = zone.entries.first(where: { $0.batch == entry.batch }) {
      return .pushed(.accepted(earlier.place(hash)))
    }
    guard entry.previous == zone.head else { return .pushed(.refused) }
    guard !isFull || growth(of: zone, entry, bodies) <= 0 else {
      return .failed(.refused(code: "53100", reason: "ERROR:  the circle has no room left"))
    }
    zone.entries.append(entry)
    zone.head = entry.place(hash)
    for change in entry.changes {
      zone.records[change.name] = bodies[change.name].map { (entry.number, $0) }
    }
    past[entry.zone, default: []].append(zones[entry.zone] ?? Zone())
    zones[entry.zone] = zone
    return .pushed(.accepted(zone.head))
  }

  /// By how much bodies are longer than those that were there, as a hub counts them.
  private func growth(of zone: Zone, _ entry: ZoneEntry, _ bodies: ZoneBodies) -> Int {
    let before = entry.changes.compactMap { zone.records[$0.name]?.body }
    return bodies.values.reduce(0) { $0 + $1.count + 200 }
      - before.reduce(0) { $0 + $1.count + 200 }
  }

  private func pull(_ name: ZoneName, _ number: UInt64, _ limit: Int) -> HubReply {
    let zone = zones[name] ?? Zone()
    let entries = Array(zone.entries.dropFirst(Int(number)).prefix(limit))
    let numbers = Set(entries.map(\.number))
    let bodies = zone.records.filter { numbers.contains($0.value.number) }.mapValues(\.body)
    let isCutShort = zone.isSpoiled && Int(number) + entries.count == zone.entries.count
    return .zone(
      ZonePage(entries: entries, bodies: bodies, head: zone.head, isCutShort: isCutShort)
    )
  }

  /// Has what is no entry at the end of a zone, which a device left there: a hub takes any bytes.
  func spoil(_ zone: ZoneName) {
    var spoiled = zones[zone] ?? Zone()
    spoiled.isSpoiled = true
    spoiled.head = ChainPlace(number: spoiled.head.number + 1, digest: hash.digest(of: [120]))
    zones[zone] = spoiled
  }

  // MARK: Checkpoints

  private func records(_ name: ZoneName, _ number: UInt64, _ after: RecordName?) -> HubReply {
    let all = (zones[name] ?? Zone()).records
      .filter { name, record in record.number <= number && after.map { $0 < name } ?? true }
      .sorted { $0.key < $1.key }
    let page = all.prefix(recordsAtOnce).map { ($0.key, $0.value.body) }
    return .records(Dictionary(uniqueKeysWithValues: page), isLast: all.count <= recordsAtOnce)
  }

  /// The latest checkpoint that is whole.
  func checkpoint(of zone: ZoneName) -> Left? {
    zones[zone]?.checkpoints.filter(\.isWhole)
      .max { $0.checkpoint.place.number < $1.checkpoint.place.number }
  }

  private func put(
    _ checkpoint: ZoneCheckpoint,
    _ part: UInt16,
    _ count: UInt16,
    _ lines: ManifestPart,
    by role: HubRole
  ) -> HubReply {
    let place = checkpoint.place
    guard isOpenForCheckpoints(role) else {
      return .failed(.refused(code: "54000", reason: "the circle is full"))
    }
    guard var zone = zones[checkpoint.zone],
      zone.entries.contains(where: { $0.place(hash) == place })
    else { return .failed(.refused(code: "22023", reason: "the zone has no such place")) }
    zone.checkpoints.removeAll { old in
      guard old.author == role else { return false }
      return old.checkpoint.place.number == place.number
        ? old.checkpoint != checkpoint || old.count != count : !old.isWhole
    }
    var left =
      zone.checkpoints.first { $0.author == role && $0.checkpoint == checkpoint }
      ?? Left(checkpoint: checkpoint, author: role, count: count)
    left.parts[part] = lines
    zone.checkpoints.removeAll { old in
      let number = old.checkpoint.place.number
      return old.author == role && number == place.number || left.isWhole && number < place.number
    }
    zone.checkpoints.append(left)
    zones[checkpoint.zone] = zone
    return .done
  }
}
