import LocalAuthCore
public import LocalAuthKeychain
public import LocalAuthSync

/// Which container of documents a call is about, and what its caller may.
public struct DocumentRequest {
  /// The container, which is one of the caller's access groups.
  public var container: GroupRequest
  /// What programs name the content by that a change replaces, empty for none; nil for any.
  public var over: String?

  /// A request about a document in this container.
  public init(in container: GroupRequest, over: String? = nil) {
    self.container = container
    self.over = over
  }
}

/// What a list says of a document.
public struct ListedDocument: Hashable, Sendable {
  /// Its name.
  public let name: DocumentName
  /// Its content; nil for a document that was damaged on the disk.
  public let content: DocumentContent?
  /// What programs name the content by.
  public let version: String?
  /// How many versions are in conflict with it.
  public let conflicts: Int
  /// Whether all of its bytes are here.
  public let isComplete: Bool

  /// What is listed of a document; nil for none that programs see.
  init?(_ read: ReadDocument, _ hash: any MessageHashing) {
    guard read.isDamaged || read.document.content != nil else { return nil }
    name = read.document.name
    content = read.document.content
    version = content?.version(hash)
    conflicts = read.document.others.count
    isComplete = content.map { read.document.isComplete($0) } ?? false
  }
}

/// A part of a document's content.
public struct DocumentPart: Hashable, Sendable {
  /// The content that it is a part of.
  public let content: DocumentContent
  /// What programs name that content by.
  public let version: String
  /// The bytes from the place on that was asked for, to the end of their chunk; none behind the end.
  public let bytes: [UInt8]
}

/// Documents: files that the programs of an access group share, which are written whole.
extension Engine {
  /// The documents that one page lists, in no order.
  private static let listedMax = 64
  /// How often a part is looked for again because the document is written meanwhile.
  private static let readAttemptsMax = 16

  /// A page of a container's documents.
  ///
  /// - Parameters:
  ///   - request: The container.
  ///   - cursor: Where to go on; nil for the beginning.
  ///   - caller: Who asks.
  /// - Returns: the documents, and where to go on, nil at the end.
  /// - Throws: ``EngineError``: `refused` with the outcome if the caller has no such container, or the device was not
  ///   unlocked since it was started.
  public func documents(
    _ request: GroupRequest,
    after cursor: ItemHash?,
    caller: Caller
  ) throws(EngineError) -> (documents: [ListedDocument], next: ItemHash?) {
    let place = try container(request, caller)
    let (now, hash) = (place.device.now(clock.now()).boot, hash)
    var listed: [ListedDocument] = []
    let page = try reading { (items) throws(StorageError) in
      try items.eachItem(
        DocumentPlace.lookup(DocumentPlace.service(place.group), on: place.device),
        after: cursor,
        limit: Self.listedMax
      ) { stored in
        if let item = place.device.vault.item(stored), let key = DocumentPlace.key(of: item),
          key.container.utf8.elementsEqual(place.group.utf8)
        {
          let read = Self.open(stored, named: key.name, on: place.device, at: now)
          ListedDocument(read, hash).map { listed.append($0) }
        }
        return true
      }
    }
    return (listed, page.next)
  }

  /// A part of a document.
  ///
  /// - Parameters:
  ///   - name: The document.
  ///   - version: The content that is wanted, which may be one in conflict; nil for what there is.
  ///   - offset: The first byte.
  ///   - request: The container.
  ///   - caller: Who asks.
  /// - Returns: the bytes from the offset to the end of their chunk.
  /// - Throws: ``EngineError``: as ``documents(_:after:caller:)``, `refused` with `itemNotFound` for no such document or
  ///   content, and with `busy` if who reads on finds another content, or not all of it is here yet.
  public func readDocument(
    _ name: String,
    version: String?,
    from offset: UInt64,
    _ request: DocumentRequest,
    caller: Caller
  ) throws(EngineError) -> DocumentPart {
    let place = try place(name, request, caller)
    for _ in 0..<Self.readAttemptsMax {
      let document = try read(place).document
      if let part = try part(of: document, version: version, from: offset, on: place.device) {
        return part
      }
      // Its chunk may have gone with a commit between both looks.
      guard try read(place).document != document else {
        throw .internalError(
          "A part of the document '\(name)' was changed or damaged on the disk: put a backup back."
        )
      }
    }
    throw .documentChanged(name)
  }

  /// A part of a document as it was read; nil if the bytes are not where it says.
  private func part(
    of document: StoredDocument,
    version: String?,
    from offset: UInt64,
    on device: LiveDevice
  ) throws(EngineError) -> DocumentPart? {
    let name = document.name.text
    guard let current = document.content else { throw .noDocument(name) }
    let contents = [current] + document.others.map(\.content)
    let wanted =
      version.map { wanted in contents.first { $0.version(hash) == wanted } } ?? current
    guard let wanted else { throw offset > 0 ? .documentChanged(name) : .noVersion(of: name) }
    let named = version ?? wanted.version(hash)
    guard offset < wanted.size else {
      return DocumentPart(content: wanted, version: named, bytes: [])
    }
    let chunk = wanted.chunks[Int(offset / UInt64(DocumentChunk.size))]
    guard let item = document.chunks[chunk]?.item else {
      let detail = "Not all of the document '\(name)' has come yet: try again."
      throw .refused(Outcome(.busy, detail: detail))
    }
    guard let bytes = try bytes(of: chunk, item, on: device) else { return nil }
    let skipped = Int(offset % UInt64(DocumentChunk.size))
    return DocumentPart(content: wanted, version: named, bytes: Array(bytes.dropFirst(skipped)))
  }

