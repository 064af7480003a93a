public import LocalAuthCore

/// The name of a document in its container: a relative path that leads out of no folder.
public struct DocumentName: Hashable, Sendable {
  /// The longest name, in bytes.
  public static let bytesMax = 1024
  /// The longest part between slashes, in bytes.
  public static let partMax = 255

  /// Its text.
  public let text: String

  /// The name `text`; nil for one that is no path below a folder: with an empty part, `.`, `..` or a zero.
  public init?(_ text: String) {
    guard (1...Self.bytesMax).contains(text.utf8.count), !text.utf8.contains(0) else { return nil }
    let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    let isSafe = parts.allSatisfy { part in
      (1...Self.partMax).contains(part.count) && !part.elementsEqual(".".utf8)
        && !part.elementsEqual("..".utf8)
    }
    guard isSafe else { return nil }
    self.text = text
  }

  /// Whether both have the same bytes: two spellings of one letter are two names.
  public static func == (left: Self, right: Self) -> Bool {
    left.text.utf8.elementsEqual(right.text.utf8)
  }

  /// Hashes the bytes.
  public func hash(into hasher: inout Hasher) {
    for byte in text.utf8 { hasher.combine(byte) }
  }
}

/// How a content is cut: into pieces of one size, of which the last may be shorter.
public enum DocumentChunk {
  /// The bytes of a chunk.
  public static let size = 256 * 1024
  /// The most chunks of a document, which then has 4 GiB.
  public static let countMax = 16_384
  /// How many chunks are sent in one push: 8 MiB.
  public static let perPush = 32

  /// How many chunks a content of `size` bytes has.
  public static func count(of size: UInt64) -> UInt64 {
    size / UInt64(Self.size) + (size.isMultiple(of: UInt64(Self.size)) ? 0 : 1)
  }

  /// The bytes of a content of `size` bytes that are in the chunk `index`; empty behind the end.
  public static func range(_ index: Int, of size: UInt64) -> Range<UInt64> {
    guard index >= 0, UInt64(index) < count(of: size) else { return size..<size }
    let start = UInt64(index) * UInt64(Self.size)
    return start..<min(start + UInt64(Self.size), size)
  }
}

/// One version of a document's content.
public struct DocumentVersion: Hashable, Sendable {
  /// The change that made it, by which it is known.
  public let made: VersionVector.Dot
  /// When the content was changed, by the clock of the device that did.
  public let date: WallInstant
  /// Its bytes.
  public let size: UInt64
  /// The records of its chunks, in their order; a chunk may be there more than once.
  public let chunks: [RecordName]
  /// Whether a person saw the conflict and settled it; the version stays until it is removed.
  public internal(set) var isResolved: Bool

  /// The version with these parts; nil unless there is a chunk for each 256 KiB, and no more than a document may have.
  public init?(
    made: VersionVector.Dot,
    date: WallInstant,
    size: UInt64,
    chunks: [RecordName],
    isResolved: Bool = false
  ) {
    guard made.count > 0, chunks.count <= DocumentChunk.countMax,
      DocumentChunk.count(of: size) == UInt64(chunks.count)
    else { return nil }
    self.made = made
    self.date = date
    self.size = size
    self.chunks = chunks
    self.isResolved = isResolved
  }

  /// Whether both have the same content.
  public func hasContent(of other: DocumentVersion) -> Bool {
    size == other.size && chunks == other.chunks
  }
}

extension VersionVector {
  /// Whether it knows the change.
  func knows(_ dot: Dot) -> Bool { self[dot.peer] >= dot.count }
}
