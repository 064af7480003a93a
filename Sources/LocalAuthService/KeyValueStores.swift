import LocalAuthCore
import LocalAuthKeychain
import LocalAuthSecret
public import LocalAuthSync

/// What a write to a key-value store did.
public struct KeyValueWritten: Hashable, Sendable {
  /// The number of changes afterwards.
  public var revision: UInt64
  /// Whether it changed anything.
  public var isChange: Bool
  /// The keys whose values a quota keeps out, in the order of the writes; nothing of them was changed.
  public var refused: [KeyValueKey]

  /// What was done.
  public init(revision: UInt64, isChange: Bool = true, refused: [KeyValueKey] = []) {
    self.revision = revision
    self.isChange = isChange
    self.refused = refused
  }
}

/// Key-value stores: each is one item of the service's own in the keychain of its device.
extension Engine {
  /// The values of a store, keys in their order, and the number of its changes.
  ///
  /// It throws `refused` with the outcome if the caller has no such store, or the device was not unlocked since it was
  /// started.
  public func keyValues(
    _ request: GroupRequest,
    caller: Caller
  ) throws(EngineError) -> (revision: UInt64, values: [(key: KeyValueKey, value: [UInt8])]) {
    let place = try place(request, caller)
    let stored = try read(place).values
    let values = stored.zone.values.sorted { $0.key < $1.key }.map { ($0.key, $0.value.content) }
    return (stored.revision, values)
  }

  /// The number of changes of a store.
  ///
  /// It throws as ``keyValues(_:caller:)`` does.
  public func keyValueRevision(
    _ request: GroupRequest,
    caller: Caller
  ) throws(EngineError) -> UInt64 {
    try read(try place(request, caller), onlyRevision: true).values.revision
  }

  /// Keeps changes that a connection sends in several calls.
  ///
  /// It throws `limitReached` or `invalidArgument`; what the connection has sent so far is dropped then.
  public func collectKeyValues(
    _ changes: [KeyValueChange],
    on connection: UInt64,
    caller: Caller
  ) throws(EngineError) {
    try keyValueBatches.add(changes, of: caller.uid, on: connection)
  }

  /// Makes `changes`, after those that the connection has sent before, in one commit.
  ///
  /// A value that a quota keeps out is left out, and the others are written.
  ///
  /// - Parameters:
  ///   - changes: The last changes.
  ///   - removesAll: Whether all values are removed first.
  ///   - request: The store.
  ///   - connection: The connection that sends them.
  ///   - caller: Who asks.
  ///   - body: Called once it is durable.
  public func writeKeyValues(
    _ changes: [KeyValueChange],
    removingAll removesAll: Bool,
    _ request: GroupRequest,
    on connection: UInt64,
    caller: Caller,
    then body: @escaping (Result<KeyValueWritten, EngineError>) -> Void
  ) {
    do throws(EngineError) {
      var batch = keyValueBatches.take(connection)
      try batch.add(changes)
      let place = try place(request, caller)
      let writes = try batch.writes()
      let step = { (zone: inout StoredKeyValues.Zone) -> [KeyValueKey] in
        var refused: [KeyValueKey] = []
        for (key, value) in writes {
          do throws(KeyValueRefusal) { try zone.set(key, to: value) } catch { refused.append(key) }
        }
        return refused
      }
      change(place, dropping: removesAll, as: request.writer, by: step) { result in
        body(
          result.map {
            KeyValueWritten(revision: $0.revision, isChange: $0.isChange, refused: $0.answer)
          }
        )
      }
    } catch { body(.failure(error)) }
  }

  /// Reports what other writers change, and at once how it is; nil once the device is gone.
  ///
  /// It throws as ``keyValues(_:caller:)`` does.
  public func watchKeyValues(
    _ request: GroupRequest,
    caller: Caller,
    onReport: @escaping (KeyValueReport?) -> Void
  ) throws(EngineError) -> GroupWatch<KeyValueReport> {
    let place = try place(request, caller)
    let revision = try read(place, onlyRevision: true).values.revision
    let group = GroupPlace(device: place.device, group: place.store)
    let watch = GroupWatch(group, \.keyValueWatches, by: request.writer, onReport)
    onReport(KeyValueReport(revision: revision, notice: nil))
    return watch
  }

