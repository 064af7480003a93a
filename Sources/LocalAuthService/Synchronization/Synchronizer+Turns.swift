import LocalAuthCore
import LocalAuthSync

/// Changes take the turn of their device, as those of its keychain do.
extension Synchronizer {
  /// Makes a change in the device's turn, so that nothing else changes its items or its synchronization meanwhile.
  ///
  /// - Parameters:
  ///   - make: Makes the change; false if there is nothing to change.
  ///   - ended: Called instead after the end, for what nobody else answers; a round has been cancelled then.
  ///   - body: Gets whether it is durable; success for nothing to change.
  func inTurn(
    _ make: @escaping (Synchronizer, inout Change) -> Bool,
    orEnded ended: @escaping () -> Void = {},
    then body: @escaping (Result<Void, StorageError>) -> Void = { _ in }
  ) {
    let turn: (@escaping () -> Void) -> Void = { [self] leave in
      var change = Change(state: state)
      guard make(self, &change) else {
        leave()
        return body(.success(()))
      }
      commit(change) { result in
        leave()
        body(result)
      }
    }
    takingTurn(turn, orEnded: ended)
  }

  /// Calls `body` in the device's turn, which it gives back; after the end it calls `ended` instead.
  func takingTurn(
    _ body: @escaping (_ leave: @escaping () -> Void) -> Void,
    orEnded ended: @escaping () -> Void = {}
  ) {
    let turns = device.mutations
    turns.enter { [weak self] in
      guard let self, !hasEnded else {
        turns.leave()
        return ended()
      }
      body { turns.leave() }
    }
  }
}
