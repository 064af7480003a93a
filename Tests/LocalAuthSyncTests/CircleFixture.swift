import LocalAuthCore
import LocalAuthKeychain

@testable import LocalAuthSync

/// A circle with the signatures of the exploration, for tests that build chains by hand.
struct CircleFixture {
  static let ports = World.ports
  var log = CircleLog()
  var entries: [CircleEntry] = []

  /// The device `index` founds a circle.
  init(founder: Int = 0) throws {
    try append(.found(Self.keys(founder), random: .none), by: founder)
  }

  static func keys(_ index: Int, _ kind: PeerKind = .device) -> PeerKeys {
    let signing = ModelSigner(index).key
    guard let keys = PeerKeys(kind, signing: signing, agreement: signing, name: "device \(index)")
    else { preconditionFailure("these are keys") }
    return keys
  }

  static func peer(_ index: Int, _ kind: PeerKind = .device) -> PeerIdentifier {
    keys(index, kind).identifier(ports.hash)
  }

  static func digest(_ number: UInt8) -> SyncDigest {
    guard let digest = SyncDigest([UInt8](repeating: number, count: SyncDigest.size)) else {
      preconditionFailure("32 bytes are a digest")
    }
    return digest
  }

  func entry(
    _ act: CircleAct,
    by author: Int,
    kind: PeerKind = .device,
    signedBy signer: Int? = nil,
    behind previous: ChainPlace? = nil,
    of circle: SyncDigest? = nil
  ) -> CircleEntry {
    func entry(_ signature: [UInt8]) -> CircleEntry {
      CircleEntry(
        circle: circle ?? log.circle,
        previous: previous ?? log.head,
        author: Self.peer(author, kind),
        act: act,
        signature: signature
      )
    }
    return entry(ModelSigner(signer ?? author).sign(entry([]).signed) ?? [])
  }

  mutating func append(_ act: CircleAct, by author: Int, kind: PeerKind = .device) throws {
    let entry = entry(act, by: author, kind: kind)
    try log.append(entry, Self.ports)
    entries.append(entry)
  }

  func adding(
    _ joiner: Int,
    by sponsor: Int,
    kind: PeerKind = .device,
    consentOf signer: Int? = nil
  ) -> CircleAct {
    let consent = Voucher.consent(
      to: log.circle,
      invitation: Self.digest(7),
      joiner: Self.keys(joiner),
      sponsor: Self.keys(sponsor, kind)
    )
    let signature = ModelSigner(signer ?? joiner).sign(consent) ?? []
    return .add(
      Self.keys(joiner),
      Voucher(invitation: Self.digest(7), consent: signature)
    )
  }

  mutating func add(_ joiner: Int, by sponsor: Int) throws {
    try append(adding(joiner, by: sponsor), by: sponsor)
  }
}
