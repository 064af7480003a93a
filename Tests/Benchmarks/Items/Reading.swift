import LocalAuthCore
import LocalAuthKeychain
import LocalAuthSecret
import LocalAuthService
import LocalAuthStore

extension Home {
  /// Reads the data of `count` items, one after the other by their keys, and prints nanoseconds for
  /// one and a checksum of what was read.
  func read(_ count: Int, attributesToo: Bool) throws {
    let keys = try allKeys()
    var course = Course(seed: 42)
    var checksum: UInt64 = 0
    // Touches the pages that the reads will need, as the other program does.
    for key in keys.prefix(10_000) { checksum &+= try first(of: key, attributesToo) }
    checksum = 0
    let clock = ContinuousClock()
    let time = try clock.measure {
      for _ in 0..<count {
        let key = keys[Int(course.next() % UInt64(keys.count))]
        checksum = (checksum << 5 | checksum >> 59) ^ (try first(of: key, attributesToo))
      }
    }
    print(Double(time.wholeNanoseconds) / Double(count), String(checksum, radix: 16))
  }

  /// The first eight bytes of an item's data.
  private func first(of key: ItemHash, _ attributesToo: Bool) throws -> UInt64 {
    let word = try store.withItem(.genericPassword, key, of: device) { stored -> UInt64? in
      if attributesToo, vault.item(stored) == nil { return nil }
      guard let data = vault.data(of: stored) else { return nil }
      // SAFETY: the bytes are read while they are lent, and there are eight of them.
      return unsafe data.withUnsafeBytes { bytes in
        bytes.count < 8 ? nil : unsafe bytes.loadUnaligned(as: UInt64.self)
      }
    }
    guard let found = word, let word = found else { throw HomeError("an item cannot be read") }
    return word
  }

  private func allKeys() throws -> [ItemHash] {
    var keys: [ItemHash] = []
    var cursor: ItemHash?
    let lookup = ItemLookup(device: device, itemClass: .genericPassword)
    repeat {
      let page = try store.eachItem(lookup, after: cursor, limit: 10_000) { stored in
        keys.append(stored.header.key)
        return true
      }
      cursor = page.next
    } while cursor != nil
    guard !keys.isEmpty else { throw HomeError("there are no items") }
    return keys
  }
}
