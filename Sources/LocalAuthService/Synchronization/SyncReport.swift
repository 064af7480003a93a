public import LocalAuthCore
public import LocalAuthSync

/// How the synchronization of a device stands.
public struct SyncReport: Hashable, Sendable {
  /// How far the device has come.
  public enum Stage: Hashable, Sendable {
    case founding
    case joining
    /// It joins by a code that let another device in.
    case codeWasUsed
    case member
    /// It was removed from its circle.
    case removed
    /// What it kept was changed, or an older state was put back.
    case stateWasChanged
  }

  /// A peer of the circle.
  public struct Peer: Hashable, Sendable {
    /// Who it is.
    public var identifier: PeerIdentifier
    /// The name that people know it by.
    public var name: String
    /// The first words of its fingerprint.
    public var words: [String]
    /// Whether it is a device, or the recovery key.
    public var kind: PeerKind
    /// Whether it is this device.
    public var isMe: Bool
    /// When it said or wrote last what was verified here, by its own clock; nil for never.
    public var heard: WallInstant?
  }

  /// A device that answered the open invitation.
  public struct Answering: Hashable, Sendable {
    /// Who it will be.
    public var identifier: PeerIdentifier
    /// The name by which it asks.
    public var name: String
    /// Its words.
    public var words: [String]
  }

  /// Records that this device cannot open, whatever comes.
  public struct Unopened: Hashable, Sendable {
    /// How many.
    public var count: Int
    /// Who wrote them, as far as that is known.
    public var authors: [PeerIdentifier]

    init(in inbox: Inbox, where isMeant: (RecordName, Inbox.Reason) -> Bool) {
      let names = inbox.waiting.filter { isMeant($0.key, $0.value) }.keys
      count = names.count
      authors = Set(names.compactMap { inbox.authors[$0] }).sorted()
    }
  }

  /// A zone.
  public struct Zone: Hashable, Sendable {
    /// Its name.
    public var name: ZoneName
    /// How many records are shown.
    public var records: Int
    /// How many changes wait to be sent.
    public var outgoing: Int
    /// How many records came and cannot be opened yet.
    public var incoming: Int
    /// Whether the newest keys of the zone were asked for and have not come.
    public var lacksKeys: Bool
    /// Records that nobody can read.
    public var unreadable: Unopened
    /// Records that a newer version of LocalAuth wrote.
    public var newer: Unopened
    /// Records that the hub lost, and of which nothing is here.
    public var lost: Unopened
    /// What merges overruled, to be looked at.
    public var conflicts: Int
    /// What the hub did; nil if nothing.
    public var alarm: HubAlarm?
    /// Whether the device can go on with a hub that lost something, or is not believed, once its owner says so.
    public var needsRepair: Bool
    /// How far it was verified.
    public var head: ChainPlace
    /// The words of its head, to be compared by eye.
    public var words: [String]
    /// The last entry that others say it has, if the hub has not shown that.
    public var claimed: UInt64?
    /// Who says so.
    public var claimants: [PeerIdentifier]
    /// How much of it has come; nil while nothing is on its way.
    public var progress: ZoneProgress?
    /// What of documents has come; nil while nothing is on its way, and of other zones.
    public var arrival: DocumentArrival?
  }

  /// How far the device has come.
  public var stage: Stage
  /// The name that people know this device by.
  public var name: String
  /// The hub.
  public var address: HubAddress
  /// The circle; nothing before it is founded.
  public var circle: SyncDigest
  /// How far the circle's log was verified.
  public var head: ChainPlace
  /// The words of its head, to be compared by eye.
  public var words: [String]
  /// Everyone in the circle.
  public var peers: [Peer]
  /// The zones.
  public var zones: [Zone]
  /// What the hub did to the circle's log; nil if nothing.
  public var circleAlarm: HubAlarm?
  /// When the hub was heard last; nil for never since the start.
  public var heard: WallInstant?
  /// Why the last round failed; nil if it did not.
  public var failure: HubError?
  /// Why something could not be kept here, since a round kept everything; nil if all was.
  public var unkept: StorageError?
  /// Whether a round is under way.
  public var isBusy: Bool
  /// Whether an invitation is open.
  public var isInviting: Bool
  /// The device that answered it, as far as the hub was asked; nil for none.
  public var answering: Answering?
}

