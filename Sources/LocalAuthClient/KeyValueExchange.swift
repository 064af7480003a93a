import LocalAuthWire

/// The values of a store at one moment.
public struct KeyValuesRead: Hashable, Sendable {
  /// How often the store was changed.
  public var revision: Int64 = 0
  /// The values, each a binary property list, in the order of their keys.
  public var values: [(key: String, value: [UInt8])] = []

  /// Compares both.
  public static func == (left: Self, right: Self) -> Bool {
    left.revision == right.revision && left.values.elementsEqual(right.values, by: ==)
  }

  /// Hashes what is compared.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(revision)
    for (key, value) in values {
      hasher.combine(key)
      hasher.combine(value)
    }
  }
}

/// Key-value stores, read and written whole over a connection, however large values are.
extension DaemonConnection {
  private static let callBytesMax = KeyValueMessages.bytesMax
  /// How often reading begins anew because the store was changed meanwhile.
  private static let attemptsMax = 16

  /// Makes changes in one commit.
  ///
  /// - Parameters:
  ///   - changes: The changes in their order; nil removes a key.
  ///   - removesAll: Whether all values are removed first.
  ///   - address: The store.
  /// - Returns: how often the store was changed, whether by this too, and the keys whose values a quota keeps out.
  /// - Throws: ``ClientError``; nothing was written then.
  public mutating func writeKeyValues(
    _ changes: [(key: String, value: [UInt8]?)],
    removingAll removesAll: Bool = false,
    _ address: GroupAddress
  ) throws(ClientError) -> (revision: Int64, isChange: Bool, refused: [String]) {
    var call = KeyValueMessages.WriteCall()
    var left = Self.callBytesMax
    for (key, value) in changes {
      var rest = value?[...]
      repeat {
        let room = left - KeyValueMessages.size(of: key)
        guard room > 0 else {
          try collect(&call)
          left = Self.callBytesMax
          continue
        }
        var change = KeyValueMessages.Change()
        change.key = key
        change.value = rest.map { WireBytes(Array($0.prefix(room))) }
        rest = rest?.dropFirst(room)
        if rest?.isEmpty == false { change.continues = true }
        left = room - (change.value?.bytes.count ?? 0)
        call.changes.append(change)
      } while call.changes.last?.continues == true || left == Self.callBytesMax
    }
    call.target = address.target
    call.removeAll = removesAll
    let reply = try self.call(Methods.writeKeyValues, call)
    guard let revision = reply.revision, let isChange = reply.changed else {
      throw .protocolError("a write without its number")
    }
    return (revision, isChange, reply.refused)
  }

  /// Sends the changes so far, which are made with the last call.
  private mutating func collect(_ call: inout KeyValueMessages.WriteCall) throws(ClientError) {
    call.continues = true
    _ = try self.call(Methods.writeKeyValues, call)
    call = KeyValueMessages.WriteCall()
  }

  /// Reads the values of `keys`, or all.
  ///
  /// - Parameters:
  ///   - keys: The keys; nil for all.
  ///   - address: The store.
  /// - Returns: the values at one moment.
  /// - Throws: ``ClientError``.
  public mutating func readKeyValues(
    of keys: [String]? = nil,
    _ address: GroupAddress
  ) throws(ClientError) -> KeyValuesRead {
    for _ in 0..<Self.attemptsMax {
      if let read = try attempt(keys, address) { return read }
    }
    throw .protocolError("a store that is changed faster than it can be read")
  }

  /// Reads page after page; nil if the store was changed meanwhile.
  private mutating func attempt(
    _ keys: [String]?,
    _ address: GroupAddress
  ) throws(ClientError) -> KeyValuesRead? {
    var call: KeyValueMessages.ReadCall = address.call()
    call.keys = keys
    var read = KeyValuesRead()
    repeat {
      let reply = try self.call(Methods.readKeyValues, call)
      guard call.from == nil || reply.revision == read.revision else { return nil }
      read.revision = reply.revision
      var isRest = call.from?.offset ?? 0 > 0
      for entry in reply.values {
        if isRest, !read.values.isEmpty {
          read.values[read.values.count - 1].value += entry.value.bytes
        } else {
          read.values.append((entry.key, entry.value.bytes))
        }
        isRest = false
      }
      call.from = reply.next
    } while call.from != nil
    return read
  }
}
