import LocalAuthCore

/// What the mirror of the sequence says.
enum MirroredSequence: Hashable {
  /// There never was one.
  case missing
  /// It does not vouch for itself.
  case damaged
  /// The sequence it was last given.
  case at(UInt64)

  private static let magic = Array("LAmirror".utf8)

  /// What `record` says, under the key of `authenticator`.
  init(_ record: [UInt8]?, _ authenticator: any RecordAuthenticating) {
    guard let record else {
      self = .missing
      return
    }
    let body = Self.magic.count + 8
    guard record.count == mirroredSequenceSize, record.starts(with: Self.magic),
      authenticator.verify(Array(record[body..<(body + 32)]), over: Array(record[..<body])),
      record[(body + 32)...].allSatisfy({ $0 == 0 })
    else {
      self = .damaged
      return
    }
    let bytes = record[Self.magic.count..<body]
    self = .at(bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) })
  }

  /// The record for `sequence`, ``mirroredSequenceSize`` bytes.
  static func record(_ sequence: UInt64, _ authenticator: any RecordAuthenticating) -> [UInt8] {
    var bytes = magic
    for shift in stride(from: 0, to: 64, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: sequence >> UInt64(shift)))
    }
    bytes += authenticator.tag(over: bytes)
    return bytes + [UInt8](repeating: 0, count: mirroredSequenceSize - bytes.count)
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

  /// The verdict on a ledger of `sequence`, nil when its tag does not fit, beside `mirror`.
  init(ledger sequence: UInt64?, mirror: MirroredSequence) {
    guard let sequence else {
      self = .tampered
      return
    }
    switch mirror {
    case .damaged: self = .tampered
    case .missing: self = sequence == 0 ? .interrupted : .tampered
    case .at(let mirrored):
      if mirrored == sequence {
        self = .intact
      } else {
        self = mirrored < sequence && sequence - mirrored == 1 ? .interrupted : .tampered
      }
    }
  }
}
