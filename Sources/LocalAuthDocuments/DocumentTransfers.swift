import LocalAuthClient
import LocalAuthWire

/// A document that is being read, part by part.
struct DocumentReading: ~Copyable {
  private var link: DocumentLink
  private let name: String
  private var offset: Int64 = 0
  private var size: Int64?
  /// What the content is named by, once something was read of it.
  private(set) var version: String?

  init(_ name: String, version: String?, _ link: consuming DocumentLink) {
    self.name = name
    self.version = version
    self.link = link
  }

  /// The next bytes; nil at the end.
  mutating func next() throws(DocumentFailure) -> [UInt8]? {
    if let size, offset >= size { return nil }
    do throws(ClientError) {
      let part = try link.connection.readDocument(
        name,
        version: version,
        from: offset,
        link.address
      )
      let bytes = part.bytes.bytes
      guard !bytes.isEmpty || part.size == 0 else {
        throw .protocolError("a part of a document without bytes")
      }
      version = part.version
      size = part.size
      offset += Int64(bytes.count)
      return bytes
    } catch { throw DocumentFailure(error) }
  }
}

/// A document that is being written; let go before it is finished, nothing was written.
struct DocumentWriting: ~Copyable {
  private static let partMax = DocumentMessages.bytesMax
  private var link: DocumentLink
  private let name: String
  private let expected: String?
  private var part: [UInt8] = []

  init(
    _ name: String,
    over expected: DocumentContainer.Expectation,
    _ link: consuming DocumentLink
  ) {
    self.name = name
    self.expected = expected.version
    self.link = link
  }

  /// Takes the next bytes, any number of them.
  mutating func add(_ bytes: [UInt8]) throws(DocumentFailure) {
    var rest = bytes[...]
    while part.count + rest.count > Self.partMax {
      let room = Self.partMax - part.count
      part += rest.prefix(room)
      rest = rest.dropFirst(room)
      _ = try send(continues: true)
      part = []
    }
    part += rest
  }

  /// Has all of it become the document; returns what the content is named by.
  consuming func finish() throws(DocumentFailure) -> String {
    guard let version = try send(continues: false).version else {
      throw DocumentFailure(.protocolError("a write without its version"))
    }
    return version
  }

  private mutating func send(
    continues: Bool
  ) throws(DocumentFailure) -> DocumentMessages.WriteReply {
    do throws(ClientError) {
      return try link.connection.writeDocument(
        part,
        of: name,
        over: expected,
        continues: continues,
        link.address
      )
    } catch { throw DocumentFailure(error) }
  }
}
