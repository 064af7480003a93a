import LocalAuthCore

/// A value as it is sent and kept: what is signed, and the signature behind it.
enum SignedBytes {
  /// What comes before the signature; nil if there is no room for one.
  static func signed(_ bytes: [UInt8], most: Int) -> [UInt8]? {
    guard bytes.count <= most, bytes.count > ChainPlace.signatureSize else { return nil }
    return Array(bytes.dropLast(ChainPlace.signatureSize))
  }
}

extension KeyShare {
  /// The longest encoding, in bytes.
  public static let bytesMax = 2048

  /// The share as it is sent and kept.
  public var bytes: [UInt8] { signed + signature }

  /// Reads what ``bytes`` wrote; nil for anything else.
  public init?(_ bytes: [UInt8]) {
    guard let signed = SignedBytes.signed(bytes, most: Self.bytesMax),
      var outer = FramedReader(signed, for: "LocalAuth sync signed share 1"),
      let context = outer.counted(most: Self.bytesMax),
      let sealed = outer.counted(most: Self.sealedMax), outer.isAtEnd,
      var reader = FramedReader(context, for: "LocalAuth sync share 1"),
      let circle = reader.digest(), let zone = reader.zone(), let epoch: UInt32 = reader.number(),
      let receiver = reader.peer(), let sender = reader.peer(), let circleHead = reader.place(),
      let ephemeral = reader.counted(most: PeerKeys.keySize), reader.isAtEnd
    else { return nil }
    self.init(
      circle: circle,
      zone: zone,
      epoch: epoch,
      receiver: receiver,
      sender: sender,
      circleHead: circleHead,
      ephemeral: ephemeral,
      sealed: sealed,
      signature: Array(bytes.suffix(ChainPlace.signatureSize))
    )
  }
}

extension Heartbeat {
  /// The longest encoding, in bytes.
  public static let bytesMax = 128 * 1024
}

extension ZoneCheckpoint {
  /// The longest encoding, in bytes.
  public static let bytesMax = 1024

  /// The checkpoint as it is sent and kept.
  public var bytes: [UInt8] { signed + signature }

  /// Reads what ``bytes`` wrote; nil for anything else.
  public init?(_ bytes: [UInt8]) {
    guard let signed = SignedBytes.signed(bytes, most: Self.bytesMax),
      var reader = FramedReader(signed, for: "LocalAuth sync checkpoint 1"),
      let circle = reader.digest(), let zone = reader.zone(), let place = reader.place(),
      let circleHead = reader.place(), let manifest = reader.digest(), let author = reader.peer(),
      reader.isAtEnd
    else { return nil }
    self.init(
      circle: circle,
      zone: zone,
      place: place,
      circleHead: circleHead,
      manifest: manifest,
      author: author,
      signature: Array(bytes.suffix(ChainPlace.signatureSize))
    )
  }
}
