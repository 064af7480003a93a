/// Lists, and parts that may be missing, as messages have them.
extension FramedBytes {
  mutating func add(_ parts: [[UInt8]]) {
    add(UInt32(truncatingIfNeeded: parts.count))
    for part in parts { add(counted: part) }
  }

  mutating func add(_ part: [UInt8]?) {
    add(part != nil)
    if let part { add(counted: part) }
  }

  mutating func add(_ role: HubRole?) {
    add(role != nil)
    if let role { add(role) }
  }

  mutating func add(_ name: RecordName?) {
    add(name != nil)
    if let name { add(name.digest) }
  }

  mutating func add(_ keys: [OlderKeys]) {
    add(UInt32(truncatingIfNeeded: keys.count))
    for key in keys {
      add(key.zone)
      add(key.epoch)
      add(key.newer)
      add(counted: key.wrapped)
    }
  }
}

extension FramedReader {
  /// A list of at most `most` parts, each of at least one byte.
  mutating func list<Part>(most: Int, _ read: (inout Self) -> Part?) -> [Part]? {
    guard let count: UInt32 = number(), count <= most else { return nil }
    var parts: [Part] = []
    for _ in 0..<count {
      guard let part = read(&self) else { return nil }
      parts.append(part)
    }
    return parts
  }

  /// What each part is, if all are something.
  static func all<Value>(_ parts: [[UInt8]], _ read: ([UInt8]) -> Value?) -> [Value]? {
    let values = parts.compactMap(read)
    return values.count == parts.count ? values : nil
  }

  mutating func shares(most: Int) -> [KeyShare]? {
    list(most: most) { $0.counted(most: KeyShare.bytesMax).flatMap { KeyShare($0) } }
  }

  mutating func olderKeys() -> [OlderKeys]? {
    list(most: HubRequest.sharesMax) { $0.olderKeys() }
  }

  private mutating func olderKeys() -> OlderKeys? {
    guard let zone = zone(), let epoch: UInt32 = number(), let newer: UInt32 = number(),
      let wrapped = counted(most: OlderKeys.wrappedMax)
    else { return nil }
    return OlderKeys(zone, epoch: epoch, under: newer, wrapped: wrapped)
  }
}
