import LocalAuthCore

/// What a mirror of the sequence says.
enum MirroredSequence: Hashable {
  /// There never was one.
  case missing
  /// It does not vouch for itself.
  case damaged
  /// What it was last given.
  case at(Watermark)

  /// What `record` says, under the key of `tagger`.
  init(_ record: [UInt8]?, _ tagger: any RecordTagger) {
    guard let record else {
      self = .missing
      return
    }
    self = Watermark(record, tagger).map { .at($0) } ?? .damaged
  }

  /// What it says, where it can be believed.
  var watermark: Watermark? {
    switch self {
    case .missing, .damaged: nil
    case .at(let watermark): watermark
    }
  }
}

/// What the database's ledger and the mirror say about each other.
///
/// A guarded commit is durable in the database first, then written to the mirror, and only then acted
/// on; the mirror is on the disk before the next one begins. So a crash or a loss of power leaves the
/// mirror at most one behind, and every other difference is somebody's doing.
///
/// | ledger               | mirror      | verdict      |
/// |----------------------|-------------|--------------|
/// | genuine, n           | n           | intact       |
/// | genuine, n           | n - 1       | interrupted  |
/// | genuine, 0           | missing     | interrupted  |
/// | genuine, n           | more than n | tampered     |
/// | genuine, n           | below n - 1 | tampered     |
/// | genuine, n above 0   | missing     | tampered     |
/// | genuine              | damaged     | tampered     |
/// | missing or forged    | any         | tampered     |
enum LedgerVerdict: Hashable {
  /// Both agree.
  case intact
  /// A crash or a loss of power came between the two.
  case interrupted
  /// No device can be trusted before its passcode.
  case tampered

  /// The verdict on a ledger beside a mirror and its copy.
  ///
  /// The copy is synced when there is time, so after a loss of power it may be behind by any number; one that is ahead
  /// shows what the mirror cannot that was put back together with the database.
  init(ledger sequence: UInt64?, mirror: MirroredSequence, copy: MirroredSequence) {
    self.init(ledger: sequence, mirror: mirror)
    if let sequence, let ahead = copy.watermark?.sequence, ahead > sequence { self = .tampered }
  }

  /// The verdict on a ledger of `sequence`, nil when its tag does not fit, beside `mirror`.
  init(ledger sequence: UInt64?, mirror: MirroredSequence) {
    guard let sequence else {
      self = .tampered
      return
    }
    switch mirror {
    case .damaged: self = .tampered
    case .missing: self = sequence == 0 ? .interrupted : .tampered
    case .at(let watermark):
      let mirrored = watermark.sequence
      if mirrored == sequence {
        self = .intact
      } else {
        self = mirrored < sequence && sequence - mirrored == 1 ? .interrupted : .tampered
      }
    }
  }
}