extension Synchronizer {
  /// How it stands.
  var report: SyncReport {
    SyncReport(
      stage: stage,
      name: state.membership.name,
      address: state.membership.address,
      circle: state.circle.circle,
      head: state.circle.head,
      words: FingerprintWords.words(state.circle.head.digest, count: 8),
      peers: peers,
      zones: state.zones.replicas.sorted { $0.key < $1.key }.map { report($0, $1) },
      circleAlarm: { if case .circle(let alarm) = trouble { alarm } else { nil } }(),
      heard: lastHeard,
      failure: failure,
      unkept: unkept,
      isBusy: round != nil,
      isInviting: shownInvitation != nil,
      answering: shownInvitation?.asked
    )
  }

  private var shownInvitation: Sponsoring? {
    sponsoring.flatMap { $0.invitation.isOpen(at: now) ? $0 : nil }
  }

  private var stage: SyncReport.Stage {
    switch trouble {
    case .removed: return .removed
    case .stateWasChanged: return .stateWasChanged
    case .codeWasUsed: return .codeWasUsed
    case .circle, .none: break
    }
    switch state.membership.stage {
    case .founding: return .founding
    case .joining: return .joining
    case .member: return .member
    }
  }

  private var peers: [SyncReport.Peer] {
    let heard = heard
    return state.circle.peers.filter { $0.value.until == nil }.sorted {
      $0.value.since < $1.value.since
    }
    .map { identifier, member in
      SyncReport.Peer(
        identifier: identifier,
        name: member.keys.name,
        words: member.keys.words(ports.hash),
        kind: member.keys.kind,
        isMe: identifier == me,
        heard: heard[identifier]
      )
    }
  }

  /// When each peer said or wrote last what was verified here: heartbeats come each quarter of an hour alone.
  private var heard: [PeerIdentifier: WallInstant] {
    var heard = state.book.last.mapValues(\.time).merging(lastWritten) { max($0, $1) }
    for replica in state.zones.replicas.values {
      for record in replica.records.values {
        let (author, time) = (record.current.made.peer, record.current.modified)
        guard let last = heard[author], last < time, state.book.mayHaveWritten(author, at: time)
        else { continue }
        heard[author] = time
      }
    }
    return heard
  }

  /// How many documents are not at the hub as they are here.
  private var unsent: Int { unsentDocuments?.count ?? 0 }

  private func report(_ name: ZoneName, _ replica: ZoneReplica) -> SyncReport.Zone {
    let progress = progress(of: name)
    return SyncReport.Zone(
      name: name,
      records: replica.records.values.count { !$0.current.isTombstone },
      outgoing: replica.outbox.waiting.count + (name == .documents ? unsent : 0),
      incoming: replica.inbox.waiting.values.count { !$0.isSettled },
      lacksKeys: round == nil && lacksKeys(of: name),
      unreadable: SyncReport.Unopened(in: replica.inbox) { $1 == .unreadable },
      newer: SyncReport.Unopened(in: replica.inbox) { $1.isNewer },
      // What is here waits to be sent, and is counted so.
      lost: SyncReport.Unopened(in: replica.inbox) { $1 == .lost && replica.records[$0] == nil },
      conflicts: replica.shelf.entries.count + (name == .documents ? contestedDocuments.count : 0),
      alarm: replica.alarm,
      needsRepair: replica.needsRepair,
      head: replica.chain.head,
      words: FingerprintWords.words(replica.chain.head.digest, count: 8),
      claimed: replica.chain.claimedNumber > 0 ? replica.chain.claimedNumber : nil,
      claimants: replica.chain.claimants,
      progress: progress,
      arrival: progress != nil && name == .documents ? arrival : nil
    )
  }
}
