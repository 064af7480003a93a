public import LocalAuth
import LocalAuthClient
import LocalAuthWire

/// Documents that programs of one access group share: notes, pictures, a database dump.
///
/// A document has at most 4 GiB and is written whole: whoever reads it gets the bytes of one write, also after a crash.
/// If the device is in a circle, its other devices have the same documents, and what two of them wrote at once are two
/// versions. Programs of the group read documents whenever the device was unlocked once.
///
/// Safe to use from any thread. Each call waits for the service, over a connection of its own; none waits for the network.
public final class DocumentContainer: Sendable {
  /// What a change expects to find, so that it overwrites nothing that its program has not seen.
  public enum Expectation: Hashable, Sendable {
    /// Any document, or none.
    case anything
    /// No document of this name.
    case nothing
    /// The version of this ``Document/Version/id``.
    case version(String)

    /// As calls have it.
    var version: String? {
      switch self {
      case .anything: nil
      case .nothing: ""
      case .version(let version): version
      }
    }
  }

  private let place: Result<DocumentService, AuthError>
  private let follower:
    ChangeFollower<DocumentMessages.WatchCall, DocumentMessages.WatchReply, DocumentChange>

  /// The container called `name`, which is one of the program's access groups; nil for the first.
  ///
  /// Nothing is asked of the service yet.
  public init(_ name: String? = nil, on device: Device = .default) {
    do throws(AuthError) { place = .success(try DocumentService(name, on: device)) } catch {
      place = .failure(error)
    }
    let watched = (try? place.get()).map { place in
      ChangeFollower.Watched(
        place.source,
        Methods.watchDocuments,
        place.address.call(),
        anything: DocumentChange.all
      ) { DocumentChange($0) }
    }
    follower = ChangeFollower(watched, name: "localauth-docs")
  }

  deinit { follower.end() }

  /// What others change, beginning with ``DocumentChange/all``.
  ///
  /// They end with the container. A service that cannot be reached, and a device that was not unlocked yet, is tried again each
  /// second, and ``failure`` says why. Whoever falls behind by more than 1,024 changes hears of
  /// the newest.
  public var changes: AsyncStream<DocumentChange> { follower.changes() }

  /// Why changes are not heard, such as ``DocumentFailure/locked(_:)`` before the first unlock; nil while they are, and before
  /// somebody listens.
  public var failure: DocumentFailure? {
    if case .failure(let error) = place { return .service(error) }
    return follower.failure.map { DocumentFailure($0) }
  }

  /// Calls `body` with each change from now on, on a thread of the container's own, beginning with
  /// ``DocumentChange/all``.
  ///
  /// It is called until the container is let go, which `body` therefore must not hold.
  public func onChange(_ body: @escaping @Sendable (DocumentChange) -> Void) {
    follower.onChange(body)
  }

  // MARK: Documents

  /// The documents, in the order of the bytes of their names.
  ///
  /// - Throws: ``DocumentFailure``.
  public func documents() throws(DocumentFailure) -> [Document] {
    try call { (connection, address) throws(ClientError) in try connection.documents(address) }
      .map { Document($0) }
  }

  /// The content of a document.
  ///
  /// - Parameters:
  ///   - name: The document.
  ///   - version: The content that is wanted; nil for the one that stands.
  /// - Returns: the bytes, and what they are named by.
  /// - Throws: ``DocumentFailure``.
  public func read(
    _ name: String,
    version: String? = nil
  ) throws(DocumentFailure) -> (bytes: [UInt8], version: String) {
    var reading = DocumentReading(name, version: version, try connect())
    var bytes: [UInt8] = []
    while let part = try reading.next() { bytes += part }
    return (bytes, reading.version ?? "")
  }

