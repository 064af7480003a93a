public import LocalAuthWire

/// A key-value store of a service, over connections to it.
public struct KeyValueAddress: Sendable {
  /// Its device.
  public var device: DeviceChoice
  /// The store, which is one of the program's access groups; nil for the first.
  public var store: String?
  /// A number that this program writes and watches with, so that it is not told of its own changes.
  public var writer: Int64

  /// The store called `store` of `device`, for a program that writes with this number.
  public init(_ device: DeviceChoice, _ store: String?, writer: Int64) {
    self.device = device
    self.store = store
    self.writer = writer
  }

  /// The parameters of a watch.
  public var watch: KeyValueMessages.WatchCall {
    var call = KeyValueMessages.WatchCall()
    call.device = device.name
    call.allowSimulated = device.allowsSimulated
    call.store = store
    call.writer = writer
    return call
  }
}

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
  /// - Returns: how often the store was changed, and the keys whose values a quota keeps out.
  /// - Throws: ``ClientError``; nothing was written then.
  public mutating func writeKeyValues(
    _ changes: [(key: String, value: [UInt8]?)],
    removingAll removesAll: Bool = false,
    _ address: KeyValueAddress
  ) throws(ClientError) -> (revision: Int64, refused: [String]) {
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
    call.device = address.device.name
    call.allowSimulated = address.device.allowsSimulated
    call.store = address.store
    call.writer = address.writer
    call.removeAll = removesAll
    let reply = try self.call(Methods.writeKeyValues, call)
    guard let revision = reply.revision else {
      throw .protocolError("a write without its number")
    }
    return (revision, reply.refused)
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
    _ address: KeyValueAddress
  ) throws(ClientError) -> KeyValuesRead {
    for _ in 0..<Self.attemptsMax {
      if let read = try attempt(keys, address) { return read }
    }
    throw .protocolError("a store that is changed faster than it can be read")
  }

  /// Reads page after page; nil if the store was changed meanwhile.
  private mutating func attempt(
    _ keys: [String]?,
    _ address: KeyValueAddress
  ) throws(ClientError) -> KeyValuesRead? {
    var call = KeyValueMessages.ReadCall()
    call.device = address.device.name
    call.allowSimulated = address.device.allowsSimulated
    call.store = address.store
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
