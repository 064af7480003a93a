import LocalAuthCore

/// The encoding of others' attempts; a part of ``DeviceCoding``.
enum OtherAttemptsCoding {
  static func put(_ others: OtherAttempts, into writer: inout ByteWriter) {
    DeviceCoding.put(others.touches.tally, into: &writer)
    DeviceCoding.put(others.together.tally, into: &writer)
    DeviceCoding.put(others.keybag.tally, into: &writer)
    put(others.origins, into: &writer) {
      $0.text
    } order: {
      $0.utf8.lexicographicallyPrecedes($1.utf8)
    } write: {
      $0.put($1)
    }
    put(others.items, into: &writer) {
      $0
    } order: {
      $0 < $1
    } write: {
      $0.put(UInt64(truncatingIfNeeded: $1 >> 64))
      $0.put(UInt64(truncatingIfNeeded: $1))
    }
  }

  static func others(_ reader: inout ByteReader) -> OtherAttempts? {
    guard let touches = DeviceCoding.tally(&reader), let together = DeviceCoding.tally(&reader),
      let keybag = DeviceCoding.tally(&reader),
      let origins = counts(
        &reader,
        capacity: OtherAttempts.originsMax,
        key: { $0.text().flatMap { Origin($0) } }
      ),
      let items = counts(&reader, capacity: OtherAttempts.itemsMax, key: number)
    else { return nil }
    return OtherAttempts(
      touches: Lockout(tally: touches),
      together: PasscodeThrottle(tally: together),
      origins: origins,
      keybag: PasscodeThrottle(tally: keybag),
      items: items
    )
  }

  /// Writes the counts in the order of their keys, so that equal records have equal bytes.
  private static func put<Key, Written>(
    _ counts: GuessCounts<Key>,
    into writer: inout ByteWriter,
    as written: (Key) -> Written,
    order: (Written, Written) -> Bool,
    write: (inout ByteWriter, Written) -> Void
  ) {
    DeviceCoding.put(counts.floor.tally, into: &writer)
    let own = counts.own.map { (key: written($0.key), tally: $0.value.tally) }
    writer.put(UInt32(own.count))
    for (key, tally) in own.sorted(by: { order($0.key, $1.key) }) {
      write(&writer, key)
      DeviceCoding.put(tally, into: &writer)
    }
  }

  private static func counts<Key: Hashable & Sendable>(
    _ reader: inout ByteReader,
    capacity: Int,
    key: (inout ByteReader) -> Key?
  ) -> GuessCounts<Key>? {
    guard let floor = DeviceCoding.tally(&reader),
      let own = reader.list({ reader -> (Key, PasscodeThrottle)? in
        guard let key = key(&reader), let tally = DeviceCoding.tally(&reader) else { return nil }
        return (key, PasscodeThrottle(tally: tally))
      }), own.count <= capacity + GuessCounts<Key>.heldMax
    else { return nil }
    return GuessCounts(
      capacity: capacity,
      own: Dictionary(own, uniquingKeysWith: { first, _ in first }),
      floor: PasscodeThrottle(tally: floor)
    )
  }

  private static func number(_ reader: inout ByteReader) -> UInt128? {
    guard let high = reader.number(UInt64.self), let low = reader.number(UInt64.self) else {
      return nil
    }
    return UInt128(high) << 64 | UInt128(low)
  }
}