  /// Reads a long document part by part.
  ///
  /// If another program writes the document meanwhile, the rest of what was being read is gone: ``DocumentFailure/busy(_:)``.
  ///
  /// - Parameters:
  ///   - name: The document.
  ///   - version: The content that is wanted; nil for the one that stands.
  ///   - body: Takes the next bytes, at most 256 KiB. What it throws ends the reading.
  /// - Returns: what the content is named by.
  /// - Throws: ``DocumentFailure``, or what `body` throws.
  @discardableResult
  public func read(
    _ name: String,
    version: String? = nil,
    _ body: ([UInt8]) throws -> Void
  ) throws -> String {
    var reading = DocumentReading(name, version: version, try connect())
    while let part = try reading.next() { try body(part) }
    return reading.version ?? ""
  }

  /// Writes a document, over one of this name.
  ///
  /// - Parameters:
  ///   - bytes: All of it.
  ///   - name: A path like `notes/today.txt`: at most 1,024 bytes, and 255 between two slashes.
  ///   - expected: What may be overwritten; ``DocumentFailure/busy(_:)`` if something else is there.
  /// - Returns: what the content is named by.
  /// - Throws: ``DocumentFailure``; the document is as it was then.
  @discardableResult
  public func write(
    _ bytes: [UInt8],
    to name: String,
    over expected: Expectation = .anything
  ) throws(DocumentFailure) -> String {
    var writing = DocumentWriting(name, over: expected, try connect())
    try writing.add(bytes)
    return try writing.finish()
  }

  /// Writes a long document part by part.
  ///
  /// - Parameters:
  ///   - name: As for ``write(_:to:over:)``.
  ///   - expected: What may be overwritten.
  ///   - next: Gives the next bytes, any number of them; nil at the end. What it throws ends the writing.
  /// - Returns: what the content is named by.
  /// - Throws: ``DocumentFailure``, or what `next` throws; the document is as it was then.
  @discardableResult
  public func write(
    to name: String,
    over expected: Expectation = .anything,
    _ next: () throws -> [UInt8]?
  ) throws -> String {
    var writing = DocumentWriting(name, over: expected, try connect())
    while let bytes = try next() { try writing.add(bytes) }
    return try writing.finish()
  }
}

extension DocumentContainer {
  /// Removes a document.
  ///
  /// - Parameters:
  ///   - name: The document.
  ///   - expected: What may be removed; ``DocumentFailure/busy(_:)`` if something else is there.
  /// - Throws: ``DocumentFailure``.
  public func remove(
    _ name: String,
    over expected: Expectation = .anything
  ) throws(DocumentFailure) {
    try call { (connection, address) throws(ClientError) in
      try connection.removeDocument(name, over: expected.version, address)
    }
  }

  // MARK: Versions

  /// The versions of a document: the one that stands, then those in conflict with it, the oldest change first.
  ///
  /// - Throws: ``DocumentFailure``.
  public func versions(of name: String) throws(DocumentFailure) -> [Document.Version] {
    try call { (connection, address) throws(ClientError) in
      try connection.documentVersions(name, address)
    }
    .map { Document.Version($0) }
  }

  /// Removes versions that are in conflict, on all devices: all of them or none.
  ///
  /// - Parameters:
  ///   - versions: Each ``Document/Version/id`` of a version in conflict. To keep one of them instead of the one that
  ///     stands, write it first.
  ///   - name: The document.
  ///   - expected: What may stand; ``DocumentFailure/busy(_:)`` if something else does.
  /// - Throws: ``DocumentFailure``.
  public func settle(
    _ versions: [String],
    of name: String,
    over expected: Expectation = .anything
  ) throws(DocumentFailure) {
    try call { (connection, address) throws(ClientError) in
      try connection.settleDocument(versions, of: name, over: expected.version, address)
    }
  }

  // MARK: Calls

  private func call<Value>(
    _ body: (inout DaemonConnection, GroupAddress) throws(ClientError) -> Value
  ) throws(DocumentFailure) -> Value {
    var link = try connect()
    do throws(ClientError) { return try body(&link.connection, link.address) } catch {
      throw DocumentFailure(error)
    }
  }

  private func connect() throws(DocumentFailure) -> DocumentLink {
    do throws(AuthError) {
      let place = try place.get()
      do throws(ClientError) { return try place.connect() } catch { throw AuthError(error) }
    } catch { throw .service(error) }
  }
}
