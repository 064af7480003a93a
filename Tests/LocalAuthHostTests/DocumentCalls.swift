import LocalAuthCore
import LocalAuthKeychain
import LocalAuthSync
import Testing

@testable import LocalAuthService

/// A rig whose engine has documents.
protocol DocumentCalls: AnyObject {
  var engine: Engine { get }
  var caller: Caller { get }
  /// What `begin` ends with.
  func value<Value>(
    _ body: (@escaping (Result<Value, EngineError>) -> Void) throws -> Void
  ) throws -> Value
}

extension KeyValueCalls {
  func value<Value>(
    _ body: (@escaping (Result<Value, EngineError>) -> Void) throws -> Void
  ) throws -> Value {
    var ended: Result<Value, EngineError>?
    try body { ended = $0 }
    turn { ended != nil }
    guard let ended else { throw EngineError.internalError("no end") }
    return try ended.get()
  }
}

extension KeychainRig: DocumentCalls {}
extension StateRig: DocumentCalls {}
extension SyncDevice: DocumentCalls {}

/// What a program heard of the documents of a container: name, bytes and conflicts.
final class DocumentsHeard {
  var told: [String] = []
  var watch: GroupWatch<DocumentReport>?
}

extension DocumentCalls {
  func documentRequest(
    _ container: String? = nil,
    as writer: UInt64? = nil,
    over version: String? = nil
  ) -> DocumentRequest {
    var place = GroupRequest(of: "sim", container, groups: AccessGroups(["local", "more"]))
    place.allowsSimulated = true
    place.writer = writer
    return DocumentRequest(in: place, over: version)
  }

  /// Writes a document in pieces.
  @discardableResult
  func put(
    _ name: String,
    _ bytes: [UInt8],
    in container: String? = nil,
    as writer: UInt64? = nil,
    over version: String? = nil,
    pieces: Int = 128 * 1024,
    connection: UInt64 = 5
  ) throws -> DocumentWritten {
    var rest = bytes[...]
    while rest.count > pieces {
      try engine.collectDocument(
        Array(rest.prefix(pieces)),
        of: name,
        documentRequest(container, over: version),
        on: connection,
        caller: caller
      )
      rest = rest.dropFirst(pieces)
    }
    return try value {
      engine.writeDocument(
        Array(rest),
        of: name,
        documentRequest(container, as: writer, over: version),
        on: connection,
        caller: caller,
        then: $0
      )
    }
  }

  @discardableResult
  func put(
    _ name: String,
    text: String,
    in container: String? = nil,
    as writer: UInt64? = nil,
    over version: String? = nil,
    connection: UInt64 = 5
  ) throws -> DocumentWritten {
    try put(
      name,
      Array(text.utf8),
      in: container,
      as: writer,
      over: version,
      connection: connection
    )
  }

  /// The bytes of a document, or of one of its versions.
  func document(
    _ name: String,
    version: String? = nil,
    in container: String? = nil
  ) throws -> [UInt8] {
    var bytes: [UInt8] = []
    var wanted = version
    while true {
      let part = try engine.readDocument(
        name,
        version: wanted,
        from: UInt64(bytes.count),
        documentRequest(container),
        caller: caller
      )
      bytes += part.bytes
      wanted = part.version
      guard !part.bytes.isEmpty, UInt64(bytes.count) < part.content.size else { return bytes }
    }
  }

  func text(_ name: String, version: String? = nil, in container: String? = nil) throws -> String {
    String(decoding: try document(name, version: version, in: container), as: UTF8.self)
  }

  func removeDocument(
    _ name: String,
    in container: String? = nil,
    as writer: UInt64? = nil,
    over version: String? = nil
  ) throws {
    let request = documentRequest(container, as: writer, over: version)
    try value { engine.removeDocument(name, request, caller: caller, then: $0) }
  }

  /// All documents, by their names.
  func documents(in container: String? = nil) throws -> [ListedDocument] {
    var listed: [ListedDocument] = []
    var cursor: ItemHash?
    repeat {
      let page = try engine.documents(
        documentRequest(container).container,
        after: cursor,
        caller: caller
      )
      listed += page.documents
      cursor = page.next
    } while cursor != nil
    return listed.sorted { $0.name.text < $1.name.text }
  }

  func documentNames(in container: String? = nil) throws -> [String] {
    try documents(in: container).map(\.name.text)
  }

  func versions(_ name: String) throws -> [ListedVersion] {
    try engine.documentVersions(name, documentRequest(), caller: caller)
  }

  /// What a program that watches a container is told from now on.
  func watchDocuments(
    in container: String? = nil,
    as writer: UInt64? = nil
  ) throws -> DocumentsHeard {
    let heard = DocumentsHeard()
    let request = documentRequest(container, as: writer).container
    heard.watch = try engine.watchDocuments(request, caller: caller) { report in
      let told =
        switch report {
        case .changed(let document):
          "\(document.name.text) \(document.content?.size ?? 0) \(document.conflicts)"
            + (document.isComplete ? "" : " incomplete")
        case .removed(let name): "removed \(name.text)"
        case .anything: "anything"
        case nil: "gone"
        }
      heard.told.append(told)
    }
    return heard
  }

  func settle(_ name: String, _ versions: [String]) throws {
    try value {
      engine.settleDocument(versions, of: name, documentRequest(), caller: caller, then: $0)
    }
  }

  /// How many generic passwords there are, the service's own among them.
  var itemCount: Int {
    get throws {
      var count = 0
      let device = try #require(engine.devices.values.first)
      let lookup = ItemLookup(device: device.identity, itemClass: .genericPassword)
      _ = try engine.items.eachItem(lookup, after: nil, limit: 100_000) { _ in
        count += 1
        return true
      }
      return count
    }
  }
}
