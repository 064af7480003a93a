/// What the hub said of a push.
public enum PushAnswer: Hashable, Sendable {
  /// It is the last entry now, or was already.
  case accepted(ChainPlace)
  /// The zone has another head than the push names.
  case refused
}

/// Changes on their way to the hub: at most one batch, and what waits for the next.
///
/// | state      | what happened                        | then                                           |
/// |------------|--------------------------------------|------------------------------------------------|
/// | idle       | a batch is composed, durably         | sending                                        |
/// | sending    | no answer, or the process died       | sending: the same batch is sent again          |
/// | sending    | accepted, or seen in the chain       | idle; what changed since then still waits      |
/// | sending    | refused                              | behind: everything of it still waits           |
/// | sending    | the chain went on without it         | idle: it can never be accepted any more        |
/// | behind     | the zone was pulled to its end       | idle                                           |
public struct Outbox: Hashable, Sendable {
  /// A push, the same each time that it is sent.
  public struct Batch: Hashable, Sendable {
    /// The signed entry.
    public let entry: ZoneEntry
    /// The versions that its bodies seal.
    public let versions: [RecordName: RecordVersion]
  }

  private enum State: Hashable, Sendable {
    case idle
    case sending(Batch)
    case behind
  }

  private var state = State.idle
  /// Records that the hub must be told of.
  public private(set) var waiting: Set<RecordName> = []

  /// An outbox with nothing in it.
  public init() {}

  /// The outbox with these parts.
  init(_ waiting: Set<RecordName>, sending batch: Batch?, isBehind: Bool) {
    self.waiting = waiting
    state = batch.map { .sending($0) } ?? (isBehind ? .behind : .idle)
  }

  /// What is to be sent, or sent again.
  public var batch: Batch? {
    switch state {
    case .idle, .behind: nil
    case .sending(let batch): batch
    }
  }

  /// Whether the zone must be pulled before anything else is sent.
  public var isBehind: Bool { state == .behind }

  mutating func add(_ name: RecordName) { waiting.insert(name) }

  mutating func drop(_ name: RecordName) { waiting.remove(name) }

  /// Keeps a batch until it is answered; false while another one is.
  mutating func send(_ batch: Batch) -> Bool {
    switch state {
    case .idle:
      state = .sending(batch)
      return true
    case .sending, .behind: return false
    }
  }

  /// The hub has it.
  mutating func accepted() { state = .idle }

  /// The hub has other entries.
  mutating func refused() {
    switch state {
    case .idle, .behind: return
    case .sending: state = .behind
    }
  }

  /// The zone was pulled to its end, and no batch of ours is on its way there.
  mutating func pulled() { state = .idle }
}

/// Records that came and could not be opened yet.
public struct Inbox: Hashable, Sendable {
  /// What a record waits for.
  public enum Reason: Hashable, Sendable {
    /// The device is locked.
    case locked
    /// The share of this epoch has not come.
    case epoch(UInt32)
    /// A later page of the answer has its body.
    case body
    /// A newer version wrote it.
    case newerFormat
    /// Its author signed what nobody can read: it waits for the record's next change.
    case unreadable
    /// The chain began at a checkpoint behind it, and its body is asked for by name.
    case checkpoint
    /// The hub has not what was signed, which a person accepted: it waits for the record's next change.
    case lost
    /// So much waits that its body was not kept: it is asked for by name with an unlock, and with keys that come.
    case unkept(isNewer: Bool)

    /// Whether its body came, and is worth another try.
    var hasBody: Bool {
      switch self {
      case .locked, .epoch, .newerFormat: true
      case .body, .checkpoint, .unreadable, .lost, .unkept: false
      }
    }

    /// Whether what is here of the record is sent over what the hub has.
    var isWrittenOver: Bool { self == .unreadable || self == .lost }

    /// Whether nothing that comes later opens it here.
    public var isSettled: Bool {
      switch self {
      case .newerFormat, .unreadable, .lost: true
      case .unkept(let isNewer): isNewer
      case .locked, .epoch, .body, .checkpoint: false
      }
    }

    /// Whether its body came, and was not kept.
    var isUnkept: Bool { if case .unkept = self { true } else { false } }

    /// Whether a newer version wrote it.
    public var isNewer: Bool { self == .newerFormat || self == .unkept(isNewer: true) }
  }

  /// The records, with what they wait for.
  public private(set) var waiting: [RecordName: Reason] = [:]
  /// Who wrote them, of those whose entry was seen.
  public private(set) var authors: [RecordName: PeerIdentifier] = [:]

  /// An inbox with nothing in it.
  public init() {}

  init(_ waiting: [RecordName: Reason], by authors: [RecordName: PeerIdentifier]) {
    self.waiting = waiting
    self.authors = authors
  }

  /// Whether nothing waits.
  public var isEmpty: Bool { waiting.isEmpty }

  /// Whether all bodies came that the hub was asked for; they were verified, also where they were not kept.
  public var hasAllBodies: Bool {
    waiting.values.allSatisfy { $0.hasBody || $0.isSettled || $0.isUnkept }
  }

  /// Whether the hub lost something that nobody has sent anew yet.
  var hasLost: Bool { waiting.values.contains(.lost) }

  /// Whether everything was opened that this device can ever open.
  public var isSettled: Bool { waiting.values.allSatisfy(\.isSettled) }

  mutating func put(_ name: RecordName, _ reason: Reason, by author: PeerIdentifier?) {
    waiting[name] = reason
    authors[name] = author
  }

  mutating func take(_ name: RecordName) {
    waiting[name] = nil
    authors[name] = nil
  }
}
