import LocalAuthCore
import LocalAuthKeychain
public import LocalAuthSync

/// A version of a document.
public struct ListedVersion: Hashable, Sendable {
  /// What programs name its content by.
  public let version: String
  /// Its content.
  public let content: DocumentContent
  /// Whether it is the one that stands; the others are in conflict with it.
  public let isCurrent: Bool
  /// The name of the device that wrote it; nil for one that is or was in no circle of this device's.
  public let author: String?
}

/// What two devices wrote at once.
extension Engine {
  /// The versions of a document: the one that stands, and those in conflict with it, the oldest change first.
  ///
  /// It throws as ``readDocument(_:version:from:_:caller:)`` does.
  public func documentVersions(
    _ name: String,
    _ request: DocumentRequest,
    caller: Caller
  ) throws(EngineError) -> [ListedVersion] {
    let place = try place(name, request, caller)
    let document = try read(place).document
    guard let current = document.content else { throw .noDocument(name) }
    let synchronizer = place.device.synchronizer
    // What was written since the devices agreed was written here.
    let author = document.draft == nil ? document.manifest?.current.made.peer : synchronizer?.me
    let others = document.others.map { ($0.content, $0.made.peer, false) }
    return ([(current, author, true)] + others).map { content, author, isCurrent in
      ListedVersion(
        version: content.version(hash),
        content: content,
        isCurrent: isCurrent,
        author: author.flatMap { synchronizer?.state.circle.peers[$0]?.keys.name }
      )
    }
  }

  /// Removes versions that are in conflict with the one that stands, on all devices.
  ///
  /// - Parameters:
  ///   - versions: What programs name them by.
  ///   - name: The document.
  ///   - request: The container.
  ///   - caller: Who asks.
  ///   - body: Called once it is durable, or with why nothing was removed: `refused` with `itemNotFound` for a version that
  ///     is not in conflict, and with `busy` before the keys of the circle's documents came.
  public func settleDocument(
    _ versions: [String],
    of name: String,
    _ request: DocumentRequest,
    caller: Caller,
    then body: @escaping (Result<Void, EngineError>) -> Void
  ) {
    do throws(EngineError) {
      let place = try place(name, request, caller)
      inTurn(of: place, as: request.container.writer, body) { [self] (finish) throws(EngineError) in
        let before = try read(place)
        guard before.document.content != nil else { throw .noDocument(name) }
        try requireExpected(before.document, request)
        guard !versions.isEmpty else { return finish(.success(()), false) }
        var after = before.document
        let gone = try settle(versions, of: &after)
        let items =
          try replacing(before, by: after, place)
          + gone.map { ItemChange.remove(place.device.identity, $0) }
        let end: (Result<Void, StorageError>) -> Void = {
          finish($0.mapError { EngineError($0) }, true)
        }
        guard let synchronizer = place.device.synchronizer else {
          return runner.store([StateChange](), items, .ordinary, then: end)
        }
        guard let manifest = after.manifest,
          let change = synchronizer.settling(manifest, of: place.key, items)
        else {
          throw .refused(Outcome(.busy, detail: "The circle's keys have not come yet: try again."))
        }
        synchronizer.commit(change, then: end)
      }
    } catch { body(.failure(error)) }
  }

  private func settle(
    _ versions: [String],
    of document: inout StoredDocument
  ) throws(EngineError) -> [ItemIdentifier] {
    guard var manifest = document.manifest else { throw Self.noConflict }
    for version in versions {
      let other = manifest.others.first { $0.content.version(hash) == version }
      guard let other, manifest.remove(other.made) else { throw Self.noConflict }
    }
    return document.agree(on: manifest)
  }

  private static let noConflict = EngineError.refused(
    Outcome(.itemNotFound, detail: "No such version is in conflict with the document.")
  )
}
