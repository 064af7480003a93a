public import LocalAuthSecret
public import LocalAuthSync

extension SyncKeys {
  /// What a record's body says.
  public enum Opened: ~Copyable {
    /// Its head, and its secret.
    case record(RecordHead, Secret)
    /// The device is locked.
    case locked
    /// A newer version wrote it.
    case newer
    /// It was changed, is of another place, or sealed under another key.
    case damaged
  }

  /// Seals a record's body for its place.
  ///
  /// - Parameters:
  ///   - head: Its version and fields.
  ///   - secret: Its secret.
  ///   - place: Where it belongs.
  /// - Returns: the body; nil for a place of another epoch or class, while the device is locked, or if it is larger
  ///   than a body may be.
  public func seal(
    _ head: RecordHead,
    _ secret: borrowing Secret,
    at place: RecordPlace
  ) -> [UInt8]? {
    guard place.epoch == epoch, place.keyClass == head.version.keyClass,
      let sealer = sealer(place.keyClass)
    else { return nil }
    let body = RecordFormat.body(
      head: sealer.seal(bytes: RecordFormat.padded(head.bytes), with: place.context(.head)),
      secret: sealer.seal(Self.padded(secret), with: place.context(.secret))
    )
    return body.count <= RecordFormat.bodyMax ? body : nil
  }

  /// Opens a record's body.
  ///
  /// - Parameters:
  ///   - body: The body.
  ///   - place: Where it was found.
  /// - Returns: what it says.
  public func open(_ body: [UInt8], at place: RecordPlace) -> Opened {
    switch RecordFormat.parts(of: body) {
    case .newer: return .newer
    case .damaged: return .damaged
    case .parts(let head, let secret):
      guard place.epoch == epoch else { return .damaged }
      guard let sealer = sealer(place.keyClass) else { return .locked }
      guard let bytes = sealer.openBytes(head, with: place.context(.head)),
        let count = RecordFormat.unpaddedCount(bytes.span),
        let head = RecordHead(Array(bytes.prefix(count))),
        head.version.keyClass == place.keyClass,
        let padded = sealer.open(secret, with: place.context(.secret)),
        let secret = Self.unpadded(padded)
      else { return .damaged }
      return .record(head, secret)
    }
  }

  private static func padded(_ secret: borrowing Secret) -> Secret {
    var padded = Secret(capacity: RecordFormat.paddedSize(secret.count))
    padded.append(contentsOf: secret)
    _ = padded.append(1)
    while padded.append(0) {}
    return padded
  }

  private static func unpadded(_ padded: consuming Secret) -> Secret? {
    // SAFETY: the bytes are counted while they are lent.
    let count = unsafe padded.withUnsafeBytes { bytes in
      unsafe RecordFormat.unpaddedCount(Span(_unsafeBytes: bytes))
    }
    guard let count else { return nil }
    // SAFETY: the count is below the capacity, and what is behind it is wiped.
    unsafe padded.withUnsafeMutableBytes { _, used in used = count }
    return padded
  }

  // MARK: Older epochs

  /// Wraps the keys of an older epoch under this one, for a device that joins later.
  ///
  /// - Returns: nil for an epoch that is not older, or if memory is short.
  public func wrap(_ older: SyncKeys, circle: SyncDigest, _ zone: ZoneName) -> [UInt8]? {
    guard older.epoch < epoch, let wrapper = wrapper(), let root = older.rootKeys else {
      return nil
    }
    return wrapper.seal(root, with: context(older.epoch, circle, zone))
  }

  /// Opens the keys of an older epoch.
  ///
  /// - Returns: nil if anything was changed, or it is another epoch's.
  public func unwrap(
    _ wrapped: [UInt8],
    epoch older: UInt32,
    circle: SyncDigest,
    _ zone: ZoneName
  ) -> SyncKeys? {
    guard older < epoch, let wrapper = wrapper(),
      let root = wrapper.open(wrapped, with: context(older, circle, zone))
    else { return nil }
    return SyncKeys(epoch: older, root: root)
  }

  private func context(_ older: UInt32, _ circle: SyncDigest, _ zone: ZoneName) -> [UInt8] {
    EpochPlace(circle: circle, zone: zone, epoch: older, under: epoch).context
  }
}
