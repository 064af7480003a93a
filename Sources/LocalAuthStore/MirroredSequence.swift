import LocalAuthCore

/// The content of a mirror of the sequence.
enum MirroredSequence: Hashable {
  /// It was never written.
  case missing
  /// It fails authentication.
  case damaged
  /// The watermark written last.
  case at(Watermark)

  /// Decodes `record` and verifies it with `tagger`.
  init(_ record: [UInt8]?, _ tagger: any RecordTagger) {
    guard let record else {
      self = .missing
      return
    }
    self = Watermark(record, tagger).map { .at($0) } ?? .damaged
  }

  /// The watermark, if it is authentic.
  var watermark: Watermark? {
    switch self {
    case .missing, .damaged: nil
    case .at(let watermark): watermark
    }
  }
}

/// The verdict on the database's ledger, compared with the mirror.
///
/// A guarded commit is durable in the database first, then written to the mirror, and only then
/// acted on; the mirror is on disk before the next one begins. So a crash or power loss leaves the
/// mirror at most one behind; any other difference means tampering.
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
  /// A crash or power loss came between the two writes.
  case interrupted
  /// No device is trusted until its passcode is proven.
  case tampered

  /// Judges a ledger against a mirror and its copy.
  ///
  /// The copy is synced only when idle, so after a power loss it may be behind by any number. A
  /// copy that is ahead reveals that database and mirror were rolled back together.
  init(ledger sequence: UInt64?, mirror: MirroredSequence, copy: MirroredSequence) {
    self.init(ledger: sequence, mirror: mirror)
    if let sequence, let ahead = copy.watermark?.sequence, ahead > sequence { self = .tampered }
  }

  /// Judges a ledger of `sequence` against `mirror`; nil stands for a ledger that is missing or
  /// whose tag is wrong.
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