  /// Removes a document, even one that was damaged.
  ///
  /// - Parameters:
  ///   - name: The document.
  ///   - request: The container.
  ///   - caller: Who asks.
  ///   - body: Called once it is durable, or with why it is not: as ``readDocument(_:version:from:_:caller:)``.
  public func removeDocument(
    _ name: String,
    _ request: DocumentRequest,
    caller: Caller,
    then body: @escaping (Result<Void, EngineError>) -> Void
  ) {
    do throws(EngineError) {
      let place = try place(name, request, caller)
      inTurn(of: place, as: request.container.writer, body) { [self] (finish) throws(EngineError) in
        let before = try read(place, evenDamaged: true)
        guard before.isDamaged || before.document.content != nil else { throw .noDocument(name) }
        try requireExpected(before.document, request)
        var after = before.document
        // Without a circle nobody has to be told, and nothing is kept.
        var gone = place.device.synchronizer == nil ? after.disagree() : []
        gone += after.remove()
        if before.isDamaged { gone = try chunks(of: place) }
        let changes = try replacing(before, by: after, place)
        let items = changes + gone.map { ItemChange.remove(place.device.identity, $0) }
        runner.store([StateChange](), items, .ordinary) { stored in
          finish(stored.mapError { EngineError($0) }, true)
          if before.isDamaged { place.device.synchronizer?.fetchDocumentsOnceMore() }
        }
      }
    } catch { body(.failure(error)) }
  }

  /// Throws if a change is meant for another content.
  func requireExpected(
    _ document: StoredDocument,
    _ request: DocumentRequest
  ) throws(EngineError) {
    guard let over = request.over, over != document.content?.version(hash) ?? "" else { return }
    throw .refused(
      Outcome(
        .busy,
        detail: "The document '\(document.name.text)' is not the version that you gave."
      )
    )
  }

  /// Ends a change of a document, with whether there was anything to change.
  typealias DocumentEnd<Value> = (Result<Value, EngineError>, _ isChange: Bool) -> Void

  /// Calls `body` in the turn of the document's device; then other writers and the synchronizer are told.
  func inTurn<Value>(
    of place: DocumentPlace,
    as writer: UInt64?,
    _ end: @escaping (Result<Value, EngineError>) -> Void,
    _ body: @escaping (@escaping DocumentEnd<Value>) throws(EngineError) -> Void
  ) {
    let device = place.device
    device.mutations.enter { [self] in
      let finish: DocumentEnd<Value> = { [self] result, isChange in
        device.mutations.leave()
        end(result)
        guard isChange, case .success = result else { return }
        tell(of: place, except: writer)
        device.synchronizer?.documentChanged(place.key)
      }
      do throws(EngineError) {
        // The device may have been removed or restarted while others had their turn.
        guard !device.machine.isRemoved else { throw .gone(device) }
        try requireOpen(device)
        try body(finish)
      } catch { finish(.failure(error), false) }
    }
  }

  /// The items of a document's chunks, which a damaged document does not know.
  func chunks(of place: DocumentPlace) throws(EngineError) -> [ItemIdentifier] {
    try reading { (items) throws(StorageError) in
      var found: [ItemIdentifier] = []
      var cursor: ItemHash?
      repeat {
        let page = try items.eachItem(place.chunks, after: cursor, limit: Self.listedMax) {
          stored in
          found.append(stored.header.identifier)
          return true
        }
        cursor = page.next
      } while cursor != nil
      return found
    }
  }

  // MARK: Places

  /// The container that a call is about.
  func container(
    _ request: GroupRequest,
    _ caller: Caller
  ) throws(EngineError) -> GroupPlace {
    try groupPlace(request, caller, closing: "documents")
  }

  func place(
    _ name: String,
    _ request: DocumentRequest,
    _ caller: Caller
  ) throws(EngineError) -> DocumentPlace {
    let place = try container(request.container, caller)
    guard let document = DocumentName(name) else {
      throw .invalidArgument(
        "A document's name is a path like 'notes/today.txt': at most 1,024 bytes, and 255 between two slashes, without "
          + "empty parts, '.', '..' and control characters."
      )
    }
    return DocumentPlace(device: place.device, container: place.group, name: document)
  }
}

extension EngineError {
  static func noDocument(_ name: String) -> EngineError {
    .refused(Outcome(.itemNotFound, detail: "There is no document '\(name)'."))
  }

  static func noVersion(of name: String) -> EngineError {
    .refused(Outcome(.itemNotFound, detail: "The document '\(name)' has no such version."))
  }

  static func documentChanged(_ name: String) -> EngineError {
    let detail = "The document '\(name)' was written meanwhile: try again."
    return .refused(Outcome(.busy, detail: detail))
  }
}