  /// Drops what a connection that closed has sent of a batch.
  func keyValueConnectionEnded(_ connection: UInt64) { _ = keyValueBatches.take(connection) }
}

// MARK: - Changing

extension Engine {
  private func place(
    _ request: GroupRequest,
    _ caller: Caller
  ) throws(EngineError) -> KeyValuePlace {
    let place = try groupPlace(request, caller, closing: "key-value stores")
    return KeyValuePlace(device: place.device, store: place.group)
  }

  /// What a step came to.
  typealias ChangedKeyValues<Answer> = (revision: UInt64, isChange: Bool, answer: Answer)

  /// Changes a store in one commit and tells those who watch it: the only way in which programs here change one.
  ///
  /// What the zone wants sent to other devices is durable with the change. What they send comes in by
  /// ``Synchronizer/showValues(_:of:_:in:)``.
  func change<Answer>(
    _ place: KeyValuePlace,
    dropping dropsAll: Bool,
    as writer: UInt64?,
    by body: @escaping (inout StoredKeyValues.Zone) -> Answer,
    then end: @escaping (Result<ChangedKeyValues<Answer>, EngineError>) -> Void
  ) {
    let device = place.device
    device.mutations.enter { [self] in
      let finish: (Result<ChangedKeyValues<Answer>, EngineError>) -> Void = { result in
        device.mutations.leave()
        end(result)
      }
      do throws(EngineError) {
        // The device may have been locked or removed while others had their turn.
        guard !device.machine.isRemoved else { throw .gone(device) }
        let before = try read(place, evenDamaged: dropsAll)
        var after = before.values
        if dropsAll { after.removeAll() }
        let answer = body(&after.zone)
        guard after != before.values || before.isLost else {
          return finish(.success((after.revision, false, answer)))
        }
        after.revision += 1
        let following = following(place, &after, isLost: before.isLost)
        let changes = try replacing(before, by: after, place)
        let result = after
        runner.store(following.changes, changes, following.kind) { stored in
          if case .success = stored { following.isDurable() }
          finish(stored.map { (result.revision, true, answer) }.mapError { EngineError($0) })
          guard case .success = stored else { return }
          let watches = device.keyValueWatches.of(place.store, except: writer)
          guard !watches.isEmpty else { return }
          let notice = KeyValueNotice(.server, before.values.changedKeys(to: result))
          let report = KeyValueReport(notice, of: result)
          for watch in watches { watch.tell(report) }
        }
      } catch { finish(.failure(error)) }
    }
  }
}

extension Engine {
  /// What a change of a store writes besides the store, because its values are meant for the person's other devices.
  private func following(
    _ place: KeyValuePlace,
    _ after: inout StoredKeyValues,
    isLost: Bool
  ) -> (changes: [StateChange], kind: CommitKind, isDurable: () -> Void) {
    guard let synchronizer = place.device.synchronizer, synchronizer.state.hasValues else {
      // Nothing is marked: when a circle's values are here, all that is here is pending.
      after.zone.signedOut()
      let synchronizer = place.device.synchronizer
      return ([], .ordinary, { synchronizer?.valuesChanged() })
    }
    var sent = after
    guard let change = synchronizer.following(place.store, &sent, isLost: isLost),
      let written = synchronizer.written(change)
    else { return ([], .ordinary, { synchronizer.valuesChanged() }) }
    after = sent
    return (
      written.changes, written.kind,
      {
        synchronizer.adopt(change)
        synchronizer.valuesChanged()
      }
    )
  }
}

extension StoredKeyValues {
  /// Removes each value, as a program does that removes one after the other.
  fileprivate mutating func removeAll() {
    for key in zone.values.keys { try? zone.set(key, to: nil) }
  }

  /// The keys whose values differ.
  fileprivate func changedKeys(to other: Self) -> [KeyValueKey] {
    Set(zone.values.keys).union(other.zone.values.keys)
      .filter { zone.values[$0] != other.zone.values[$0] }
  }
}
