import LocalAuthCore
import LocalAuthKeychain

@testable import LocalAuthSync

/// Digests of the exploration: 64 bits of mixing are enough where nobody looks for collisions.
struct ModelHash: MessageHashing {
  func sha256(of message: [UInt8]) -> [UInt8] {
    var mixed: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in message { mixed = (mixed ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed ^= mixed >> 31
    return ModelHash.bytes(mixed) + [UInt8](repeating: 7, count: 24)
  }

  static func bytes(_ number: UInt64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
  }
}

/// Signatures of the exploration: the hub of the model never makes one, so it forges none.
final class ModelSigner: MessageSigning, Sendable {
  let key: [UInt8]

  init(_ index: Int) { key = [UInt8](repeating: UInt8(index + 1), count: PeerKeys.keySize) }

  static func signature(_ message: [UInt8], by key: [UInt8]) -> [UInt8] {
    ModelHash().sha256(of: key + message) + [UInt8](repeating: 9, count: 32)
  }

  func sign(_ message: [UInt8]) -> [UInt8]? { Self.signature(message, by: key) }
}

struct ModelVerifier: SignatureVerifying {
  func isSignature(_ signature: [UInt8], of message: [UInt8], by signing: [UInt8]) -> Bool {
    signature == ModelSigner.signature(message, by: signing)
  }
}

/// Sealed bodies of the exploration: the digest is the body, so that nothing needs to be kept beside it.
enum ModelBody {
  /// The content of a change: who made it, and the how manieth of that device's it was.
  static func content(_ author: Int, _ count: UInt64, order: ModelOrder) -> SyncDigest {
    let rank = order == .ascending ? author : 7 - author
    return digest([UInt8(rank), UInt8(author), UInt8(count)])
  }

  static func author(of content: SyncDigest) -> Int { Int(content.bytes[1]) }
  static func count(of content: SyncDigest) -> UInt64 { UInt64(content.bytes[2]) }

  static func seal(_ name: Int, _ version: RecordVersion, _ epoch: UInt32) -> SyncDigest {
    let content = version.content.bytes
    var bytes: [UInt8] = [
      UInt8(name), version.isTombstone ? 1 : 0, version.keyClass.rawValue, UInt8(epoch),
      content[0], content[1], content[2],
    ]
    for peer in World.peers { bytes.append(UInt8(version.vector[peer])) }
    bytes += ModelHash.bytes(UInt64(bitPattern: version.modified.milliseconds))
    return digest(bytes)
  }

  static func open(_ body: SyncDigest) -> (name: Int, version: RecordVersion, epoch: UInt32) {
    let bytes = body.bytes
    var vector = VersionVector()
    for (index, peer) in World.peers.enumerated() where bytes[7 + index] > 0 {
      vector.add(VersionVector.Dot(peer, UInt64(bytes[7 + index])))
    }
    let modified = bytes[10..<18].reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
    let version = RecordVersion(
      identifier: World.identifier,
      isTombstone: bytes[1] == 1,
      modified: WallInstant(milliseconds: Int64(bitPattern: modified)),
      keyClass: bytes[2] == 0 ? .whenUnlocked : .afterFirstUnlock,
      content: digest([bytes[4], bytes[5], bytes[6]]),
      made: VersionVector.Dot(World.peers[Int(bytes[5])], UInt64(bytes[6])),
      vector: vector
    )
    return (Int(bytes[0]), version, UInt32(bytes[3]))
  }

  private static func digest(_ bytes: [UInt8]) -> SyncDigest {
    let padded = bytes + [UInt8](repeating: 0, count: SyncDigest.size - bytes.count)
    guard let digest = SyncDigest(padded) else { preconditionFailure("32 bytes are a digest") }
    return digest
  }
}

/// Whose content has the smaller digest; a search runs with either, because ties go by it.
enum ModelOrder: String, CaseIterable, Sendable {
  case ascending
  case descending
}

/// The keys of a device of the model.
struct ModelKeys: RecordOpening {
  let access: ZoneKeyAccess

  func open(_ name: RecordName, _ line: ZoneManifest.Line) -> OpenedRecord {
    guard access.epochs.contains(line.epoch) else { return .noKeys }
    guard access.has(line.keyClass, in: line.epoch) else { return .locked }
    let (place, version, epoch) = ModelBody.open(line.body)
    // A body is bound to its name and its epoch.
    guard World.names[place] == name, epoch == line.epoch else { return .unreadable }
    return .version(version)
  }
}
