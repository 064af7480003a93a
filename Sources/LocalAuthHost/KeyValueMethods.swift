import LocalAuthKeychain
import LocalAuthService
import LocalAuthSync
import LocalAuthWire

/// The methods of `io.localauth.KeyValues`.
enum KeyValueMethods {
  static let handlers = [
    Handler(Methods.writeKeyValues, write),
    Handler(Methods.readKeyValues, read),
    Handler(Methods.watchKeyValues, watch),
  ]

  private static func write(
    _ parameters: KeyValueMessages.WriteCall,
    _ call: borrowing Call
  ) throws(WireError) {
    let request = try call.request(parameters.target)
    let (engine, responder) = (call.engine, call.responder)
    let changes = parameters.changes.map {
      KeyValueChange($0.key, $0.value?.bytes, continues: $0.continues ?? false)
    }
    guard parameters.continues != true else {
      let caller = call.caller
      return call.reply { () throws(EngineError) in
        try engine.collectKeyValues(changes, on: responder.connection, caller: caller)
        return KeyValueMessages.WriteReply()
      }
    }
    engine.writeKeyValues(
      changes,
      removingAll: parameters.removeAll ?? false,
      request,
      on: responder.connection,
      caller: call.caller
    ) { result in
      responder.finish(result) { written in
        var reply = KeyValueMessages.WriteReply()
        reply.revision = Int64(clamping: written.revision)
        reply.changed = written.isChange
        reply.refused = written.refused.map(\.text)
        return reply
      }
    }
  }

  private static func read(
    _ parameters: KeyValueMessages.ReadCall,
    _ call: borrowing Call
  ) throws(WireError) {
    guard parameters.from?.offset ?? 0 >= 0 else { throw .invalidParameter("from") }
    let request = try call.request(parameters.target)
    let (engine, caller) = (call.engine, call.caller)
    call.reply { () throws(EngineError) in
      var (revision, values) = try engine.keyValues(request, caller: caller)
      if let keys = parameters.keys {
        let wanted = Set(keys.map { KeyValueKey($0) })
        values = values.filter { wanted.contains($0.key) }
      }
      var reply = KeyValueMessages.ReadReply()
      reply.revision = Int64(clamping: revision)
      reply.fill(values, from: parameters.from)
      return reply
    }
  }

  private static func watch(
    _ parameters: KeyValueMessages.WatchCall,
    _ call: borrowing Call
  ) throws(WireError) {
    let request = try call.request(parameters.target)
    let (engine, caller) = (call.engine, call.caller)
    call.watch(parameters.target.device) { () throws(EngineError) in
      var reply = KeyValueMessages.WatchReply()
      reply.revision = Int64(clamping: try engine.keyValueRevision(request, caller: caller))
      return reply
    } reply: {
      KeyValueMessages.WatchReply($0)
    } begin: { (onReport) throws(EngineError) in
      let watch = try engine.watchKeyValues(
        request,
        caller: caller,
        onReport: onReport
      )
      return { watch.end() }
    }
  }
}

extension KeyValueMessages.ReadReply {
  /// Takes as many values as one reply has room for.
  fileprivate mutating func fill(
    _ all: [(key: KeyValueKey, value: [UInt8])],
    from place: KeyValueMessages.Place?
  ) {
    let first = place.map { KeyValueKey($0.key) }
    var left = KeyValueMessages.bytesMax
    for (key, value) in all where first.map({ $0 <= key }) ?? true {
      let offset = key == first ? Int(clamping: place?.offset ?? 0) : 0
      left -= KeyValueMessages.size(of: key.text)
      guard left > 0 else { return stop(at: key, offset) }
      let rest = value.dropFirst(offset)
      var entry = KeyValueMessages.Value()
      entry.key = key.text
      entry.value = WireBytes(Array(rest.prefix(left)))
      values.append(entry)
      guard rest.count <= left else { return stop(at: key, offset + left) }
      left -= rest.count
    }
  }

  private mutating func stop(at key: KeyValueKey, _ offset: Int) {
    var place = KeyValueMessages.Place()
    place.key = key.text
    place.offset = Int64(offset)
    next = place
  }
}

extension KeyValueMessages.WatchReply {
  /// The wire form of a report.
  fileprivate init(_ report: KeyValueReport) {
    self.init()
    revision = Int64(clamping: report.revision)
    reason = report.notice.map { Int64($0.reason.rawValue) }
    keys = report.notice?.keys.map(\.text) ?? []
    removed = report.removed.isEmpty ? nil : report.removed.map(\.text)
  }
}
