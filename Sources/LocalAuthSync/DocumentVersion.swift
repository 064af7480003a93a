public import LocalAuthCore

/// The name of a document in its container: a relative path that leads out of no folder.
public struct DocumentName: Hashable, Sendable {
  /// The longest name, in bytes.
  public static let bytesMax = 1024
  /// The longest part between slashes, in bytes.
  public static let partMax = 255

  /// Its text.
  public let text: String

  /// The name `text`; nil for one that is no path below a folder, with an empty part, `.` or `..`, and for one with
  /// control characters, which no list could show.
  public init?(_ text: String) {
    guard ExactText(text).isName(most: Self.bytesMax) else { return nil }
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
}

/// What a document has at one time: when it was written, and its bytes in chunks.
public struct DocumentContent: Hashable, Sendable {
  private static let purpose: StaticString = "LocalAuth document version 1"
  /// How many bytes of the digest name a version.
  private static let versionSize = 16

  /// When it was written, by the clock of the device that did.
  public let date: WallInstant
  /// Its bytes.
  public let size: UInt64
  /// The SHA-256 of each chunk, in their order; a chunk may be there more than once.
  public let chunks: [SyncDigest]

  /// The content with these parts; nil unless there is a chunk for each 256 KiB, and no more than a document may have.
  public init?(date: WallInstant, size: UInt64, chunks: [SyncDigest]) {
    guard chunks.count <= DocumentChunk.countMax,
      DocumentChunk.count(of: size) == UInt64(chunks.count)
    else { return nil }
    self.date = date
    self.size = size
    self.chunks = chunks
  }

  /// Whether both have the same bytes.
  public func hasBytes(of other: DocumentContent) -> Bool {
    size == other.size && chunks == other.chunks
  }

  /// What programs name it by, which follows from its bytes alone: 32 hexadecimal digits.
  public func version(_ hash: any MessageHashing) -> String {
    var framed = FramedBytes(Self.purpose)
    framed.add(size)
    for chunk in chunks { framed.add(chunk) }
    return String(hexadecimal: Array(hash.digest(of: framed.bytes).bytes.prefix(Self.versionSize)))
  }
}

/// One version of a document.
public struct DocumentVersion: Hashable, Sendable {
  /// The change that made it, by which devices know it.
  public let made: VersionVector.Dot
  /// Its content.
  public let content: DocumentContent
  /// Whether a person saw the conflict and settled it; the version stays until it is removed.
  public internal(set) var isResolved: Bool

  /// The version that the change `made` made of `content`; nil for no change.
  public init?(made: VersionVector.Dot, _ content: DocumentContent, isResolved: Bool = false) {
    guard made.count > 0 else { return nil }
    self.made = made
    self.content = content
    self.isResolved = isResolved
  }
}

extension VersionVector {
  /// Whether it knows the change.
  public func knows(_ dot: Dot) -> Bool { self[dot.peer] >= dot.count }
}

extension FramedBytes {
  mutating func add(_ content: DocumentContent) {
    add(content.date)
    add(content.size)
    for chunk in content.chunks { add(chunk) }
  }
}

extension FramedReader {
  mutating func documentContent() -> DocumentContent? {
    guard let date = time(), let size: UInt64 = number() else { return nil }
    let count = DocumentChunk.count(of: size)
    guard count <= UInt64(DocumentChunk.countMax) else { return nil }
    var chunks: [SyncDigest] = []
    for _ in 0..<count {
      guard let chunk = digest() else { return nil }
      chunks.append(chunk)
    }
    return DocumentContent(date: date, size: size, chunks: chunks)
  }
}
