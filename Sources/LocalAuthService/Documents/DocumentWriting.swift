import LocalAuthCore
import LocalAuthKeychain
import LocalAuthSync

/// What a write of a document did.
public struct DocumentWritten: Hashable, Sendable {
  /// What programs name the content by.
  public let version: String
  /// Its bytes.
  public let size: UInt64
  /// Whether it is another content than before.
  public let isChange: Bool
}

/// A document that a connection is writing: its chunks are sealed into a spool as they come, and become the document in
/// one commit.
///
/// A chunk that the document had when the write began, whole, is not written again. So no program may have written it
/// meanwhile.
final class DocumentWrite {
  let place: DocumentPlace
  let user: UInt32
  /// The content that it replaces, as its program named it.
  let over: String?
  /// What was there when it began.
  private let before: StoredDocument
  private let erasures: Int
  /// When its connection sent something last.
  fileprivate var lastUse: BootInstant
  /// Whether it gave way to another write.
  fileprivate private(set) var isDropped = false
  private var spool: (any ItemSpooling)?
  private var spooled = SpooledAmount("A document")
  private var rest: [UInt8] = []
  private var size: UInt64 = 0
  private var chunks: [SyncDigest] = []
  /// The items of chunks that were not there, or damaged.
  private var added: [SyncDigest: ItemIdentifier] = [:]

  init(
    _ place: DocumentPlace,
    instead before: StoredDocument,
    over: String?,
    of user: UInt32,
    at now: BootInstant
  ) {
    lastUse = now
    self.place = place
    self.over = over
    self.before = before
    self.user = user
    erasures = place.device.erasures
  }

  /// Lets go of what was sent, because others wait.
  fileprivate func drop() {
    isDropped = true
    (spool, rest) = (nil, [])
  }

  /// Takes the next bytes.
  func take(_ bytes: [UInt8], _ engine: Engine) throws(EngineError) {
    size += UInt64(bytes.count)
    guard DocumentChunk.count(of: size) <= UInt64(DocumentChunk.countMax) else {
      throw .limitReached("A document has at most 4 GiB; nothing was written.")
    }
    rest += bytes
    while rest.count >= DocumentChunk.size {
      try add(Array(rest.prefix(DocumentChunk.size)), engine)
      rest.removeFirst(DocumentChunk.size)
    }
  }

  private func add(_ chunk: [UInt8], _ engine: Engine) throws(EngineError) {
    let digest = engine.hash.digest(of: chunk)
    chunks.append(digest)
    guard added[digest] == nil else { return }
    if let kept = before.chunks[digest],
      try engine.bytes(of: digest, kept.item, on: place.device) != nil
    {
      return
    }
    let now = place.device.now(engine.clock.now()).wall
    let identifier = engine.itemIdentifiers.next(at: now, using: &engine.random)
    try spool(place.chunk(digest, identifier, at: now), chunk, engine)
    added[digest] = identifier
  }

  /// Has an item added by the commit, in place of what has its key.
  private func spool(
    _ item: Item,
    _ data: [UInt8],
    _ engine: Engine
  ) throws(EngineError) {
    guard erasures == place.device.erasures, let sealed = place.sealed(item, data) else {
      throw .refused(Outcome(.itemLocked))
    }
    try spooled.add(sealed.byteCount, SpooledAmount.Limits(engine.options))
    let occupant = try engine.occupant(ofKey: sealed.header.key, on: place.device)
    try spooling(engine) { (spool) throws(StorageError) in
      if let occupant { try spool.remove(occupant) }
      _ = try spool.take(sealed, digest: [])
    }
  }

  private func spooling(
    _ engine: Engine,
    _ body: (any ItemSpooling) throws(StorageError) -> Void
  ) throws(EngineError) {
    do throws(StorageError) { try body(try spool(engine.runner)) } catch {
      throw EngineError(error)
    }
  }

  /// The spool, which is made when it is first needed.
  private func spool(_ runner: EffectRunner) throws(StorageError) -> any ItemSpooling {
    if let spool { return spool }
    let made = try runner.spool(of: place.device.identity)
    spool = made
    return made
  }

  /// Ends it, in the device's turn.
  ///
  /// - Returns: what was written, and the spool to commit; nil for the content that was there before.
  func finish(
    _ engine: Engine
  ) throws(EngineError) -> (written: DocumentWritten, spool: (any ItemSpooling)?) {
    if !rest.isEmpty { try add(rest, engine) }
    rest = []
    let read = try engine.read(place)
    guard read.document.content == before.content else {
      throw .documentChanged(place.name.text)
    }
    let now = place.device.now(engine.clock.now()).wall
    guard let content = DocumentContent(date: now, size: size, chunks: chunks) else {
      throw .internalError("The document's chunks are not those of its size.")
    }
    let isChange = before.content?.hasBytes(of: content) != true || !added.isEmpty
    let written = DocumentWritten(
      version: content.version(engine.hash),
      size: size,
      isChange: isChange
    )
    guard isChange else { return (written, nil) }
    // What came or went between devices meanwhile may be a chunk of this one.
    let isAsItWas = added.keys.allSatisfy {
      read.document.chunks[$0]?.item == before.chunks[$0]?.item
    }
    var after = read.document
    let gone = after.write(content, adding: added)
    guard isAsItWas, after.isComplete(content) else { throw .documentChanged(place.name.text) }
    try spool(engine.item(of: read, place), after.bytes, engine)
    for item in gone {
      try spooling(engine) { (spool) throws(StorageError) in try spool.remove(item) }
    }
    return (written, spool)
  }
}

