import LocalAuthClient
import LocalAuthWire

/// A document that is being read, part by part.
struct DocumentReading: ~Copyable {
  private var reader: DocumentReader
  /// What the content is named by, once something was read of it.
  private(set) var version: String?

  init(_ name: String, version: String?, _ link: consuming DocumentLink) {
    self.version = version
    let address = link.address
    reader = DocumentReader(name, version: version, address, over: link.connection)
  }

  /// The next bytes; nil at the end.
  mutating func next() throws(DocumentFailure) -> [UInt8]? {
    do throws(ClientError) {
      guard let part = try reader.next() else { return nil }
      version = part.version
      return part.bytes.bytes
    } catch { throw DocumentFailure(error) }
  }
}

/// A document that is being written; let go before it is finished, nothing was written.
struct DocumentWriting: ~Copyable {
  private var writer: DocumentWriter

  init(
    _ name: String,
    over expected: DocumentContainer.Expectation,
    _ link: consuming DocumentLink
  ) {
    let address = link.address
    writer = DocumentWriter(name, over: expected.version, address, over: link.connection)
  }

  /// Takes the next bytes, any number of them.
  mutating func add(_ bytes: [UInt8]) throws(DocumentFailure) {
    do throws(ClientError) { try writer.add(bytes) } catch { throw DocumentFailure(error) }
  }

  /// Has all of it become the document; returns what the content is named by.
  consuming func finish() throws(DocumentFailure) -> String {
    do throws(ClientError) {
      guard let version = try writer.finish().version else {
        throw .protocolError("a write without its version")
      }
      return version
    } catch { throw DocumentFailure(error) }
  }
}