extension Engine {
  /// The most documents that the connections of one user write at once, in more than one call each.
  private static let documentWritesMax = 8
  /// How long a connection may be silent before its write gives way to another one of its user.
  private static let documentIdleMax = Duration.seconds(60)

  /// Takes the next bytes of a document, the first of which begin it.
  ///
  /// - Parameters:
  ///   - bytes: The bytes.
  ///   - name: The document.
  ///   - request: The container.
  ///   - connection: The connection that sends them.
  ///   - caller: Who asks.
  /// - Throws: ``EngineError``; what the connection has sent of a document is dropped then.
  public func collectDocument(
    _ bytes: [UInt8],
    of name: String,
    _ request: DocumentRequest,
    on connection: UInt64,
    caller: Caller
  ) throws(EngineError) {
    let write: DocumentWrite
    if let begun = try begunWrite(name, request, on: connection, caller) {
      write = begun
    } else {
      write = try beginWrite(try place(name, request, caller), request, caller)
    }
    let now = clock.now().boot
    try makeRoom(of: caller.uid, at: now)
    try write.take(bytes, self)
    write.lastUse = now
    documentWrites[connection] = write
  }

  /// Has the write give way that was silent longest, if a user has as many as may be.
  private func makeRoom(of user: UInt32, at now: BootInstant) throws(EngineError) {
    let others = documentWrites.values.filter { $0.user == user && !$0.isDropped }
    guard others.count >= Self.documentWritesMax else { return }
    guard let silent = others.min(by: { $0.lastUse < $1.lastUse }),
      now - silent.lastUse > Self.documentIdleMax
    else {
      throw .limitReached(
        "Other programs of this user write \(Self.documentWritesMax) documents: try again."
      )
    }
    silent.drop()
  }

  /// Takes the last bytes of a document, and makes all of it durable in one commit.
  ///
  /// - Parameters:
  ///   - bytes: The last bytes.
  ///   - name: The document.
  ///   - request: The container.
  ///   - connection: The connection that has sent the others.
  ///   - caller: Who asks.
  ///   - body: Called once it is durable, or with why nothing was written.
  public func writeDocument(
    _ bytes: [UInt8],
    of name: String,
    _ request: DocumentRequest,
    on connection: UInt64,
    caller: Caller,
    then body: @escaping (Result<DocumentWritten, EngineError>) -> Void
  ) {
    do throws(EngineError) {
      let begun = try begunWrite(name, request, on: connection, caller)
      let place = try place(name, request, caller)
      try begun?.take(bytes, self)
      inTurn(of: place, as: request.container.writer, body) { [self] (finish) throws(EngineError) in
        let write: DocumentWrite
        if let begun {
          write = begun
        } else {
          // What comes in one call begins in its turn, so that nobody can write meanwhile.
          write = try beginWrite(place, request, caller)
          try write.take(bytes, self)
        }
        let (written, spool) = try write.finish(self)
        guard let spool else { return finish(.success(written), false) }
        runner.store([], spool: spool, .ordinary) { stored in
          finish(stored.map { written }.mapError { EngineError($0) }, true)
        }
      }
    } catch { body(.failure(error)) }
  }

  /// The write that a connection goes on with, which it has not until it is put back; nil if it begins one.
  private func begunWrite(
    _ name: String,
    _ request: DocumentRequest,
    on connection: UInt64,
    _ caller: Caller
  ) throws(EngineError) -> DocumentWrite? {
    guard let begun = documentWrites.removeValue(forKey: connection) else { return nil }
    guard !begun.isDropped else {
      let detail = "This write was silent for a minute while another one waited; it is dropped."
      throw .refused(Outcome(.busy, detail: detail))
    }
    let place = try place(name, request, caller)
    guard begun.place.device === place.device, begun.place.name == place.name,
      begun.place.container.utf8.elementsEqual(place.container.utf8)
    else {
      throw .invalidArgument("This connection was writing another document, which is dropped.")
    }
    guard request.over == nil || request.over == begun.over else {
      throw .invalidArgument("This write began over another version; it is dropped.")
    }
    return begun
  }

  private func beginWrite(
    _ place: DocumentPlace,
    _ request: DocumentRequest,
    _ caller: Caller
  ) throws(EngineError) -> DocumentWrite {
    let before = try read(place).document
    // Nobody may write it until the end, so that it is enough to compare once.
    try requireExpected(before, request)
    return DocumentWrite(
      place,
      instead: before,
      over: request.over,
      of: caller.uid,
      at: clock.now().boot
    )
  }

  /// Drops what a connection that closed has sent of a document.
  func documentConnectionEnded(_ connection: UInt64) { documentWrites[connection] = nil }
}
